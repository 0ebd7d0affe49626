// Calls by name on the shipped specs.
#pragma once

#include <QtTest>

#include "prediction/engine.h"

namespace synperf::test {

inline const Engine& engine() {
    static const Engine loaded = [] {
        auto result = Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
        if (!result) qFatal("%s", result.error().to_string().c_str());
        return std::move(*result);
    }();
    return loaded;
}

inline Result<std::shared_ptr<const Explanation>> try_explain(const std::string& family, const std::string& gpu, const std::vector<std::string>& params) {
    const KernelFamily* found = *engine().kernels.find(family);
    const auto parsed = parse_assignments(found->schema(), params);
    if (!parsed) return tl::unexpected(parsed.error());
    return engine().predictor.explain(*found, *parsed, **engine().gpus.find(gpu));
}

inline std::shared_ptr<const Explanation> explain(const std::string& family, const std::string& gpu, const std::vector<std::string>& params) {
    auto explanation = try_explain(family, gpu, params);
    if (!explanation) qFatal("%s", explanation.error().to_string().c_str());
    return *explanation;
}

inline double microseconds_of(const std::string& family, const std::string& gpu, const std::vector<std::string>& params) {
    return to_microseconds(explain(family, gpu, params)->prediction.latency);
}

}  // namespace synperf::test
