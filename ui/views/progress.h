// What a long work shows while it runs.
#pragma once

#include "models/background_work.h"

namespace synperf::ui {

/// A dialog with a bar and a cancel button over `parent` once `work`, which was just begun, takes longer.
void showProgress(BackgroundWork& work, const QString& text, QWidget* parent);

}  // namespace synperf::ui
