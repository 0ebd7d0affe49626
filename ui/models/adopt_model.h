// Taking a trained model into use, as one undo step.
#pragma once

#include <QUndoStack>
#include <filesystem>
#include <functional>
#include <memory>

#include "prediction/engine.h"

namespace synperf::ui {

/// Called after each exchange of models, with what became of their files.
using ModelsChanged = std::function<void(const Result<void>& files)>;

/// The engine's predictor answers with `model` from now on; undo goes back to the models before. With a `folder` the model is written there
/// too, as NAME.model with its card beside it, NAME.md, and undo puts back what was in those files. Fails with one line where a file that is there can not
/// be read or the new one not be written; nothing has changed then.
[[nodiscard]] Result<void> adopt_model(Engine& engine, QUndoStack& undo, std::shared_ptr<const LearnedModel> model, const std::filesystem::path& folder,
                                       ModelsChanged changed);

}  // namespace synperf::ui
