// A scenario as the command line that predicts it, and back.
#pragma once

#include <QString>
#include <QStringList>

#include "models/document.h"

namespace synperf::ui {

/// "synperf predict gemm --gpu H100-SXM5-80GB -p m=4096 ..."; values that the user edited in the GPU follow as
/// "--set bandwidth_gbps=4000"; "--analytical" where no learned model may answer. Parameters left automatic are left out. Quoted for a POSIX shell.
[[nodiscard]] QString command_line(const Scenario& scenario, const Engine& engine);

/// Why the line alone does not give this scenario's prediction, for people; empty where it does.
[[nodiscard]] QString command_line_caveat(const Scenario& scenario, const Engine& engine);

/// Understands what `command_line` writes and what a user types: `predict` or `timeline`, quotes, "\" line ends,
/// --gpu=ID,
/// --param; output options are skipped. The measured time stays where kernel, GPU and parameters do.
[[nodiscard]] Result<Scenario> scenario_from_command_line(const QString& line, const Scenario& now,
                                                          const Engine& engine);

/// One word of a POSIX shell line, in single quotes where it needs any.
[[nodiscard]] QString shell_quoted(const QString& word);

/// Words of a POSIX shell line, without expansions.
[[nodiscard]] Result<QStringList> split_shell_words(const QString& line);

}  // namespace synperf::ui
