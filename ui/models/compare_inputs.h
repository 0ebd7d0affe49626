// What the Compare workspace is asked: GPUs, a baseline among them, and a design change of one. Kernel and workload are the document's.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "economics/gpu_design.h"
#include "hardware/gpu_spec.h"

namespace synperf {
struct Engine;
class GpuCatalogue;
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
    std::string words{};       ///< filter of the table: GPUs and measures that are shown

    friend bool operator==(const CompareInputs& a, const CompareInputs& b);
};

inline constexpr std::size_t kFewestCompared = 2;

/// Of a fresh start: three generations of data-centre GPUs and the L40S against the H100, or the first GPUs there are.
[[nodiscard]] CompareInputs default_compare(const Engine& engine);

/// Of a GPU by its id; unset where it is not compared (any more).
[[nodiscard]] std::optional<std::size_t> place_of(const CompareInputs& inputs, std::string_view id);

// Edits that keep baseline and designed GPU where they were, by GPU. GPUs are named by id, because what is shown may be older than the inputs; an id that
// is gone changes nothing.
/// One whose id is already there comes as an edited copy. A full list stays as it is.
[[nodiscard]] CompareInputs with_compared(CompareInputs inputs, ComparedGpu gpu);
[[nodiscard]] CompareInputs without_compared(CompareInputs inputs, std::string_view id);
[[nodiscard]] CompareInputs with_baseline(CompareInputs inputs, std::string_view id);
/// `by` places on, where there is one.
[[nodiscard]] CompareInputs with_moved(CompareInputs inputs, std::string_view id, int by);
[[nodiscard]] CompareInputs with_order(CompareInputs inputs, const std::vector<std::string>& ids);
/// The design change becomes a GPU of the list, named after the catalogue's GPU and all that differs from it by design; fails where the GPU can not be or
/// the list is full.
[[nodiscard]] Result<CompareInputs> with_design_kept(CompareInputs inputs, const GpuCatalogue& gpus);

/// "synperf compare gemm --gpus A,B --baseline B ..." of what is shown. Quoted for a POSIX shell.
[[nodiscard]] QString compare_command_line(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving, const Engine& engine);
/// Why that line alone does not give what is shown, for people, one sentence each.
[[nodiscard]] QStringList compare_command_line_caveats(const CompareInputs& inputs, const Engine& engine);

}  // namespace synperf::ui
