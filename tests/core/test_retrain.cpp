// Training a model and judging it beside the one in use, and the measured rows of a model, on latencies that this program made itself.
#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "core/made_measurements.h"
#include "core/texts.h"
#include "results/batch.h"
#include "training/measured_rows.h"
#include "training/retrain.h"

using namespace synperf;
using namespace synperf::test;

namespace {

// "measured" = twice the analysis.
CsvTable made_table(std::size_t count) {
    CsvTable table = made_measurements(count, {"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"}, 7);
    for (std::vector<std::string>& row : table.rows) row.back() = fmt::format("{}", 2 * std::stod(row.back()) / made_factor(std::stod(row[4])));
    return table;
}

RetrainOptions quick() {
    RetrainOptions options;
    options.recipe.network.shape.hidden = {32};
    options.recipe.network.epochs = 60;
    options.recipe.network.batch = 32;
    options.recipe.network.average_keep = 0.9;
    options.recipe.members = 1;
    options.copies = 1;
    return options;
}

}  // namespace

class RetrainTest : public QObject {
    Q_OBJECT

private slots:
    void both_models_are_judged_on_rows_that_the_new_one_did_not_learn_from() {
        const CsvTable table = made_table(300);
        int epochs = 0;
        double share = 0;
        const auto trained = retrain(std::span(&table, 1), engine(), quick(), [&](const RetrainProgress& progress) {
            if (progress.stage == RetrainProgress::Stage::networks) ++epochs;
            if (progress.stage == RetrainProgress::Stage::rows) share = progress.share;
        });
        QVERIFY2(trained.has_value(), trained ? "" : trained.error().to_string().c_str());
        QCOMPARE(epochs, 60);
        QCOMPARE(share, 1.0);
        const ModelComparison& comparison = trained->comparison;
        QCOMPARE(trained->learned + comparison.rows.size(), std::size_t{300});
        QVERIFY(comparison.rows.size() >= 10);
        QVERIFY(comparison.used_is_analytical);
        // The analysis is half of each measurement: by the table's making its error is 50 % everywhere.
        QVERIFY(std::abs(comparison.used.mean_error - 0.5) < 1e-3);
        QVERIFY(std::abs(comparison.used.median_error - 0.5) < 1e-3);
        QCOMPARE(comparison.used.with_interval, std::size_t{0});
        QVERIFY2(comparison.trained.mean_error < 0.25, qPrintable(QString::number(comparison.trained.mean_error)));
        QCOMPARE(comparison.trained.with_interval, comparison.rows.size());
        std::size_t by_gpu = 0;
        for (const auto& [gpu, figures] : comparison.by_gpu) by_gpu += figures.first.rows;
        QCOMPARE(by_gpu, comparison.rows.size());
        for (std::size_t i = 1; i < comparison.rows.size(); ++i) QVERIFY(std::abs(comparison.rows[i - 1].trained_error()) >= std::abs(comparison.rows[i].trained_error()));
        for (const JudgedRow& row : comparison.rows) QVERIFY(std::abs(row.measured_us / std::stod(table.rows[row.row].back()) - 1) < 1e-9);

        // Trained again beside itself, the model in use is the one that was just made.
        Engine with = engine();
        with.predictor = Predictor(with.predictor.calibration(), with_model(with.predictor.models(), trained->model));
        const auto again = retrain(std::span(&table, 1), with, quick());
        QVERIFY(again.has_value());
        QVERIFY(!again->comparison.used_is_analytical);
        QCOMPARE(again->comparison.used.mean_error, again->comparison.trained.mean_error);
    }

    void a_stop_ends_it() {
        const CsvTable table = made_table(300);
        std::stop_source stop;
        RetrainOptions options = quick();
        options.recipe.network.epochs = 100000;
        const auto trained = retrain(std::span(&table, 1), engine(), options, [&](const RetrainProgress& progress) {
            if (progress.stage == RetrainProgress::Stage::networks) stop.request_stop();
        }, stop.get_token());
        QVERIFY(!trained);
        QVERIFY(trained.error().message.find("cancelled") != std::string::npos);
    }

