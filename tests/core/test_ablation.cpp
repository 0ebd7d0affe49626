// The published method as a baseline: its numbers of a call by hand, and the steps from it to this program's
// configuration.
#include <QtTest>
#include <cmath>

#include "core/made_measurements.h"
#include "core/texts.h"
#include "training/ablation.h"
#include "training/published.h"

using namespace synperf;
using namespace synperf::test;

namespace {

std::optional<PublishedCall> published(const std::string& family, const std::string& gpu,
                                       const std::vector<std::string>& assignments) {
    const KernelFamily& found = **engine().kernels.find(family);
    const GpuSpec& spec = **engine().gpus.find(gpu);
    const auto call = engine().predictor.analyse_call(found, *parse_assignments(found.schema(), assignments), spec);
    if (!call) qFatal("%s", call.error().to_string().c_str());
    return published_call(found, spec, *call);
}

// What a feature says: it is ln(1 + x) in single precision.
bool says(float feature, double value) {
    return std::abs(std::expm1(static_cast<double>(feature)) / value - 1) < 1e-5;
}

TrainingRows rows_of(const std::vector<CsvTable>& tables, int copies) {
    TrainingRowsReport report;
    const auto models = training_rows(tables, engine(), {.imagined_copies = copies, .published = true}, report);
    if (!models || models->size() != 1) qFatal("no rows");
    return models->begin()->second;
}

std::vector<AblationStep> quick_steps(int epochs) {
    std::vector<AblationStep> steps = ablation_steps(epochs);
    for (AblationStep& step : steps) {
        step.network.shape.hidden = {32, 16};
        step.network.batch = 32;
        step.network.average_keep = std::min(step.network.average_keep, 0.9);
    }
    return steps;
}

const AblationFigures* find(const std::vector<AblationFigures>& figures, const std::string& step,
                            const std::string& left_out = {}) {
    const auto at = std::ranges::find_if(
        figures, [&](const AblationFigures& one) { return one.step == step && one.left_out == left_out; });
    return at == figures.end() ? nullptr : &*at;
}

}  // namespace

class AblationTest : public QObject {
    Q_OBJECT

private slots:
    // The published worked example v03 on an A40 (84 SMs, 1024 FLOP/clk/SM, 1740 MHz): tile 64 x 128 x 64, three slices
    // of k; 20 tiles of 2 x 64 x 2560 x 8192 FLOP in all, 2 x 64 x 128 x 2752 on the busiest SM. Operands count
    // unpadded here: 2 x (3 + 2560) x 8192 bytes.
    void numbers_of_a_product_are_the_published_ones() {
        const auto call =
            published("gemm", "A40",
                      {"m=3", "n=2560", "k=8192", "rule=sm80", "tile_m=64", "tile_n=128", "tile_k=64", "split_k=3"});
        QVERIFY(call.has_value());
        QCOMPARE(call->features.size(), std::size_t{11});
        const auto& features = call->features;
        const double total = 2684354560.0, busiest = 45088768.0;
        const double rate = *(*engine().gpus.find("A40"))
                                 ->tensor_flop_per_clk_per_sm(DType::bf16);  // 1024 but for the datasheet's rounding
        QVERIFY(std::abs(rate / 1024 - 1) < 1e-3);
        QVERIFY2(says(features[0], total), qPrintable(QString::number(std::expm1(features[0]))));
        QVERIFY2(says(features[1], total / (rate * 84)), qPrintable(QString::number(std::expm1(features[1]))));
        QVERIFY2(says(features[2], busiest), qPrintable(QString::number(std::expm1(features[2]))));
        QVERIFY2(says(features[3], busiest / rate), qPrintable(QString::number(std::expm1(features[3]))));
        const double kib = 2.0 * (3 + 2560) * 8192 / 1024;
        QVERIFY(says(features[4], kib));
        QVERIFY(says(features[5], kib / (696.0 * 1024 * 1024) * 1740e6));
        QVERIFY(says(features[6], kib / (2430.0 * 1024 * 1024) * 1740e6));
        QVERIFY(std::abs(call->theoretical_us / (total / (rate * 84) / 1740.0) - 1) < 1e-6);
    }

