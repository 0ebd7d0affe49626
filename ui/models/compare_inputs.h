// What the Compare workspace is asked: GPUs, a baseline among them, and a design change of one. Kernel and workload are the document's.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "economics/gpu_design.h"
#include "hardware/gpu_spec.h"

namespace synperf {
struct Engine;
}

namespace synperf::ui {

struct Scenario;
struct ServingInputs;

struct ComparedGpu {
    GpuSpec gpu;                ///< a copy; ids differ from each other
    std::string edited_from{};  ///< id of the catalogue's GPU that it was edited from, empty where it was not
};

struct CompareInputs {
    std::vector<ComparedGpu> gpus{};
    std::size_t baseline = 0;
    bool workload = false;     ///< the LLM requests of the Serving workspace instead of the kernel
    bool pipes = false;        ///< pipes by SM instead of timelines
    std::size_t designed = 0;  ///< GPU that `change` is about
    DesignChange change{};

    friend bool operator==(const CompareInputs& a, const CompareInputs& b);
};

inline constexpr std::size_t kFewestCompared = 2;

/// Of a fresh start: three generations of data-centre GPUs and the L40S against the H100, or the first GPUs there are.
[[nodiscard]] CompareInputs default_compare(const Engine& engine);

// Edits that keep baseline and designed GPU where they were, by GPU. An index out of range changes nothing.
/// One whose id is already there comes as an edited copy. A full list stays as it is.
[[nodiscard]] CompareInputs with_compared(CompareInputs inputs, ComparedGpu gpu);
[[nodiscard]] CompareInputs without_compared(CompareInputs inputs, std::size_t index);
[[nodiscard]] CompareInputs with_order(CompareInputs inputs, const std::vector<std::size_t>& order);
/// The design change becomes a GPU of the list; fails where the GPU can not be.
[[nodiscard]] Result<CompareInputs> with_design_kept(CompareInputs inputs);

/// "synperf compare gemm --gpus A,B --baseline B ..." of what is shown.
[[nodiscard]] QString compare_command_line(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving, const Engine& engine);

}  // namespace synperf::ui
