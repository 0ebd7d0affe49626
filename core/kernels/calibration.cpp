#include "kernels/calibration.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

struct Constant {
    std::string_view key;
    double Calibration::*member;
};

constexpr std::array kConstants{
    Constant{"tensor_sustained", &Calibration::tensor_sustained},
    Constant{"fma_sustained", &Calibration::fma_sustained},
    Constant{"tile_edge_loss", &Calibration::tile_edge_loss},
    Constant{"tile_edge_rate", &Calibration::tile_edge_rate},
    Constant{"dram_sustained", &Calibration::dram_sustained},
    Constant{"l2_port_bytes_per_clk", &Calibration::l2_port_bytes_per_clk},
    Constant{"l2_peak_over_stated", &Calibration::l2_peak_over_stated},
    Constant{"l2_sustained", &Calibration::l2_sustained},
    Constant{"l2_usable", &Calibration::l2_usable},
    Constant{"l2_transition", &Calibration::l2_transition},
    Constant{"overlap_exponent", &Calibration::overlap_exponent},
    Constant{"load_latency_us", &Calibration::load_latency_us},
    Constant{"k_in_flight_cp_async", &Calibration::k_in_flight_cp_async},
    Constant{"k_in_flight_tma", &Calibration::k_in_flight_tma},
    Constant{"ramp_factor", &Calibration::ramp_factor},
    Constant{"ramp_saturation", &Calibration::ramp_saturation},
    Constant{"fill_factor", &Calibration::fill_factor},
    Constant{"launch_floor_us", &Calibration::launch_floor_us},
    Constant{"least_launch_share", &Calibration::least_launch_share},
    Constant{"reduction_start_us", &Calibration::reduction_start_us},
    Constant{"kernel_gap_us", &Calibration::kernel_gap_us},
    Constant{"power_a_pj", &Calibration::power_a_pj},
    Constant{"power_b_pj", &Calibration::power_b_pj},
    Constant{"power_old_node", &Calibration::power_old_node},
    Constant{"power_cap", &Calibration::power_cap},
    Constant{"power_onset_us", &Calibration::power_onset_us},
    Constant{"power_onset_exponent", &Calibration::power_onset_exponent},
    Constant{"power_fp8_energy", &Calibration::power_fp8_energy},
    Constant{"power_fp4_energy", &Calibration::power_fp4_energy},
    Constant{"analytical_spread", &Calibration::analytical_spread},
};

}  // namespace

Result<Calibration> read_calibration(const std::filesystem::path& file) {
    const auto fail = [&file](std::string message, std::string_view field = {}) {
        return tl::unexpected<Error>(Error{std::move(message), std::string(field), file.string()});
    };
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const nlohmann::json& json = *read;
    if (!json.is_object()) return fail("is not a JSON object");
    Calibration calibration;
    for (const Constant& constant : kConstants) {
        const auto entry = json.find(constant.key);
        if (entry == json.end() || !entry->is_object() || !entry->contains("value") || !(*entry)["value"].is_number()) {
            return fail("a constant {\"value\": number, \"unit\", \"source\"} is needed", constant.key);
        }
        const double value = (*entry)["value"].get<double>();
        if (!std::isfinite(value) || value <= 0) return fail(fmt::format("{} is not a positive number", value), constant.key);
        calibration.*constant.member = value;
    }
    return calibration;
}

}  // namespace synperf
