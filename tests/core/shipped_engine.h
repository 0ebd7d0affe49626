// The engine with the specs of this source tree and without models.
#pragma once

#include <QtGlobal>

#include "prediction/engine.h"

namespace synperf::test {

inline const Engine& shipped_engine() {
    static const Engine loaded = [] {
        auto result = Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
        if (!result) qFatal("%s", result.error().to_string().c_str());
        return std::move(*result);
    }();
    return loaded;
}

}  // namespace synperf::test
