// The measured tables that a training would learn from, each read and looked through off the GUI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/background_work.h"
#include "training/retrain.h"
#include "views/table_data.h"

namespace synperf::ui {

class TrainingData : public QObject {
    Q_OBJECT
public:
    explicit TrainingData(const Engine& engine, QObject* parent = nullptr);

    struct File {
        QString path;
        std::shared_ptr<const CsvTable> table;
        TableSummary summary;
    };
    /// Files that can be learned from are listed when they are read; each other one is one `refused`.
    void add(const QStringList& files);
    void remove(std::size_t at);
    [[nodiscard]] bool reading() const { return work_.busy() || !waiting_.isEmpty(); }
    [[nodiscard]] const std::vector<File>& files() const { return files_; }
    [[nodiscard]] std::vector<std::shared_ptr<const CsvTable>> tables() const;
    /// Rows of all files by model.
    [[nodiscard]] std::map<std::string, std::size_t> models() const;
    /// What is listed: file, rows, models, what can not be used.
    [[nodiscard]] TableData listed() const;

signals:
    void changed();
    void refused(const QString& why);

private:
    void readNext();

    const Engine& engine_;
    std::vector<File> files_;
    QStringList waiting_;
    BackgroundWork work_;
};

}  // namespace synperf::ui
