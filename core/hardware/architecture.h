// What GPUs of one compute capability share: the rules that fill a short spec and tell dense from sparse rates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/dtype.h"

namespace synperf {

/// One entry of specs/architectures.json. Rates are dense FLOP/clk/SM (a multiply-add is 2).
struct Architecture {
    std::string compute_capability;   ///< "9.0", "gfx942"; "any" for the entry that fits everything else
    std::string arch;                 ///< "Hopper", ...; empty for "any"
    std::vector<double> dense_16bit;  ///< rates that parts of it have for bf16 and fp16; empty: no such unit or unknown
    std::vector<double> dense_fp8;
    std::vector<double> dense_fp4;
    std::string kernel_generation;    ///< which kernels the libraries run on it: "sm80", "sm90" or "sm100"
    double process_nm = 0;            ///< foundry node: 7 nm and older spend more energy a FLOP
    double xu_per_clk_per_sm = 0;
    double smem_reserved_per_block_kib = 0;
    double register_alloc_unit = 0;
    double warp_size = 0;
    double l2_bytes_per_clk_per_sm = 0;
    double launch_floor_us = 0;
    double smem_per_sm_kib = 0;  ///< from here on: what one SM can hold
    double smem_per_block_max_kib = 0;
    double regs32_per_sm = 0;
    double max_threads_per_sm = 0;
    double max_warps_per_sm = 0;
    double max_ctas_per_sm = 0;
    int sms_per_tpc = 1;
    int sms_per_gpc = 0;      ///< of a full GPC; 0: no such level or unknown. Which SMs of a part are switched off is not known
    int largest_cluster = 1;  ///< CTAs of a thread-block cluster where the kernel opts in beyond the portable 8; 1: no clusters
    std::string xu_source;  ///< from here on: who says so
    std::string register_source;
    std::string l2_source;
    std::string launch_floor_source;
    std::string limits_source;
    std::string gpc_source;

    /// Known dense rates of `type`; empty where none is known.
    [[nodiscard]] const std::vector<double>& dense_rates(DType type) const;
};

/// All entries, compiled in from specs/architectures.json.
[[nodiscard]] const std::vector<Architecture>& architectures();
/// The entry of this compute capability, else the last listed one of the same major version, else "any".
[[nodiscard]] const Architecture& architecture_of(std::string_view compute_capability);

}  // namespace synperf
