#include "models/nearest_measured.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QDir>
#include <QSettings>
#include <algorithm>

#include "data/csv.h"
#include "learning/nearest.h"

namespace synperf::ui {

namespace {

class Nearest {
    Q_DECLARE_TR_FUNCTIONS(Nearest)
};

std::string distance_text(double distance) { return fmt::format("{:.3f}", distance); }

Result<std::shared_ptr<const MeasuredTables>> read_tables(const QString& folder, const LearnedModel& model, const Engine& engine, const BackgroundWork::Progress& progress,
                                                          const std::stop_token& stop) {
    const auto files = measured_tables(folder.toStdString(), model);
    if (!files) return tl::unexpected(files.error());
    auto read = std::make_shared<MeasuredTables>();
    read->folder = folder;
    read->models = engine.predictor.shared_models();
    read->model = &model;
    for (std::size_t at = 0; at < files->size(); ++at) {
        const auto share = [&](double of_file) { progress((static_cast<double>(at) + of_file) / static_cast<double>(files->size())); };
        share(0);
        const auto table = read_csv((*files)[at]);
        if (stop.stop_requested()) return failure("cancelled");
        if (!table) continue;  // a folder may hold tables of anything
        auto rows = measured_rows(*table, model, engine, share, stop);
        if (!rows) return tl::unexpected(rows.error());
        if (rows->table.rows.empty()) continue;
        read->tables.push_back({std::make_shared<const CsvTable>(std::move(rows->table)), std::move(rows->scaled)});
    }
    if (read->tables.empty()) return tl::unexpected(Error{fmt::format("no table there has measured rows of the model {}", model.name), {}, folder.toStdString()});
    return read;
}

void rows_from_tables(NearestMeasured& nearest, const MeasuredTables& tables, std::span<const float> point) {
    struct Found {
        double distance;
        std::shared_ptr<const CsvTable> table;
        std::size_t row;
    };
    std::vector<Found> found;
    for (const MeasuredTables::Table& table : tables.tables) {
        nearest.searched += table.rows->rows.size();
        for (const Neighbour& one : nearest_rows(table.scaled, point, kMostNearest)) found.push_back({one.distance, table.rows, one.row});
    }
    std::ranges::stable_sort(found, {}, &Found::distance);
    if (found.size() > kMostNearest) found.resize(kMostNearest);
    std::vector<std::pair<std::shared_ptr<const CsvTable>, std::size_t>> picked;
    std::vector<std::vector<std::string>> lead;
    for (const Found& one : found) {
        picked.emplace_back(one.table, one.row);
        const std::size_t gpu = one.table->column("gpu"), latency = one.table->column("latency_us");
        lead.push_back({distance_text(one.distance), one.table->rows[one.row][gpu], one.table->rows[one.row][latency]});
    }
    nearest.rows = sourced_rows({"distance", "gpu", "latency_us"}, {Nearest::tr("Distance"), Nearest::tr("GPU"), Nearest::tr("Measured (µs)")}, std::move(picked), std::move(lead));
}

// A centre is a mean of training rows: its features are known, its shape, GPU and time are not.
void rows_of_model(NearestMeasured& nearest, const LearnedModel& model, std::span<const float> point) {
    Rows rows{{{"distance"}, {}, {}}, {Nearest::tr("Distance")}};
    const std::size_t columns = model.features.size();
    for (const std::string& feature : model.features) {
        rows.table.columns.push_back(feature);
        rows.headers << QString::fromStdString(feature);
    }
    const auto found = nearest_rows(model.centres, point, kMostNearest);
    for (const Neighbour& one : found) {
        std::vector<std::string> cells{distance_text(one.distance)};
        for (std::size_t c = 0; c < columns; ++c) {
            const double scaled = static_cast<double>(model.centres[one.row * columns + c]);
            const double scale = static_cast<double>(model.scaler.scale[c]);
            // A feature that training found constant has no scale: the scaler makes it 0.
            cells.push_back(fmt::format("{:.4g}", static_cast<double>(model.scaler.mean[c]) + (scale > 0 ? scaled / scale : 0.0)));
        }
        rows.table.rows.push_back(std::move(cells));
        rows.table.lines.push_back(static_cast<int>(one.row) + 1);
    }
    nearest.searched = found.size();
    nearest.rows.rows = std::make_shared<const Rows>(std::move(rows));
}

}  // namespace

QString measured_folder() {
    const QString named = QSettings().value(QStringLiteral("measuredFolder")).toString();
    if (!named.isEmpty() && QDir(named).exists()) return named;
    const QString shared = qEnvironmentVariable("SYNPERF_SHARED");
    if (shared.isEmpty()) return {};
    const QString data = shared + QStringLiteral("/data");
    return QDir(data).exists() ? data : QString();
}

void set_measured_folder(const QString& folder) { QSettings().setValue(QStringLiteral("measuredFolder"), folder); }

Result<NearestMeasured> nearest_measured(const Scenario& scenario, std::shared_ptr<const Engine> engine, const QString& folder, std::shared_ptr<const MeasuredTables> kept,
                                         const BackgroundWork::Progress& progress, const std::stop_token& stop) {
    const auto call = engine->predictor.prepare(*scenario.family, scenario.params, scenario.gpu, stop);
    if (!call) return tl::unexpected(call.error());
    if (call->model == nullptr) return failure("this answer comes from the analysis alone: no measured row is behind it");
    const LearnedModel& model = *call->model;
    NearestMeasured nearest;
    nearest.model = QString::fromStdString(model.name);
    nearest.features = model.features.size();
    if (folder.isEmpty()) {
        rows_of_model(nearest, model, call->features);
        return nearest;
    }
    if (!kept || kept->model != &model || kept->folder != folder) {
        auto read = read_tables(folder, model, *engine, progress, stop);
        if (!read) return tl::unexpected(read.error());
        kept = std::move(*read);
    }
    nearest.from_tables = true;
    rows_from_tables(nearest, *kept, call->features);
    nearest.kept = std::move(kept);
    return nearest;
}

}  // namespace synperf::ui