    // w13 and w2 of 16384 rows, every expert's a multiple of every tile: 2 x 16384 x 1024 x 1024 and 2 x 16384 x 512 x
    // 1024 FLOP.
    void both_products_of_a_layer_of_experts_count() {
        const auto call = published(
            "moe", "A100-SXM4-80GB",
            {"num_tokens=8192", "hidden_size=1024", "inter_size=512", "topk=2", "num_experts=8", "backend=triton"});
        QVERIFY(call.has_value());
        QCOMPARE(call->features.size(), std::size_t{11});
        QVERIFY2(says(call->features[0], 2.0 * 16384 * 1024 * 1024 * 1.5),
                 qPrintable(QString::number(std::expm1(call->features[0]))));
    }

    void attention_and_streams_have_numbers_of_a_second_pipe() {
        const auto attention = published("attention", "H100", {"q_lengths=512", "kv_lengths=512"});
        QVERIFY(attention.has_value());
        QCOMPARE(attention->features.size(), std::size_t{15});
        const auto norm = published("rmsnorm", "H100", {"num_tokens=4096"});
        QVERIFY(norm.has_value());
        QCOMPARE(norm->features.size(), std::size_t{15});
        // Operations over cycles are the FMA rate of all 132 SMs: 128 a clock each.
        const auto number = [&norm](std::size_t i) { return std::expm1(static_cast<double>(norm->features[i])); };
        QVERIFY(std::abs(number(0) / number(1) / (128 * 132) - 1) < 1e-3);
    }

    void the_first_step_is_the_published_recipe_and_the_last_is_the_shipped_one() {
        const auto steps = ablation_steps(12);
        const AblationStep& first = steps.front();
        QVERIFY(first.published_features && first.published_time && !first.from_analysis && !first.imagined);
        QVERIFY((first.network.shape.hidden == std::vector<std::size_t>{256, 128, 64}));
        QVERIFY(first.network.shape.batch_norm);
        QCOMPARE(first.network.shape.dropout, 0.1);
        QCOMPARE(first.network.heads.size(), std::size_t{1});
        QVERIFY(first.network.heads.front().loss == LossKind::efficiency_mape);
        QVERIFY(first.network.schedule == RateSchedule::plateau);
        QCOMPARE(first.network.batch, std::size_t{1024});
        QCOMPARE(first.network.rate, 1e-3);
        QCOMPARE(first.network.decay, 1e-4);
        QCOMPARE(first.network.average_keep, 0.0);
        const AblationStep& last = steps.back();
        const ModelRecipe ours = default_recipe();
        QVERIFY(!last.published_features && !last.published_time && last.from_analysis && last.imagined);
        QCOMPARE(last.members, ours.members);
        QVERIFY(last.network.shape == ours.network.shape && last.network.map == ours.network.map &&
                last.network.schedule == ours.network.schedule);
        QCOMPARE(last.network.heads.size(), ours.network.heads.size());
        for (const auto& [step, shipped] :
             {std::pair{last.network.rate, ours.network.rate}, std::pair{last.network.decay, ours.network.decay},
              std::pair{last.network.average_keep, ours.network.average_keep},
              std::pair{last.network.input_noise, ours.network.input_noise},
              std::pair{last.network.most_norm, ours.network.most_norm}}) {
            QCOMPARE(step, shipped);
        }
        QCOMPARE(last.network.batch, ours.network.batch);
        for (const AblationStep& step : steps) QCOMPARE(step.network.epochs, 12);
    }

    // What differs between neighbours, of all that a step can set.
    void each_step_changes_one_setting() {
        const auto steps = ablation_steps(12);
        for (std::size_t i = 1; i < steps.size(); ++i) {
            const AblationStep &a = steps[i - 1], &b = steps[i];
            const Recipe &x = a.network, &y = b.network;
            const auto heads_differ = [&] {
                return x.heads.size() != y.heads.size() ||
                       !std::ranges::equal(x.heads, y.heads, [](const Head& p, const Head& q) {
                           return p.loss == q.loss && p.tau == q.tau && p.weight == q.weight;
                       });
            };
            const bool optimiser = x.batch != y.batch || x.rate != y.rate || x.decay != y.decay ||
                                   x.schedule != y.schedule || x.average_keep != y.average_keep;
            const int changes = (a.published_features != b.published_features) +
                                (a.published_time != b.published_time) + (a.from_analysis != b.from_analysis) +
                                (a.imagined != b.imagined) + (a.members != b.members) + !(x.shape == y.shape) +
                                heads_differ() + optimiser;
            QVERIFY2(changes == 1, b.name.c_str());
        }
    }

