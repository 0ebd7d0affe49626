// Time over message size of one collective on one set of links: fitted, never falling, compact.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "data/collective_measurement.h"
#include "hardware/error.h"

namespace synperf {

/// Below this size the time is latency and waiting for peers, which scatter far more.
inline constexpr double kSmallMessageBytes = 65536;

struct CollectiveKnot {
    double bytes = 0;
    double us = 0;
};

/// Between two knots the time is a straight line in the bytes (a latency plus bytes over a bandwidth); below the first it is
/// the first's, above the last it goes on at the bandwidth of the last eighth of the sizes.
struct CollectiveCurve {
    CollectiveKey key;
    std::string version;                 ///< of what was measured
    std::vector<CollectiveKnot> knots;   ///< 1 or more; bytes rise, times never fall
    std::size_t rows = 0;                ///< measurements behind it
    double error = 0;                    ///< mean error on measurements held out of the fit
    double spread_small = 0;             ///< 90 % of ln(measured / curve), either side, below kSmallMessageBytes
    double spread_large = 0;             ///< the same from there on
    std::string origin;                  ///< the file or store it came from
    bool of_user = false;                ///< measured by the user, not shipped

    [[nodiscard]] double us(double bytes) const;
    [[nodiscard]] double spread(double bytes) const { return bytes < kSmallMessageBytes ? spread_small : spread_large; }
    [[nodiscard]] bool covers(double bytes) const { return bytes >= knots.front().bytes && bytes <= knots.back().bytes; }
};

/// How far answers are off that no curve was measured for: 90 % of |ln(measured / answered)|, learned by leaving curves out.
struct CollectiveSpreads {
    double same_links = 0;     ///< the curve of another GPU of the same generation with links as fast
    double other_gpu = 0;      ///< of a GPU with other links, scaled
    double other_count = 0;    ///< of another number of GPUs, scaled
    double other_backend = 0;  ///< of another backend or framework
    double topology = 0;       ///< the links' model alone
};

/// SMs that a backend's kernels occupy.
struct CollectiveKernel {
    CollectiveBackend backend = CollectiveBackend::nccl_kernel;
    std::string framework;  ///< empty: any
    int sms = 0;
    std::string source;
};

struct CollectiveCurves {
    std::vector<CollectiveCurve> curves;
    CollectiveSpreads spreads;
    std::vector<CollectiveKernel> kernels;
};

/// One file of specs/collectives (see specs/schema/collectives.schema.json).
[[nodiscard]] Result<CollectiveCurves> read_collective_curves(const std::filesystem::path& file);
/// The file's text, one line a curve. `about` says who made it from what.
[[nodiscard]] std::string write_collective_curves(const CollectiveCurves& curves, const std::vector<std::pair<std::string, std::string>>& about);

}  // namespace synperf
