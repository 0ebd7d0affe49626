// From a table of measurements to predictions, on latencies that this program made itself.
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <cmath>
#include <numeric>

#include "core/made_measurements.h"
#include "core/predictions.h"
#include "core/texts.h"
#include "results/batch.h"
#include "training/train_model.h"

using namespace synperf;
using namespace synperf::test;

namespace {

constexpr std::array<const char*, 3> kTrained{"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"};

CsvTable made_table(std::size_t count) { return made_measurements(count, {kTrained.begin(), kTrained.end()}, 7); }

Result<std::map<std::string, TrainingRows>> rows_of(const CsvTable& table, TrainingRowsReport& report, int copies = 0) {
    return training_rows(std::span(&table, 1), engine(), {copies, 1}, report);
}

ModelRecipe quick_recipe() {
    ModelRecipe recipe = default_recipe();
    recipe.network.shape.hidden = {64, 32};
    recipe.network.epochs = 60;
    recipe.network.batch = 32;
    recipe.network.average_keep = 0.98;
    recipe.held_back = 5;
    recipe.fold_epochs = 5;
    recipe.least_rows = 50;
    return recipe;
}

}  // namespace

class TrainingTest : public QObject {
    Q_OBJECT

private slots:
    void rows_become_a_model_that_predicts_them() {
        const CsvTable table = made_table(400);
        TrainingRowsReport report;
        const auto models = rows_of(table, report);
        QVERIFY(models.has_value());
        QCOMPARE(report.used, std::size_t{400});
        QCOMPARE(report.failed, std::size_t{0});
        QCOMPARE(models->size(), std::size_t{1});
        const TrainingRows& rows = models->begin()->second;
        QCOMPARE(rows.rows(), std::size_t{400});
        QCOMPARE(rows.values.size(), 400 * rows.features.size());
        QCOMPARE(rows.gpus.size(), kTrained.size());
        const auto generations = generations_of(rows, engine().gpus);
        const auto folds = leave_out(rows, generations, quick_recipe());
        QVERIFY(folds.has_value());
        QVERIFY(!folds->empty());
        const auto trained = train_model(rows, generations, *folds, quick_recipe());
        QVERIFY2(trained.has_value(), trained ? "" : trained.error().to_string().c_str());

        QTemporaryDir folder;
        const std::filesystem::path models_folder = folder.path().toStdString();
        QVERIFY(trained->write(models_folder / "made.model").has_value());
        const auto learned = Engine::load(engine().specs, {}, {models_folder});
        QVERIFY(learned.has_value());
        QVERIFY(learned->predictor.models().problems().empty());
        std::vector<std::size_t> all(table.rows.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto before = predict_rows(table, all, engine());
        const auto after = predict_rows(table, all, *learned);
        double error_before = 0, error_after = 0;
        int inside = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double measured = std::stod(table.rows[i].back());
            QVERIFY(before[i] && after[i]);
            const Prediction& answer = *after[i];
            error_before += std::abs(to_microseconds(before[i]->latency) / measured - 1) / 400;
            error_after += std::abs(to_microseconds(answer.latency) / measured - 1) / 400;
            QVERIFY(answer.interval && answer.p80);
            QVERIFY(answer.interval->lower.value <= answer.latency.value && answer.latency.value <= answer.interval->upper.value);
            QVERIFY(answer.p80->value <= answer.latency.value);
            QVERIFY(answer.efficiency > 0 && answer.efficiency <= 1);
            QVERIFY(answer.confidence != Confidence::analytical);
            inside += answer.interval->lower.value <= measured * 1e-6 && measured * 1e-6 <= answer.interval->upper.value ? 1 : 0;
        }
        qInfo("mean error %.1f %% analytical, %.1f %% learned; %d of 400 within the 90 %% interval", 100 * error_before, 100 * error_after, inside);
        QVERIFY2(error_after < error_before / 3, qPrintable(QString::number(error_after)));
        QVERIFY(inside > 340);

        confidence_follows_the_gpu(*learned);
    }

private:
    void confidence_follows_the_gpu(const Engine& learned) {
        const KernelFamily& gemm = **learned.kernels.find("gemm");
        const Params params = *parse_assignments(gemm.schema(), {"m=512", "n=1024", "k=1024", "dtype=bf16"});
        const auto confidence = [&](const GpuSpec& gpu) { return learned.predictor.predict(gemm, params, gpu)->confidence; };
        const GpuSpec& known = **learned.gpus.find("H100-SXM5-80GB");
        QCOMPARE(confidence(known), Confidence::measured_range);
        const auto unsure = [&](const GpuSpec& gpu) {
            const Confidence found = confidence(gpu);
            return found == Confidence::near || found == Confidence::extrapolating;
        };
        QVERIFY(unsure(imagined_gpu(known, 3)));                // its name, but not its numbers
        QVERIFY(unsure(**learned.gpus.find("A40")));            // of no measured generation's capability
        QCOMPARE(confidence(**learned.gpus.find("B200")), Confidence::extrapolating);
        GpuSpec edited = known;
        edited.origin = SpecOrigin::user;
        QVERIFY(unsure(edited));
    }

private slots:
    void imagined_copies_are_as_far_from_their_analysis_as_the_row() {
        const CsvTable table = made_table(12);
        TrainingRowsReport report;
        const auto models = rows_of(table, report, 2);
        QVERIFY(models.has_value());
        const TrainingRows& rows = models->begin()->second;
        QCOMPARE(rows.rows(), std::size_t{36});
        for (std::size_t i = 0; i < 36; ++i) {
            QCOMPARE(static_cast<int>(rows.imagined[i]), i % 3 == 0 ? 0 : 1);
            const double ratio = rows.latency_us[i] / rows.analytical_us[i], real = rows.latency_us[i - i % 3] / rows.analytical_us[i - i % 3];
            QVERIFY(std::abs(ratio / real - 1) < 1e-9);
            if (i % 3 != 0) QVERIFY(rows.analytical_us[i] != rows.analytical_us[i - i % 3]);
        }
    }

