// Models and deployments for tests of serving.
#pragma once

#include "core/shipped_engine.h"
#include "serving/llm_catalogue.h"
#include "serving/plan.h"

namespace synperf::test {

inline const std::filesystem::path kSpecs = std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs";

inline LlmConfig model(const char* id) {
    static const LlmCatalogue catalogue = LlmCatalogue::load(kSpecs / "llms");
    const auto found = catalogue.find(id);
    if (!found) qFatal("%s", found.error().to_string().c_str());
    return **found;
}

inline Deployment deployment(const char* gpu, int tp = 1, int pp = 1, int replicas = 1) {
    Deployment made;
    made.gpu = **shipped_engine().gpus.find(gpu);
    made.tp = tp;
    made.pp = pp;
    made.count = tp * pp * replicas;
    const auto framework = read_framework("vllm", kSpecs);
    if (!framework) qFatal("%s", framework.error().to_string().c_str());
    made.framework = *framework;
    return made;
}

inline const CollectiveModel& collectives() {
    static const CollectiveModel loaded = CollectiveModel::load(shipped_engine().gpus, kSpecs);
    return loaded;
}

/// A message takes 1 us a MB.
inline Result<Estimate> simple_message(CommunicationOp, double bytes, int) {
    const Seconds time{bytes * 1e-12};
    return Estimate{time, time, time};
}

}  // namespace synperf::test
