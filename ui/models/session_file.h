// A session as one versioned JSON file: scenario, pins, view settings, and which program made its numbers.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <optional>

#include "models/document.h"

namespace synperf::ui {

inline constexpr int kSessionVersion = 3;  ///< 1 had no "serving", 2 neither "compare" nor "cost"
inline constexpr qint64 kMaxSessionBytes = 8 << 20;  ///< a larger file is refused unread
inline const QString kSessionEnding = QStringLiteral("synperf");

/// What a session file holds.
struct Session {
    Scenario scenario;
    std::vector<Pin> pins;               ///< without explanations: they are computed again
    std::optional<ServingInputs> serving{};  ///< what an older version does not have is as at a fresh start
    std::optional<CompareInputs> compare{};  ///< the same
    std::optional<CostInputs> cost{};
    QJsonObject view;                    ///< the window's own settings: time unit, pipe, swept parameter
    std::optional<double> predicted_us;  ///< what the program that saved it predicted
    QString program;                     ///< version of that program
    int version = kSessionVersion;       ///< of the file

    [[nodiscard]] bool newer() const { return version > kSessionVersion; }
};

struct OpenedSession {
    Session session;
    QStringList left_out;  ///< what was not understood of a newer version, or is no longer there, one line each
};

[[nodiscard]] QByteArray write_session(const Session& session);
/// `file` is for messages. A file of this version must be right in every field; of a newer one, what is understood is
/// taken.
[[nodiscard]] Result<OpenedSession> parse_session(const QByteArray& bytes, const QString& file, const Engine& engine);
[[nodiscard]] Result<OpenedSession> open_session(const QString& file, const Engine& engine);
/// Atomically: the old file stays whole until the new one is.
[[nodiscard]] Result<void> save_session(const QString& file, const Session& session);

}  // namespace synperf::ui
