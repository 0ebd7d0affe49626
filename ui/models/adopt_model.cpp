#include "models/adopt_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
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

    // Fails where there is a file that can not be read: it could not be put back.
    static Result<KeptFile> read(const std::filesystem::path& file) {
        KeptFile kept{QString::fromStdString(file.string()), {}};
        if (!QFileInfo::exists(kept.path)) return kept;
        QFile old(kept.path);
        if (!old.open(QIODevice::ReadOnly)) return tl::unexpected(Error{"can not be read, so it is not replaced: " + old.errorString().toStdString(), {}, file.string()});
        kept.before = old.readAll();
        return kept;
    }
    [[nodiscard]] Result<void> restore() const {
        if (!before) {
            if (!QFileInfo::exists(path) || QFile::remove(path)) return {};
            return tl::unexpected(Error{"can not be removed", {}, path.toStdString()});
        }
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly) && file.write(*before) == before->size() && file.commit()) return {};
        return tl::unexpected(Error{"can not be put back as it was: " + file.errorString().toStdString(), {}, path.toStdString()});
    }
};

// All of them, whatever fails; the first failure.
Result<void> restore(const std::vector<KeptFile>& kept) {
    Result<void> restored;
    for (const KeptFile& file : kept) {
        if (auto done = file.restore(); !done && restored) restored = std::move(done);
    }
    return restored;
}

// The page beside a model file.
std::filesystem::path card_of(std::filesystem::path file) { return file.replace_extension(".md"); }

Result<void> write_kept(const LearnedModel& model) {
    if (auto written = model.write(model.file); !written) return written;
    return write_model_card(model, card_of(model.file));
}

class AdoptCommand : public QUndoCommand {
public:
    AdoptCommand(Engine& engine, std::shared_ptr<const LearnedModel> model, std::vector<KeptFile> kept, ModelsChanged changed)
        : QUndoCommand(Adopting::tr("model %1").arg(QString::fromStdString(model->name))),
          engine_(engine),
          before_(engine.predictor.shared_models()),
          after_(with_model(*before_, model)),
          model_(std::move(model)),
          kept_(std::move(kept)),
          changed_(std::move(changed)) {}

    void redo() override {
        // The first time it was written before, when a failure could still be told.
        Result<void> written;
        if (again_ && !kept_.empty()) written = write_kept(*model_);
        again_ = true;
        exchange(after_, written);
    }
    void undo() override { exchange(before_, restore(kept_)); }

private:
    void exchange(const std::shared_ptr<const ModelSet>& models, const Result<void>& files) {
        engine_.predictor = Predictor(engine_.predictor.calibration(), models);
        changed_(files);
    }
    Engine& engine_;
    std::shared_ptr<const ModelSet> before_, after_;
    std::shared_ptr<const LearnedModel> model_;
    std::vector<KeptFile> kept_;  // empty: for the session
    ModelsChanged changed_;
    bool again_ = false;
};

}  // namespace

Result<void> adopt_model(Engine& engine, QUndoStack& undo, std::shared_ptr<const LearnedModel> model, const std::filesystem::path& folder, ModelsChanged changed) {
    std::vector<KeptFile> kept;
    if (!folder.empty()) {
        LearnedModel copy = *model;
        copy.file = folder / (model->name + ".model");
        for (const std::filesystem::path& file : {copy.file, card_of(copy.file)}) {
            auto before = KeptFile::read(file);
            if (!before) return tl::unexpected(before.error());
            kept.push_back(std::move(*before));
        }
        if (!QDir().mkpath(QString::fromStdString(folder.string()))) return tl::unexpected(Error{"the folder can not be made", {}, folder.string()});
        if (auto written = write_kept(copy); !written) {
            if (auto restored = restore(kept); !restored) return restored;
            return written;
        }
        model = std::make_shared<const LearnedModel>(std::move(copy));
    }
    undo.push(new AdoptCommand(engine, std::move(model), std::move(kept), std::move(changed)));
    return {};
}

}  // namespace synperf::ui
