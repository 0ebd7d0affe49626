#include "models/autosave.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

#include "models/session_file.h"

namespace synperf::ui {

namespace {

const QString kEnding = QStringLiteral(".recovery");
const QString kLockEnding = QStringLiteral(".lock");

}  // namespace

Autosave::Autosave(QString folder, std::function<QByteArray()> contents, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), contents_(std::move(contents)) {
    file_ = folder_ + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) + kEnding;
    timer_.setSingleShot(true);
    timer_.setInterval(kWriteAfterMs);
    connect(&timer_, &QTimer::timeout, this, &Autosave::writeNow);
}

Autosave::~Autosave() {
    noteSaved();
}

QString Autosave::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/recovery");
}

// The lock tells a crashed program's file from that of one that still runs.
bool Autosave::lock() {
    if (lock_) return lock_->isLocked();
    if (!QDir().mkpath(folder_)) return false;
    lock_ = std::make_unique<QLockFile>(file_ + kLockEnding);
    lock_->setStaleLockTime(0);
    return lock_->tryLock(0);
}

void Autosave::noteChange() {
    if (!timer_.isActive()) timer_.start();
}

void Autosave::noteSaved() {
    timer_.stop();
    QFile::remove(file_);
    lock_.reset();
}

bool Autosave::writeNow() {
    timer_.stop();
    if (!lock()) return false;
    const QByteArray bytes = contents_();
    QSaveFile file(file_);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

std::optional<Recovery> Autosave::find() const {
    const QFileInfoList files = QDir(folder_).entryInfoList({QLatin1Char('*') + kEnding}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        if (info.absoluteFilePath() == QFileInfo(file_).absoluteFilePath() || info.size() > kMaxSessionBytes) continue;
        // Locking succeeds where the owner is gone. The lock is given back at once; discard() removes the file.
        QLockFile owner(info.absoluteFilePath() + kLockEnding);
        owner.setStaleLockTime(0);
        if (!owner.tryLock(0)) continue;
        QFile file(info.absoluteFilePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        return Recovery{info.absoluteFilePath(), QLocale().toString(info.lastModified(), QLocale::ShortFormat),
                        file.readAll()};
    }
    return std::nullopt;
}

void Autosave::discard(const Recovery& recovery) const {
    QFile::remove(recovery.file);
}

}  // namespace synperf::ui