    void rows_that_can_not_be_used_are_told() {
        CsvTable table = made_table(3);
        table.rows[0][0] = "Nowhere";
        table.rows[1].back() = "nan";
        const auto summary = summarise_table(table, engine());
        QVERIFY(summary.has_value());
        QCOMPARE(summary->unusable, std::size_t{2});
        QCOMPARE(summary->models.at("gemm_16bit"), std::size_t{1});
        QVERIFY(summary->first_problem.starts_with("line 2: "));
        table.rows[2].back() = "-1";
        const auto none = summarise_table(table, engine());
        QVERIFY(!none);
        QVERIFY(none.error().message.find("line 2") != std::string::npos);
        table.columns.back() = "time";
        QCOMPARE(summarise_table(table, engine()).error().field, std::string("latency_us"));
        const CsvTable one = made_table(1);
        QVERIFY(retrain(std::span(&one, 1), engine(), quick()).error().message.find("too few") != std::string::npos);
        RetrainOptions other = quick();
        other.model = "moe_gemm";
        QVERIFY(retrain(std::span(&one, 1), engine(), other).error().message.find("moe_gemm") != std::string::npos);
    }

    void columns_of_no_table_and_tables_without_gpus_are_told_at_once() {
        const auto told = [](std::vector<std::string> columns) { return check_columns(CsvTable{std::move(columns), {}, {}}); };
        QVERIFY(told({"gpu", "m", "n", "k", "dtype"}));
        QVERIFY(told({"gpu", "op", "num_tokens", "hidden"}));  // which operator is a row's own affair
        QCOMPARE(told({"m", "n", "k", "dtype"}).error().field, std::string("gpu"));
        QVERIFY(told({"gpu", "a"}).error().message.find("no known table") != std::string::npos);
        QVERIFY(told({"gpu", "op", "num_gpus"}).error().message.find("collective") != std::string::npos);
    }

    void the_measured_rows_of_a_model_are_those_of_its_tables() {
        CsvTable table = made_table(60);
        const auto trained = retrain(std::span(&table, 1), engine(), [] {
            RetrainOptions options = quick();
            options.recipe.network.epochs = 1;
            options.recipe.held_back = 5;
            return options;
        }());
        QVERIFY2(trained.has_value(), trained ? "" : trained.error().to_string().c_str());
        const LearnedModel& model = *trained->model;
        table.rows[3][1] = "fp8";  // another model's
        table.rows[5].back().clear();
        const auto rows = measured_rows(table, model, engine());
        QVERIFY(rows.has_value());
        QCOMPARE(rows->table.rows.size(), std::size_t{58});
        QCOMPARE(rows->scaled.size(), 58 * model.features.size());
        QCOMPARE(rows->table.rows[3], table.rows[4]);
        // As the predictor itself sees the call.
        const auto call = row_call(table, 4, engine());
        Engine with = engine();
        with.predictor = Predictor(with.predictor.calibration(), with_model(with.predictor.models(), trained->model));
        const auto pending = with.predictor.prepare(*call->family, call->params, *call->gpu);
        QVERIFY(std::equal(pending->features.begin(), pending->features.end(), rows->scaled.begin() + static_cast<std::ptrdiff_t>(3 * model.features.size())));
        // A table of something else has none.
        const auto other = measured_rows(CsvTable{{"a"}, {{"1"}}, {2}}, model, engine());
        QVERIFY(other.has_value() && other->table.rows.empty());
    }

    void tables_are_those_that_the_card_names() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        LearnedModel model;
        model.name = "made";
        QVERIFY(measured_tables(path / "none", model).error().file.find("none") != std::string::npos);
        QVERIFY(!measured_tables(path, model));
        std::filesystem::create_directory(path / "train");
        for (const char* name : {"a.csv", "b.csv", "train/a.csv.gz", "notes.txt"}) std::ofstream(path / name) << "gpu\n";
        QCOMPARE(measured_tables(path, model)->size(), std::size_t{3});
        model.card = {{"command", "synperf train --data a.csv.gz --epochs 3"}};
        const auto named = measured_tables(path, model);
        QCOMPARE(named->size(), std::size_t{1});
        QCOMPARE(named->front().filename().string(), std::string("a.csv.gz"));
    }
};

QTEST_GUILESS_MAIN(RetrainTest)
#include "test_retrain.moc"
