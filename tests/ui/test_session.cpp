#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>

#include "models/autosave.h"
#include "models/session_file.h"
#include "ui_fixture.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

Session full_session() {
    Session session;
    session.scenario = with_gpu_field(gemm_on("H100-SXM5-80GB"), GpuField::bandwidth_gbps, 3333.25);
    session.scenario.params.values[param_index(session.scenario.family->schema(), "m")] = std::int64_t{4097};
    session.scenario.measured_us = 190.25;
    Scenario attention = gemm_on("A100-SXM4-80GB");
    attention.family = *test_engine().kernels.find("rmsnorm");
    attention.params = default_params(attention.family->schema());
    session.pins = {{QStringLiteral("A"), attention, nullptr},
                    {QStringLiteral("B, \"quoted\" \u4e2d"), gemm_on("L4"), nullptr}};
    session.view = {{QStringLiteral("pipe"), QStringLiteral("dram")},
                    {QStringLiteral("time_unit"), QStringLiteral("cycles")}};
    session.predicted_us = 186.4;
    session.program = QStringLiteral("9.8.7");
    return session;
}

QJsonObject as_json(const QByteArray& bytes) {
    return QJsonDocument::fromJson(bytes).object();
}
QByteArray as_bytes(const QJsonObject& object) {
    return QJsonDocument(object).toJson();
}

// `object` with the value at a dotted path replaced; an undefined value removes the key.
QJsonObject with(QJsonObject object, const QString& path, const QJsonValue& value) {
    const QString key = path.section(QLatin1Char('.'), 0, 0), rest = path.section(QLatin1Char('.'), 1);
    if (!rest.isEmpty()) {
        object.insert(key, with(object.value(key).toObject(), rest, value));
    } else if (value.isUndefined()) {
        object.remove(key);
    } else {
        object.insert(key, value);
    }
    return object;
}

