// Recovery after a crash: the session is kept in the program's data folder while it has unsaved changes.
#pragma once

#include <QByteArray>
#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

namespace synperf::ui {

/// What a run that did not end cleanly left behind.
struct Recovery {
    QString file;
    QString saved_at;  ///< local time, for people
    QByteArray session;
};

class Autosave : public QObject {
    Q_OBJECT
public:
    static constexpr int kWriteAfterMs = 3000;

    /// `contents` is asked for the session when it is time to write. `folder` is made when needed.
    Autosave(QString folder, std::function<QByteArray()> contents, QObject* parent = nullptr);
    /// A clean end removes what was kept.
    ~Autosave() override;

    /// The newest recovery file whose program no longer runs.
    [[nodiscard]] std::optional<Recovery> find() const;
    /// Forgets a recovery once it was restored or refused.
    void discard(const Recovery& recovery) const;

    void noteChange();  ///< writes a few seconds later
    void noteSaved();   ///< nothing to recover any more
    bool writeNow();    ///< whether it is written

    [[nodiscard]] static QString defaultFolder();

private:
    bool lock();

    QString folder_, file_;
    std::function<QByteArray()> contents_;
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
};

}  // namespace synperf::ui
