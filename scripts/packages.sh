# Debian and Ubuntu packages this project builds with. CONTRIBUTING.md says why each is there.
# libqt6opengl6-dev: Qt Charts is found only with it, although Debian's qt6-charts-dev does not depend on it.
# Sourced by run, test and .ci/run.

SYNPERF_ENGINE_PACKAGES="g++ cmake ninja-build libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev libmuparser-dev libeigen3-dev libyaml-cpp-dev zlib1g-dev libpng-dev libsqlite3-dev"
SYNPERF_WINDOW_PACKAGES="qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl1-mesa-dev fonts-inter"
SYNPERF_TEST_PACKAGES="libbenchmark-dev xvfb xauth"

synperf_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs those of the named packages that are missing; says nothing when none is.
synperf_install() {
    local missing="" package
    command -v apt-get >/dev/null || { echo "This script installs with apt-get; elsewhere install the packages of scripts/packages.sh by hand." >&2; return 0; }
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    echo "Installing:$missing"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        echo "Root or sudo is needed to install them." >&2
        return 1
    fi
    synperf_root apt-get update -q
    # shellcheck disable=SC2086
    synperf_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

# One compiler job a core, fewer where memory is short: a Qt source can take 1 GiB.
synperf_jobs() {
    local cores memory_gib
    cores=$(nproc 2>/dev/null || echo 2)
    memory_gib=$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo 2)
    [ "$memory_gib" -lt 1 ] && memory_gib=1
    [ "$memory_gib" -lt "$cores" ] && cores=$memory_gib
    echo "$cores"
}

# synperf_build PRESET: configures once, builds what changed.
synperf_build() {
    local launcher=""
    command -v ccache >/dev/null && launcher="-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
    # shellcheck disable=SC2086
    [ -f "build/$1/build.ninja" ] || cmake --preset "$1" $launcher
    cmake --build --preset "$1" -j "$(synperf_jobs)"
}