    void rows_that_can_not_be_used_are_counted_and_the_first_is_named_data() {
        QTest::addColumn<QString>("column");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("line");
        QTest::newRow("NaN") << "latency_us" << "NaN" << "line 3: latency_us: \"NaN\" is no time above 0";
        QTest::newRow("0") << "latency_us" << "0" << "line 3: latency_us: \"0\" is no time above 0";
        QTest::newRow("text") << "latency_us" << "fast" << "line 3: latency_us: \"fast\" is no time above 0";
        QTest::newRow("empty") << "latency_us" << "" << "line 3: latency_us: \"\" is no time above 0";
        QTest::newRow("GPU") << "gpu" << "Voodoo2" << "line 3: ";
        QTest::newRow("size") << "m" << "0" << "line 3: there is nothing to compute";
    }
    void rows_that_can_not_be_used_are_counted_and_the_first_is_named() {
        QFETCH(QString, column);
        QFETCH(QString, value);
        QFETCH(QString, line);
        CsvTable table = made_table(4);
        table.rows[1][table.column(column.toStdString())] = value.toStdString();
        TrainingRowsReport report;
        const auto models = rows_of(table, report);
        QVERIFY(models.has_value());
        QCOMPARE(report.used, std::size_t{3});
        QCOMPARE(report.failed, std::size_t{1});
        VERIFY_CONTAINS(report.first_failure, line.toStdString());
        if (column == "gpu") VERIFY_CONTAINS(report.first_failure, value.toStdString());
        QVERIFY(!text(report.first_failure).contains('\n'));
    }

    void eager_timings_are_set_aside() {
        CsvTable table = made_table(4);
        table.rows[2][table.column("timing")] = "eager";
        TrainingRowsReport report;
        QVERIFY(rows_of(table, report).has_value());
        QCOMPARE(report.set_aside, std::size_t{1});
        QCOMPARE(report.used, std::size_t{3});
    }

    void tables_that_can_not_be_learned_from_are_one_line() {
        CsvTable table = made_table(4);
        TrainingRowsReport report;
        table.columns.back() = "time";
        const auto without = rows_of(table, report);
        QVERIFY(!without.has_value());
        VERIFY_CONTAINS(without.error().to_string(), "latency_us");
        table = made_table(4);
        table.rows.clear();
        table.lines.clear();
        const auto empty = rows_of(table, report);
        QVERIFY(empty.has_value());
        QVERIFY(empty->empty());
        QCOMPARE(report.used, std::size_t{0});
        const auto model = train_model({}, {}, {}, quick_recipe());
        QVERIFY(!model.has_value());
        VERIFY_CONTAINS(model.error().to_string(), "too few to train on");
    }

    void a_stopped_training_says_so() {
        const CsvTable table = made_table(60);
        TrainingRowsReport report;
        const auto models = rows_of(table, report);
        const TrainingRows& rows = models->begin()->second;
        std::stop_source stop;
        stop.request_stop();
        const auto model = train_model(rows, generations_of(rows, engine().gpus), {}, quick_recipe(), {}, stop.get_token());
        QVERIFY(!model.has_value());
        VERIFY_CONTAINS(model.error().to_string(), "cancelled");
    }

    // Two GPUs of one generation: each is a sibling when it is left out, none is foreign. Bounds off what was seen may not be narrower.
    void bounds_without_left_out_rows_are_no_narrower_than_those_of_trained_gpus() {
        CsvTable table = made_table(300);
        for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i][0] = i % 2 == 0 ? "H100-SXM5-80GB" : "H200-SXM5-141GB";
        TrainingRowsReport report;
        const auto models = rows_of(table, report);
        QVERIFY(models.has_value() && !models->empty());
        const TrainingRows& rows = models->begin()->second;
        const auto generations = generations_of(rows, engine().gpus);
        const auto folds = leave_out(rows, generations, quick_recipe());
        QVERIFY(folds.has_value());
        QCOMPARE(folds->size(), std::size_t{2});
        const auto model = train_model(rows, generations, *folds, quick_recipe());
        QVERIFY(model.has_value());
        QVERIFY(model->offsets[2].interval > model->offsets[0].interval);
        QVERIFY(model->offsets[2].p80 >= model->offsets[0].p80);
    }
};

QTEST_APPLESS_MAIN(TrainingTest)
#include "test_training.moc"
