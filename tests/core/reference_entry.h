// What the tests of the published vectors share: an entry's GPU, what a family launches for it, exact comparison.
#pragma once

#include <QtTest>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/integer_math.h"
#include "kernels/kernel_family.h"
#include "machines.h"
#include "schedule/schedule.h"

namespace synperf::test {

using nlohmann::json;

inline constexpr double kTolerance = 1e-12;

inline bool same(double a, double b) { return std::abs(a - b) <= kTolerance * std::max(std::abs(a), std::abs(b)); }

#define COMPARE_NUMBER(got, want)                                                                                          \
    QVERIFY2(same(static_cast<double>(got), static_cast<double>(want)),                                                    \
             qPrintable(QStringLiteral(#got " is %1, wanted %2").arg(static_cast<double>(got), 0, 'g', 17).arg(static_cast<double>(want), 0, 'g', 17)))

inline bool has_defect(const json& entry, const std::string& text) {
    for (const json& defect : entry.value("defects", json::array())) {
        if (defect.get<std::string>().find(text) != std::string::npos) return true;
    }
    return false;
}

// The published spec of an entry's GPU, as far as the rules read it.
inline GpuSpec published_gpu(const json& spec) {
    GpuSpec gpu = plain_gpu();
    gpu[GpuField::sm_count] = spec.at("sms");
    gpu[GpuField::smem_per_sm_kib] = spec.at("smem_kib");
    gpu[GpuField::smem_per_block_max_kib] = spec.at("smem_kib").get<double>() - 1;
    gpu.compute_capability = spec.at("compute_capability");
    // The rates only have to be there: what is compared is operations.
    gpu[GpuField::fp8_tflops] = 2 * gpu[GpuField::bf16_tflops];
    return gpu;
}

// What a family really launches for these parameters, on the published spec.
inline Launch launch_of(const char* family_id, const std::vector<std::string>& texts, const json& spec) {
    static const KernelRegistry registry = *KernelRegistry::built_in(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs/calibration");
    const KernelFamily& family = **registry.find(family_id);
    const auto params = parse_assignments(family.schema(), texts);
    if (!params) qFatal("%s", params.error().to_string().c_str());
    auto launches = family.decompose(*params, published_gpu(spec));
    if (!launches || launches->size() != 1) qFatal("%s", launches ? "more than one launch" : launches.error().to_string().c_str());
    return launches->front();
}

inline double busiest_demand(const Launch& launch, const json& spec, Pipe pipe) {
    const Schedule schedule = *run_schedule(launch, plain_machine(spec.at("sms").get<int>(), 1));
    double most = 0;
    for (const auto& demand : schedule.sm_demand) most = std::max(most, demand[pipe]);
    return most;
}

inline std::string assigned(const char* name, const json& value) { return std::string(name) + "=" + value.dump(); }

}  // namespace synperf::test
