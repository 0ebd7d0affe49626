// What must hold for every family and any input: random calls, awkward sizes, nothing to do.
#include <QtTest>
#include <cmath>
#include <random>

#include "core/predictions.h"

using namespace synperf;
using namespace synperf::test;

namespace {

constexpr double kLargest = 20000;  // of a random size: big enough for many waves, small enough for thousands of calls

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), 1e-300}); }

// One launch with its machine and schedule.
QString launch_fault(const Launch& launch, const Schedule& schedule) {
    const QString name = QString::fromStdString(launch.kernel);
    for (const TaskGroup& group : launch.groups) {
        if (group.count <= 0) return name + ": an empty group";
        if (!(group.steps >= 0) || !std::isfinite(group.steps)) return name + ": steps";
        for (const Pipe pipe : kPipes) {
            if (!(group.demand[pipe] >= 0) || !std::isfinite(group.demand[pipe])) return name + ": demand";
        }
    }
    const Demand total = launch.total_demand();
    std::int64_t tasks = 0;
    for (const std::int64_t count : schedule.sm_tasks) tasks += count;
    if (tasks != launch.task_count()) return name + ": tasks of the SMs do not add up";
    for (const Pipe pipe : kPipes) {
        double sum = 0;
        for (const auto& demand : schedule.sm_demand) sum += demand[pipe];
        if (!close(sum, total[pipe])) return name + ": demands of the SMs do not add up";
    }
    for (const double time : {launch.traffic.compulsory_read.value, launch.traffic.compulsory_write.value, schedule.makespan_cycles}) {
        if (!(time >= 0) || !std::isfinite(time)) return name + ": traffic or makespan";
    }
    return {};
}

QString fault(const Explanation& explanation) {
    const Prediction& prediction = explanation.prediction;
    if (!std::isfinite(prediction.latency.value) || prediction.latency.value <= 0) return "latency";
    if (!(prediction.ceiling.value > 0) || prediction.ceiling > prediction.latency * (1 + 1e-9)) {
        return QString("ceiling %1 above latency %2").arg(prediction.ceiling.value).arg(prediction.latency.value);
    }
    double sum = 0;
    for (const Part& part : explanation.analysis.parts) {
        if (!(part.time.value >= 0)) return "a negative part";
        sum += part.time.value;
    }
    if (!close(sum, prediction.latency.value)) return "the parts do not add up to the latency";
    if (!close(explanation.timeline.end_cycles() / explanation.timeline.clock().value, prediction.latency.value)) return "the timeline does not end at the latency";
    for (std::size_t phase = 0; phase < explanation.timeline.phases().size(); ++phase) {
        const QString wrong = launch_fault(explanation.phase_launch(phase), *explanation.timeline.phases()[phase].schedule);
        if (!wrong.isEmpty()) return wrong;
    }
    return {};
}

class Calls {
public:
    explicit Calls(unsigned seed) : random_(seed) {}

    Params of(const KernelFamily& family) {
        Params params = default_params(family.schema());
        for (std::size_t i = 0; i < params.values.size(); ++i) {
            if (random_() % 3 == 0) continue;  // some keep their default
            const ParamSchema& schema = family.schema()[i];
            switch (schema.kind) {
                case ParamKind::integer: params.values[i] = size(schema); break;
                case ParamKind::real:
                    params.values[i] = std::uniform_real_distribution<double>(schema.minimum, std::min(schema.maximum, 4.0 + schema.minimum))(random_);
                    break;
                case ParamKind::boolean: params.values[i] = random_() % 2 == 0; break;
                case ParamKind::choice: params.values[i] = schema.choices[random_() % schema.choices.size()]; break;
                case ParamKind::integer_list: break;
            }
        }
        return params;
    }

    const GpuSpec& gpu() {
        const auto& gpus = engine().gpus.gpus();
        return gpus[random_() % gpus.size()];
    }

private:
    std::int64_t size(const ParamSchema& schema) {
        if (schema.zero_is_automatic && random_() % 4 != 0) return 0;
        const double low = std::max(schema.minimum, 0.0);
        const double high = std::min(schema.maximum, kLargest);
        const double drawn = std::exp(std::uniform_real_distribution<double>(std::log(low + 1), std::log(high + 1))(random_)) - 1;
        return static_cast<std::int64_t>(std::clamp(std::round(drawn), low, high));
    }

    std::mt19937 random_;
};

}  // namespace