Result<OpenedSession> parse(const QByteArray& bytes) {
    return parse_session(bytes, QStringLiteral("study.synperf"), test_engine());
}

}  // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void aSavedSessionReopensIdentical() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.synperf"));
        const Session saved = full_session();
        QVERIFY(save_session(file, saved).has_value());
        const Result<OpenedSession> opened = open_session(file, test_engine());
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().to_string().c_str());
        QVERIFY(opened->left_out.isEmpty());
        const Session& session = opened->session;
        QCOMPARE(write_session(session), write_session(saved));
        QVERIFY(session.scenario.params == saved.scenario.params);
        for (const GpuFieldInfo& field : gpu_fields()) {
            const double a = session.scenario.gpu[field.field], b = saved.scenario.gpu[field.field];
            QVERIFY2(a == b || (std::isnan(a) && std::isnan(b)), std::string(field.key).c_str());
        }
        QCOMPARE(session.scenario.edited_from, std::string("H100-SXM5-80GB"));
        QVERIFY(session.scenario.gpu.origin == SpecOrigin::user);
        QCOMPARE(session.scenario.measured_us, saved.scenario.measured_us);
        QCOMPARE(session.pins.size(), std::size_t{2});
        QCOMPARE(session.pins[1].name, saved.pins[1].name);
        QVERIFY(session.pins[1].scenario.gpu.origin == SpecOrigin::shipped);
        QCOMPARE(session.view, saved.view);
        QCOMPARE(session.program, QStringLiteral("9.8.7"));
        QCOMPARE(session.predicted_us, saved.predicted_us);
    }

    void aNewerVersionOpensWhatIsUnderstoodAndListsTheRest() {
        QJsonObject root = as_json(write_session(full_session()));
        root = with(root, QStringLiteral("version"), kSessionVersion + 1);
        root = with(root, QStringLiteral("comparisons"), QJsonArray{1, 2});
        root = with(root, QStringLiteral("scenario.params.clusters"), 4);
        root = with(root, QStringLiteral("scenario.mood"), QStringLiteral("good"));
        const Result<OpenedSession> opened = parse(as_bytes(root));
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().to_string().c_str());
        QVERIFY(opened->session.newer());
        QCOMPARE(opened->left_out.size(), 3);
        QVERIFY(opened->session.scenario.params == full_session().scenario.params);
        QCOMPARE(opened->session.pins.size(), std::size_t{2});
    }

    void aNewerKernelLeavesTheGpuAndThePins() {
        QJsonObject root = as_json(write_session(full_session()));
        root = with(root, QStringLiteral("version"), kSessionVersion + 1);
        root = with(root, QStringLiteral("scenario.kernel"), QStringLiteral("ring_attention"));
        const Result<OpenedSession> opened = parse(as_bytes(root));
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().to_string().c_str());
        QCOMPARE(opened->session.scenario.gpu.id, full_session().scenario.gpu.id);
        QVERIFY(opened->session.scenario.family != nullptr);
        QCOMPARE(opened->session.pins.size(), std::size_t{2});
        QVERIFY(opened->left_out.join(QLatin1Char(' ')).contains(QLatin1String("ring_attention")));
    }

    void theSameKeysInAFileOfThisVersionAreErrors() {
        const QJsonObject root =
            with(as_json(write_session(full_session())), QStringLiteral("comparisons"), QJsonArray{});
        QVERIFY(!parse(as_bytes(root)).has_value());
    }

    void aBadFieldIsNamedWithTheFile_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QJsonValue>("value");
        const QJsonValue gone(QJsonValue::Undefined);
        QTest::newRow("format") << QStringLiteral("format") << QJsonValue(QStringLiteral("other"));
        QTest::newRow("version 0") << QStringLiteral("version") << QJsonValue(0);
        QTest::newRow("version text") << QStringLiteral("version") << QJsonValue(QStringLiteral("1"));
        QTest::newRow("version 1.5") << QStringLiteral("version") << QJsonValue(1.5);
        QTest::newRow("scenario") << QStringLiteral("scenario") << gone;
        QTest::newRow("kernel") << QStringLiteral("scenario.kernel") << QJsonValue(QStringLiteral("fft"));
        QTest::newRow("params") << QStringLiteral("scenario.params") << QJsonValue(QJsonArray{});
        QTest::newRow("n zero") << QStringLiteral("scenario.params.n") << QJsonValue(0);
        QTest::newRow("m fraction") << QStringLiteral("scenario.params.m") << QJsonValue(1.5);
        QTest::newRow("m huge") << QStringLiteral("scenario.params.m") << QJsonValue(1e300);
        QTest::newRow("m object") << QStringLiteral("scenario.params.m") << QJsonValue(QJsonObject{});
        QTest::newRow("gpu") << QStringLiteral("scenario.gpu") << gone;
        QTest::newRow("measured") << QStringLiteral("scenario.measured_us") << QJsonValue(-1);
        QTest::newRow("pins") << QStringLiteral("pins") << QJsonValue(7);
    }
    void aBadFieldIsNamedWithTheFile() {
        QFETCH(QString, path);
        QFETCH(QJsonValue, value);
        const Result<OpenedSession> opened = parse(as_bytes(with(as_json(write_session(full_session())), path, value)));
        QVERIFY(!opened.has_value());
        const QString message = QString::fromStdString(opened.error().to_string());
        QVERIFY2(message.startsWith(QStringLiteral("study.synperf: ") + path), qPrintable(message));
        QVERIFY(!message.contains(QLatin1Char('\n')));
    }

    void hostileBytesGiveOneLineAndNoCrash_data() {
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray good = write_session(full_session());
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not JSON") << QByteArray("hello");
        QTest::newRow("array") << QByteArray("[1]");
        QTest::newRow("cut off") << good.left(good.size() / 2);
        QTest::newRow("NaN") << QByteArray(good).replace("190.25", "NaN");
        QTest::newRow("deep") << QByteArray(200000, '[');
        QTest::newRow("large") << QByteArray(kMaxSessionBytes + 1, ' ');
        QTest::newRow("zeros") << QByteArray(4096, '\0');
        QJsonArray many;
        for (int i = 0; i < 1000; ++i) many.append(QJsonObject{});
        QTest::newRow("1000 pins") << as_bytes(with(as_json(good), QStringLiteral("pins"), many));
    }
    void hostileBytesGiveOneLineAndNoCrash() {
        QFETCH(QByteArray, bytes);
        const Result<OpenedSession> opened = parse(bytes);
        QVERIFY(!opened.has_value());
        QVERIFY(opened.error().to_string().starts_with("study.synperf"));
        QVERIFY(opened.error().to_string().find('\n') == std::string::npos);
    }

    void bomAndCrlfAreAccepted() {
        const QByteArray bytes = QByteArray("\xef\xbb\xbf") + write_session(full_session()).replace("\n", "\r\n");
        QVERIFY(parse(bytes).has_value());
    }

    void everyPrefixOfASessionIsRefused() {
        const QByteArray good = write_session(full_session()).trimmed();
        for (qsizetype size = 0; size < good.size(); size += 97) QVERIFY(!parse(good.left(size)).has_value());
    }

    void savingWhereOneMayNotSaysSo() {
        const Result<void> saved = save_session(QStringLiteral("/nonexistent/folder/a.synperf"), full_session());
        QVERIFY(!saved.has_value());
        QVERIFY(saved.error().to_string().starts_with("/nonexistent/folder/a.synperf"));
    }

    void aCrashLeavesARecoveryAndACleanEndDoesNot() {
        const QTemporaryDir folder;
        const QByteArray bytes = write_session(full_session());
        {
            Autosave running(folder.path(), [&] { return bytes; });
            running.writeNow();
            // Another window of a program that still runs finds nothing to recover.
            QVERIFY(!Autosave(folder.path(), [] { return QByteArray(); }).find().has_value());
        }
        QVERIFY(!Autosave(folder.path(), [] { return QByteArray(); }).find().has_value());

        // What a crashed program leaves: its file, and a lock that nobody holds.
        QFile left(folder.filePath(QStringLiteral("crashed.recovery")));
        QVERIFY(left.open(QIODevice::WriteOnly));
        left.write(bytes);
        left.close();
        const Autosave next(folder.path(), [] { return QByteArray(); });
        const std::optional<Recovery> recovery = next.find();
        QVERIFY(recovery.has_value());
        QVERIFY(parse(recovery->session).has_value());
        next.discard(*recovery);
        QVERIFY(!next.find().has_value());
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "test_session.moc"
