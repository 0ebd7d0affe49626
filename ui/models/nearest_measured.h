// What was measured near a call: rows of the measured tables where the user has them, else what the model itself kept.
#pragma once

#include "models/background_work.h"
#include "models/document.h"
#include "models/sourced_rows.h"
#include "training/measured_rows.h"

namespace synperf::ui {

inline constexpr std::size_t kMostNearest = 200;

/// Folder of measured tables: what the user named, else $SYNPERF_SHARED/data, else empty.
[[nodiscard]] QString measured_folder();
void set_measured_folder(const QString& folder);

/// The measured rows that a model answers for, read once and kept for the next question about the same model.
struct MeasuredTables {
    QString folder;
    std::shared_ptr<const ModelSet> models;  ///< that `model` is of
    const LearnedModel* model = nullptr;
    struct Table {
        std::shared_ptr<const CsvTable> rows;
        std::vector<float> scaled;
    };
    std::vector<Table> tables;
};

struct NearestMeasured {
    QString model;
    std::size_t features = 0;
    bool from_tables = false;  ///< else: centres of the training rows, which the model keeps
    std::size_t searched = 0;  ///< rows or centres
    SourcedRows rows;          ///< nearest first; centres have no source
    std::shared_ptr<const MeasuredTables> kept;
};

/// Off the GUI thread. `folder` is empty for the model's own centres. Fails with one line where no model answers the scenario, or the folder
/// has no such rows.
[[nodiscard]] Result<NearestMeasured> nearest_measured(const Scenario& scenario, std::shared_ptr<const Engine> engine, const QString& folder,
                                                       std::shared_ptr<const MeasuredTables> kept, const BackgroundWork::Progress& progress, const std::stop_token& stop);

}  // namespace synperf::ui
