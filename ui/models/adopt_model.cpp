#include "models/adopt_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QUndoCommand>
#include <optional>
#include <vector>

#include "training/model_card.h"
#include "training/retrain.h"

namespace synperf::ui {

namespace {

class Adopting {
    Q_DECLARE_TR_FUNCTIONS(Adopting)
};

// A file that adopting for good overwrites, as it was.
struct KeptFile {
    QString path;
    std::optional<QByteArray> before;  // none: there was no file

    explicit KeptFile(const std::filesystem::path& file) : path(QString::fromStdString(file.string())) {
        if (QFile old(path); old.open(QIODevice::ReadOnly)) before = old.readAll();
    }
    void restore() const {
        if (!before) {
            QFile::remove(path);
            return;
        }
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly) && file.write(*before) == before->size()) file.commit();
    }
};

// The page beside a model file.
std::filesystem::path card_of(std::filesystem::path file) { return file.replace_extension(".md"); }

Result<void> write_kept(const LearnedModel& model) {
    if (auto written = model.write(model.file); !written) return written;
    return write_model_card(model, card_of(model.file));
}

class AdoptCommand : public QUndoCommand {
public:
    AdoptCommand(Engine& engine, std::shared_ptr<const LearnedModel> model, std::vector<KeptFile> kept, std::function<void()> changed)
        : QUndoCommand(Adopting::tr("model %1").arg(QString::fromStdString(model->name))),
          engine_(engine),
          before_(engine.predictor.shared_models()),
          after_(with_model(*before_, model)),
          model_(std::move(model)),
          kept_(std::move(kept)),
          changed_(std::move(changed)) {}

    void redo() override {
        // The first time it was written before, when a failure could still be told.
        if (again_ && !kept_.empty()) static_cast<void>(write_kept(*model_));
        again_ = true;
        exchange(after_);
    }
    void undo() override {
        for (const KeptFile& file : kept_) file.restore();
        exchange(before_);
    }

private:
    void exchange(const std::shared_ptr<const ModelSet>& models) {
        engine_.predictor = Predictor(engine_.predictor.calibration(), models);
        changed_();
    }
    Engine& engine_;
    std::shared_ptr<const ModelSet> before_, after_;
    std::shared_ptr<const LearnedModel> model_;
    std::vector<KeptFile> kept_;  // empty: for the session
    std::function<void()> changed_;
    bool again_ = false;
};

}  // namespace

Result<void> adopt_model(Engine& engine, QUndoStack& undo, std::shared_ptr<const LearnedModel> model, const std::filesystem::path& folder, std::function<void()> changed) {
    std::vector<KeptFile> kept;
    if (!folder.empty()) {
        LearnedModel copy = *model;
        copy.file = folder / (model->name + ".model");
        kept = {KeptFile(copy.file), KeptFile(card_of(copy.file))};
        if (!QDir().mkpath(QString::fromStdString(folder.string()))) return tl::unexpected(Error{"the folder can not be made", {}, folder.string()});
        if (auto written = write_kept(copy); !written) {
            for (const KeptFile& file : kept) file.restore();
            return written;
        }
        model = std::make_shared<const LearnedModel>(std::move(copy));
    }
    undo.push(new AdoptCommand(engine, std::move(model), std::move(kept), std::move(changed)));
    return {};
}

}  // namespace synperf::ui