class KernelPropertiesTest : public QObject {
    Q_OBJECT

private slots:
    void any_call_adds_up_or_says_in_one_line_why_not() {
        Calls calls(2024);
        int predicted = 0;
        int asked = 0;
        for (const auto& family : engine().kernels.families()) {
            for (int round = 0; round < 60; ++round) {
                const GpuSpec& gpu = calls.gpu();
                const Params params = calls.of(*family);
                ++asked;
                const auto explanation = engine().predictor.explain(*family, params, gpu);
                const QByteArray where = QByteArray(family->id().data(), static_cast<qsizetype>(family->id().size())) + " on " + gpu.id.c_str();
                if (!explanation) {
                    const std::string error = explanation.error().to_string();
                    QVERIFY2(!error.empty() && error.find('\n') == std::string::npos, where);
                    continue;
                }
                ++predicted;
                const QString wrong = fault(**explanation);
                if (!wrong.isEmpty()) {
                    QByteArray text = where;
                    for (std::size_t i = 0; i < params.values.size(); ++i) text += (" " + family->schema()[i].name + "=" + to_text(params.values[i])).c_str();
                    QFAIL(qPrintable(wrong + ": " + text));
                }
                // The light path gives the same numbers.
                const auto prediction = engine().predictor.predict(*family, params, gpu);
                QVERIFY2(prediction.has_value(), where);
                QVERIFY2(close(prediction->latency.value, (*explanation)->prediction.latency.value), where);
                QVERIFY2(close(prediction->ceiling.value, (*explanation)->prediction.ceiling.value), where);
            }
        }
        QVERIFY2(predicted * 2 > asked, qPrintable(QStringLiteral("%1 of %2 calls").arg(predicted).arg(asked)));
    }

    void head_sizes_and_gqa_ratios_are_all_predicted() {
        for (const char* gpu : {"A100", "H100", "L40S", "B200", "RTX-PRO-6000-Server"}) {
            for (const int head_dim : {64, 72, 80, 96, 104, 112, 128, 192, 256, 512, 576}) {
                for (const int ratio : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64, 128}) {
                    for (const char* q : {"q_len=1", "q_len=300"}) {
                        const auto explanation = try_explain("attention", gpu, {q, "kv_len=1000", "num_kv_heads=2", "num_heads=" + std::to_string(2 * ratio),
                                                                                "head_dim=" + std::to_string(head_dim)});
                        const QString name = QStringLiteral("%1 head_dim %2 ratio %3 %4").arg(gpu).arg(head_dim).arg(ratio).arg(q);
                        QVERIFY2(explanation.has_value(), qPrintable(name + (explanation ? "" : explanation.error().to_string().c_str())));
                        const QString wrong = fault(**explanation);
                        QVERIFY2(wrong.isEmpty(), qPrintable(name + ": " + wrong));
                    }
                }
            }
        }
    }

    void nothing_to_do_costs_at_most_the_launches_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QStringList>("params");
        for (const auto& family : engine().kernels.families()) {
            const std::string id(family->id());
            for (const char* count : {"num_tokens", "m", "batch", "rows"}) {
                const std::size_t at = param_index(family->schema(), count);
                if (at == family->schema().size() || family->schema()[at].minimum > 0) continue;
                QTest::newRow((id + " " + count + "=0").c_str()) << QString::fromStdString(id) << QStringList{QString("%1=0").arg(count)};
            }
        }
        QTest::newRow("attention, no new token") << "attention" << QStringList{"q_len=0", "kv_len=100"};
        QTest::newRow("attention, nothing at all") << "attention" << QStringList{"q_len=0", "kv_len=0"};
    }
    void nothing_to_do_costs_at_most_the_launches() {
        QFETCH(QString, family);
        QFETCH(QStringList, params);
        std::vector<std::string> texts;
        for (const QString& param : params) texts.push_back(param.toStdString());
        const auto explanation = explain(family.toStdString(), "H100", texts);
        const std::size_t launches = explanation->timeline.phases().size();
        QVERIFY(explanation->prediction.latency.value > 0);
        // A floor and a start of each further kernel; no work is a microsecond more.
        QVERIFY(to_microseconds(explanation->prediction.latency) < 3.0 + 4.0 * static_cast<double>(launches));
        QVERIFY(fault(*explanation).isEmpty());
    }
};

QTEST_APPLESS_MAIN(KernelPropertiesTest)
#include "test_kernel_properties.moc"
