#include "models/adopt_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QUndoCommand>
#include <optional>

#include "training/retrain.h"

namespace synperf::ui {

namespace {

class Adopting {
    Q_DECLARE_TR_FUNCTIONS(Adopting)
};

class AdoptCommand : public QUndoCommand {
public:
    AdoptCommand(Engine& engine, std::shared_ptr<const LearnedModel> model, std::filesystem::path kept_in, std::optional<QByteArray> file_before,
                 std::function<void()> changed)
        : QUndoCommand(Adopting::tr("model %1").arg(QString::fromStdString(model->name))),
          engine_(engine),
          before_(engine.predictor.shared_models()),
          after_(with_model(*before_, model)),
          model_(std::move(model)),
          kept_in_(std::move(kept_in)),
          file_before_(std::move(file_before)),
          changed_(std::move(changed)) {}

    void redo() override {
        // The first time it was written before, when a failure could still be told.
        if (again_ && !kept_in_.empty()) static_cast<void>(model_->write(kept_in_));
        again_ = true;
        exchange(after_);
    }
    void undo() override {
        if (!kept_in_.empty()) restoreFile();
        exchange(before_);
    }

private:
    void exchange(const std::shared_ptr<const ModelSet>& models) {
        engine_.predictor = Predictor(engine_.predictor.calibration(), models);
        changed_();
    }
    void restoreFile() const {
        const QString path = QString::fromStdString(kept_in_.string());
        if (!file_before_) {
            QFile::remove(path);
            return;
        }
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly) && file.write(*file_before_) == file_before_->size()) file.commit();
    }

    Engine& engine_;
    std::shared_ptr<const ModelSet> before_, after_;
    std::shared_ptr<const LearnedModel> model_;
    std::filesystem::path kept_in_;  // empty: for the session
    std::optional<QByteArray> file_before_;
    std::function<void()> changed_;
    bool again_ = false;
};

}  // namespace

Result<void> adopt_model(Engine& engine, QUndoStack& undo, std::shared_ptr<const LearnedModel> model, const std::filesystem::path& folder, std::function<void()> changed) {
    std::optional<QByteArray> before;
    std::filesystem::path kept_in;
    if (!folder.empty()) {
        LearnedModel kept = *model;
        kept.file = folder / (model->name + ".model");
        const QString path = QString::fromStdString(kept.file.string());
        if (QFile file(path); file.open(QIODevice::ReadOnly)) before = file.readAll();
        if (!QDir().mkpath(QString::fromStdString(folder.string()))) return tl::unexpected(Error{"the folder can not be made", {}, folder.string()});
        if (auto written = kept.write(kept.file); !written) return written;
        kept_in = kept.file;
        model = std::make_shared<const LearnedModel>(std::move(kept));
    }
    undo.push(new AdoptCommand(engine, std::move(model), std::move(kept_in), std::move(before), std::move(changed)));
    return {};
}

}  // namespace synperf::ui
