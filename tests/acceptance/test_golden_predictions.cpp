// The prediction gate: a fixed set of calls and what they were predicted to take. A change of the model shows here as old and new.
// SYNPERF_UPDATE_GOLDEN=1 writes the new values, to be looked at in the diff.
#include <QtTest>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "prediction/engine.h"

using namespace synperf;
using nlohmann::ordered_json;

class GoldenPredictionsTest : public QObject {
    Q_OBJECT

private slots:
    void predictions_are_what_they_were() {
        const std::filesystem::path file = std::filesystem::path(SYNPERF_SOURCE_DIR) / "tests/acceptance/golden.json";
        std::ifstream in(file);
        ordered_json golden = ordered_json::parse(in);
        const auto engine = Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
        QVERIFY(engine.has_value());
        QVERIFY(golden.size() >= 20);
        int changed = 0;
        for (ordered_json& call : golden) {
            const KernelFamily& family = **engine->kernels.find(call.at("family").get<std::string>());
            const GpuSpec& gpu = **engine->gpus.find(call.at("gpu").get<std::string>());
            const auto params = parse_assignments(family.schema(), call.at("params").get<std::vector<std::string>>());
            QVERIFY2(params.has_value(), call.dump().c_str());
            const auto prediction = engine->predictor.predict(family, *params, gpu);
            QVERIFY2(prediction.has_value(), call.dump().c_str());
            const double now = to_microseconds(prediction->latency);
            const double before = call.value("predicted_us", 0.0);
            const std::string bound(name(prediction->bound));
            if (std::abs(now / before - 1) > 1e-3 || call.value("bound", "") != bound) {
                ++changed;
                qInfo("%s %s %s: %.4g us (%s) is now %.4g us (%s), %+.2f %%", family.id().data(), gpu.id.c_str(), call.at("params").dump().c_str(), before,
                      call.value("bound", "").c_str(), now, bound.c_str(), 100 * (now / before - 1));
            }
            call["predicted_us"] = std::stod(QString::number(now, 'g', 5).toStdString());
            call["bound"] = bound;
        }
        if (qEnvironmentVariableIsSet("SYNPERF_UPDATE_GOLDEN")) {
            std::ofstream out(file);
            out << "[\n";
            for (std::size_t i = 0; i < golden.size(); ++i) out << "  " << golden[i].dump() << (i + 1 < golden.size() ? ",\n" : "\n");
            out << "]\n";
            QVERIFY(out.good());
            return;
        }
        QCOMPARE(changed, 0);
    }
};

QTEST_APPLESS_MAIN(GoldenPredictionsTest)
#include "test_golden_predictions.moc"
