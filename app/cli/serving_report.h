// What `serve` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "serving/memory_fit.h"
#include "serving/static_batch.h"

namespace synperf::cli {

struct ServingReport {
    LlmConfig config;
    Deployment deployment;
    MemoryFit memory;
    std::optional<ServingResult> result;  ///< unset where it does not fit or nobody asked
    bool continuous = false;              ///< requests wait for memory instead of needing it all at once

    [[nodiscard]] bool runs() const { return continuous ? memory.largest_batch > 0 : memory.fits(); }
};

[[nodiscard]] nlohmann::ordered_json serving_json(const ServingReport& report);
void print_serving(std::ostream& out, const ServingReport& report);
/// The one line that refuses, with the sum and the batch that would fit.
[[nodiscard]] Error does_not_fit(const ServingReport& report);

}  // namespace synperf::cli
