#include "models/training_data.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <algorithm>

#include "models/batch_rows.h"

namespace synperf::ui {

TrainingData::TrainingData(const Engine& engine, QObject* parent) : QObject(parent), engine_(engine), work_(this) {}

void TrainingData::add(const QStringList& files) {
    for (const QString& file : files) {
        const QString path = QFileInfo(file).absoluteFilePath();
        const bool known = std::ranges::any_of(files_, [&](const File& one) { return one.path == path; });
        if (!known && !waiting_.contains(path)) waiting_ << path;
    }
    if (!work_.busy()) readNext();
}

void TrainingData::remove(std::size_t at) {
    if (at >= files_.size()) return;
    files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(at));
    emit changed();
}

void TrainingData::readNext() {
    if (waiting_.isEmpty()) return;
    const QString path = waiting_.takeFirst();
    work_.run(
        [path, engine = engine_snapshot(engine_, {})](const BackgroundWork::Progress&, const std::stop_token& stop) -> Result<File> {
            const std::string name = path.toStdString();
            auto table = read_csv(name);
            if (!table) return tl::unexpected(table.error());
            auto summary = summarise_table(*table, *engine, stop);
            if (!summary) return tl::unexpected(Error{summary.error().message, summary.error().field, name});
            return File{path, std::make_shared<const CsvTable>(std::move(*table)), std::move(*summary)};
        },
        [this](const Result<File>& file) {
            if (file) {
                files_.push_back(*file);
            } else {
                emit refused(QString::fromStdString(file.error().to_string()));
            }
            readNext();
            emit changed();
        });
    emit changed();
}

std::vector<std::shared_ptr<const CsvTable>> TrainingData::tables() const {
    std::vector<std::shared_ptr<const CsvTable>> tables;
    for (const File& file : files_) tables.push_back(file.table);
    return tables;
}

std::map<std::string, std::size_t> TrainingData::models() const {
    std::map<std::string, std::size_t> models;
    for (const File& file : files_) {
        for (const auto& [name, rows] : file.summary.models) models[name] += rows;
    }
    return models;
}

TableData TrainingData::listed() const {
    TableData table;
    table.title = tr("Measured tables");
    table.headers = {tr("File"), tr("Rows"), tr("For models"), tr("Rows that can not be used")};
    table.columns = {"file", "rows", "models", "unusable"};
    table.rows = static_cast<qint64>(files_.size());
    table.cell = [files = files_](qint64 row, int column) -> QVariant {
        const File& file = files[static_cast<std::size_t>(row)];
        if (column == 0) return QFileInfo(file.path).fileName();
        if (column == 1) return static_cast<qlonglong>(file.table->rows.size());
        if (column == 2) {
            QStringList names;
            for (const auto& [name, rows] : file.summary.models) names << QString::fromStdString(name);
            return names.join(QStringLiteral(", "));
        }
        if (file.summary.unusable == 0) return QString();
        return tr("%1; the first: %2").arg(file.summary.unusable).arg(QString::fromStdString(file.summary.first_problem));
    };
    return table;
}

}  // namespace synperf::ui
