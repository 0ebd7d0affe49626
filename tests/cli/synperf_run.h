// Running the real synperf command, in a configuration folder of the test's own.
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace synperf::test {

struct Run {
    int exit = -1;  ///< -1: it did not start, crashed or hung
    QString out, err;

    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

/// The command with the specs of the source tree and a scratch folder for files and the user's specs.
class Synperf {
public:
    [[nodiscard]] Run run(const QStringList& arguments) const {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", folder_.path());
        environment.insert("SYNPERF_SPECS", QString(SYNPERF_SOURCE_DIR) + "/specs");
        process.setProcessEnvironment(environment);
        process.start(SYNPERF_COMMAND, arguments);
        if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit) return {};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    /// Writes a file into the scratch folder and returns its path.
    [[nodiscard]] QString write(const QString& name, const QByteArray& bytes) const {
        QDir(folder_.path()).mkpath(QFileInfo(name).path());
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return file.fileName();
    }
    /// The bytes of a file that the command wrote.
    [[nodiscard]] static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    QTemporaryDir folder_;
};

}  // namespace synperf::test

/// The command refused: `code`, one line on stderr that holds `words`, nothing on stdout.
#define VERIFY_REFUSED(answer, code, words)                                       \
    do {                                                                          \
        const synperf::test::Run refused_ = (answer);                             \
        QVERIFY2(refused_.err.contains(words), qPrintable(refused_.err));         \
        QCOMPARE(refused_.exit, code);                                            \
        QCOMPARE(refused_.out, QString());                                        \
        QVERIFY2(refused_.err.startsWith("synperf: "), qPrintable(refused_.err)); \
        QVERIFY2(refused_.err.endsWith('\n'), qPrintable(refused_.err));          \
        QCOMPARE(refused_.err.count('\n'), 1);                                    \
    } while (false)
