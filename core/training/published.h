// The published method as a baseline: its features of a call and the time its efficiency refers to. Source: PipeWeave
// (ISCA 2026) and its artefact, Apache-2.0, 55e0317.
#pragma once

#include <optional>
#include <vector>

#include "analysis/features.h"

namespace synperf {

/// What the published network sees of a call.
struct PublishedCall {
    /// ln(1 + x) of, for tensor (and XU, in attention) or for FMA and XU where there is no tensor work: operations,
    /// cycles if spread over all SMs, operations of the busiest SM, its cycles; then seven of memory: KiB of all tasks,
    /// their cycles at DRAM and at L2 rate, KiB of the busiest SM, its cycles at an equal share of DRAM, at
    /// shared-memory rate, at an equal share of L2.
    std::vector<float> features;
    /// us: tensor work at peak rate; FMA plus XU work where there is none. Efficiency is this over the latency.
    double theoretical_us = 0;
};

/// The decomposition is this program's: tables name no tile, and the published schedule of FlashAttention-2 is known to
/// be wrong. Launches beside the main one count where they have tensor work, as the second product of a MoE layer;
/// reductions do not. Unset where the pipes that efficiency refers to have nothing to do.
[[nodiscard]] std::optional<PublishedCall> published_call(const KernelFamily& family, const GpuSpec& gpu,
                                                          const AnalysedCall& call);

}  // namespace synperf