    // 60 rows to judge, a third of them on an L40S; the error of the analysis is that of the factor the table was made
    // with.
    void every_step_is_judged_on_the_rows_that_were_not_learned_from() {
        const std::vector<CsvTable> tables{made_measurements(60, {"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"}, 3),
                                           made_measurements(500, {"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"}, 7)};
        const TrainingRows rows = rows_of(tables, 1);
        const auto steps = quick_steps(15);
        const AblationOptions options{1, 400, {"L40S", "A40"}, 1};
        const auto figures = ablation(rows, steps, options);
        QVERIFY2(figures.has_value(), figures ? "" : figures.error().to_string().c_str());
        // The roofline, the analysis and every step, once for all GPUs and once without the L40S; nothing was measured
        // on an A40.
        QCOMPARE(figures->size(), 2 * (steps.size() + 2));
        double error = 0;
        for (const auto& row : tables[0].rows) error += std::abs(1 / made_factor(std::stod(row[4])) - 1) / 60;
        QCOMPARE(find(*figures, "analysis")->rows, std::size_t{60});
        QVERIFY(std::abs(find(*figures, "analysis")->mean_error - error) < 1e-4);
        for (const AblationStep& step : steps) {
            QVERIFY2(find(*figures, step.name) != nullptr && find(*figures, step.name, "L40S") != nullptr,
                     step.name.c_str());
            QCOMPARE(find(*figures, step.name)->rows, std::size_t{60});
            QCOMPARE(find(*figures, step.name, "L40S")->rows, std::size_t{20});
        }
        QVERIFY(find(*figures, "two networks")->mean_error < error / 2);
        QVERIFY(find(*figures, "two networks")->mean_error < find(*figures, "published")->mean_error);
        QVERIFY(find(*figures, "trust from other GPUs") == nullptr);  // there is no other GPU left out to learn it from
        const auto again = ablation(rows, steps, options);
        for (std::size_t i = 0; i < figures->size(); ++i) QCOMPARE((*again)[i].mean_error, (*figures)[i].mean_error);
    }

    // The L40S's share is chosen on the A100's rows and the other way round: it lies between the analysis and the
    // learned answer.
    void trust_is_learned_from_the_other_gpus_left_out() {
        const std::vector<CsvTable> tables{made_measurements(60, {"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"}, 3),
                                           made_measurements(300, {"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"}, 7)};
        const auto steps = quick_steps(8);
        const auto figures = ablation(rows_of(tables, 1), steps, {1, 300, {"L40S", "A100-SXM4-80GB"}, 1});
        QVERIFY(figures.has_value());
        QCOMPARE(figures->size(), 3 * (steps.size() + 3));
        QCOMPARE(find(*figures, "trust from other GPUs")->mean_error, find(*figures, "two networks")->mean_error);
        for (const char* gpu : {"L40S", "A100-SXM4-80GB"}) {
            const double trusted = find(*figures, "trust from other GPUs", gpu)->mean_error,
                         analysis = find(*figures, "analysis", gpu)->mean_error,
                         learned = find(*figures, "two networks", gpu)->mean_error;
            QVERIFY(trusted <= std::max(analysis, learned) * (1 + 1e-9));
        }
    }

    void what_can_not_be_compared_is_one_line() {
        const std::vector<CsvTable> tables{made_measurements(30, {"L40S"}, 3)};
        TrainingRows rows = rows_of(tables, 0);
        const auto nothing_to_learn = ablation(rows, quick_steps(1), {1, 100, {}, 1});
        QVERIFY(!nothing_to_learn.has_value());
        VERIFY_CONTAINS(nothing_to_learn.error().to_string(), "rows to train on");
        const auto nothing_to_judge = ablation(rows, quick_steps(1), {0, 100, {}, 1});
        QVERIFY(!nothing_to_judge.has_value());
        VERIFY_CONTAINS(nothing_to_judge.error().to_string(), "no row of gemm_16bit is left to judge");
        rows.published_us.clear();
        QVERIFY(!ablation(rows, quick_steps(1), {1, 100, {}, 1}).has_value());
    }
};

QTEST_APPLESS_MAIN(AblationTest)
#include "test_ablation.moc"
