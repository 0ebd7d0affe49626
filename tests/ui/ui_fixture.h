// What the window's tests share: the engine of this source tree and a document on a known scenario.
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "models/document.h"
#include "theme/theme.h"

namespace synperf::ui {

inline Engine& test_engine() {
    static Engine engine = [] {
        // Settings and data of a test never meet the user's.
        QStandardPaths::setTestModeEnabled(true);
        // Nor another test's, which may run at the same time.
        static const QTemporaryDir settings;
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("synperf-test"));
        QCoreApplication::setApplicationName(QStringLiteral("synperf-test"));
        QCoreApplication::setApplicationVersion(QStringLiteral("9.8.7"));
        Result<Engine> loaded = Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
        if (!loaded) qFatal("%s", loaded.error().to_string().c_str());
        return std::move(*loaded);
    }();
    return engine;
}

inline Scenario gemm_on(const char* gpu) {
    Engine& engine = test_engine();
    Scenario scenario;
    scenario.gpu = **engine.gpus.find(gpu);
    scenario.family = *engine.kernels.find("gemm");
    scenario.params = default_params(scenario.family->schema());
    return scenario;
}

inline std::size_t param(const Document& document, const char* name) {
    return param_index(document.scenario().family->schema(), name);
}

inline std::int64_t integer(const Document& document, const char* name) {
    return document.scenario().params.integer(param(document, name));
}

}  // namespace synperf::ui
