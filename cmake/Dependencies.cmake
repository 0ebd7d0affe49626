# Every dependency is a Debian package; CONTRIBUTING.md says why each is there.
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(muparser REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(yaml-cpp REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp)  # 0.7 of Debian 12 has no namespace
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
find_package(Threads REQUIRED)
find_path(TL_EXPECTED_INCLUDE_DIR tl/expected.hpp REQUIRED)

if(SYNPERF_BUILD_UI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Charts Svg Concurrent LinguistTools
               OPTIONAL_COMPONENTS DBus)
endif()
if(SYNPERF_BUILD_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Test)
  if(SYNPERF_BUILD_BENCHMARKS)
    find_package(benchmark REQUIRED)
  endif()
endif()
