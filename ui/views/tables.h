// The table twins of the pictures.
#pragma once

#include "views/scene.h"
#include "views/table_data.h"

namespace synperf::ui {

/// One row a task, in launch order, phase by phase.
[[nodiscard]] TableData taskTable(ScenePtr scene);
/// One row an SM: busy share of each pipe, tasks, end.
[[nodiscard]] TableData pipeTable(ScenePtr scene);
/// One row an SM, one column a stretch of `range`: share of the pipe's peak, exact over each stretch.
[[nodiscard]] TableData activityTable(ScenePtr scene, Pipe pipe, TimeRange range, int stretches);

}  // namespace synperf::ui
