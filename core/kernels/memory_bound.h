// Kernels that stream their operands once: a launch from how many CTAs share how many bytes and operations.
#pragma once

#include <cstdint>
#include <string>

#include "hardware/gpu_spec.h"
#include "kernels/calibration.h"
#include "kernels/launch.h"

namespace synperf {

/// A launch of equal CTAs; bytes and operations are of the mean one.
struct StreamKernel {
    std::string name;            ///< for people
    std::int64_t ctas = 0;
    int threads = 256;
    int registers_per_thread = 32;
    double smem_bytes = 0;
    double read_bytes = 0;
    double write_bytes = 0;
    double fma_ops = 0;          ///< thread-level
    double xu_ops = 0;
    double rounds = 1;           ///< dependent loads of one thread
    double footprint = -1;       ///< distinct bytes of one CTA, less than read + write where it works in place; negative = all are distinct
    double fullest_over_mean = 1;  ///< where the last CTA has less to do than the others
    bool after_producer = false; ///< what it reads was just written: only what L2 can not hold comes from DRAM
};

/// Work of the fullest CTA over that of the mean one, where `units` are dealt out `each` to a CTA.
[[nodiscard]] double fullest_over_mean(double units, double each);

/// All traffic is compulsory. As a launch of its own, inputs and outputs of one call lie between two uses of a byte; after a producer only
/// the inputs do.
[[nodiscard]] Launch stream_launch(const StreamKernel& kernel, const GpuSpec& gpu, const Calibration& calibration);

}  // namespace synperf
