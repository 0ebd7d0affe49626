// `synperf predict` of one call, and `synperf kernels`, as a person and as a program use them.
#include <QJsonArray>
#include <QRegularExpression>
#include <cmath>

#include "cli/synperf_run.h"

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

const QStringList kGemm{"predict", "gemm", "--gpu", "H100-SXM5-80GB", "-p", "m=4096", "-p", "n=4096", "-p", "k=4096"};

}  // namespace

class CliPredictTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

private slots:
    // Two ways to say one call, and two formats that run one kernel at one rate.
    void requestsWithoutKeysOfTheirOwnHaveTheirNewTokens() {
        const auto us = [this](const QStringList& more) { return synperf_.run(QStringList{"predict", "attention", "--gpu", "H100", "--json"} + more).json()["predicted_us"].toDouble(); };
        const double listed = us({"q_lengths=4096,7x31"});
        QVERIFY(listed > 0);
        QCOMPARE(us({"q_lengths=4096,7x31", "kv_lengths=4096,7x31"}), listed);
        QCOMPARE(us({"q_lengths=4096,7x31", "kv_len=16777216"}), listed);
        QCOMPARE(us({"q_lengths=4096,7x31", "dtype=fp16"}), listed);
        QCOMPARE(us({"batch=64", "q_len=128", "kv_len=128"}), us({"q_lengths=128x64"}));
    }

    void aPersonReadsTheLatencyAndWhy() {
        const Run answer = synperf_.run(kGemm);
        QCOMPARE(answer.exit, 0);
        QCOMPARE(answer.err, QString());
        QVERIFY2(QRegularExpression("^[0-9.]+ [nµm]?s  ").match(answer.out).hasMatch(), qPrintable(answer.out));
        for (const char* words :
             {"H100", "ceiling", "efficiency", "bound by", "learned model", "90 % interval", "occupancy", "waves", "why", "sum", "100.0 %"})
            QVERIFY2(answer.out.contains(words), words);
    }

    void parametersMayFollowTheFamilyOrOneAnother() {
        const QString wanted = synperf_.run(kGemm).out;
        QCOMPARE(synperf_.run({"predict", "gemm", "m=4096", "n=4096", "k=4096", "--gpu", "H100-SXM5-80GB"}).out, wanted);
        QCOMPARE(synperf_.run({"predict", "gemm", "--gpu", "H100-SXM5-80GB", "-p", "m=4096", "n=4096", "k=4096"}).out, wanted);
        const Run wrong = synperf_.run({"predict", "gemm", "--gpu", "H100-SXM5-80GB", "m"});
        QCOMPARE(wrong.exit, 2);
        QVERIFY(wrong.err.contains("name=value"));
    }

    void withoutModelsAPredictionIsAnalyticalAndHasNoInterval() {
        const QJsonObject json = synperf_.run(kGemm + QStringList{"--analytical", "--json"}).json();
        for (const char* key : {"lower_us", "upper_us", "p80_us"}) QVERIFY2(json.contains(key) && json[key].isNull(), key);
        QCOMPARE(json["confidence"].toString(), QString("analytical"));
        QVERIFY(json["provenance"].toString().contains("analytical"));
        for (const QJsonValue& part : json["parts"].toArray()) QVERIFY(part["us"].toDouble() >= 0);
    }

    void anEditedGpuIsNotTakenForTheMeasuredOne() {
        const QJsonObject measured = synperf_.run(kGemm + QStringList{"--json"}).json();
        QCOMPARE(measured["confidence"].toString(), QString("measured-range"));
        const QJsonObject edited = synperf_.run(kGemm + QStringList{"--set", "bandwidth_gbps=2000", "--json"}).json();
        QVERIFY(edited["confidence"].toString() != QString("measured-range"));
        const auto width = [](const QJsonObject& json) { return json["upper_us"].toDouble() / json["lower_us"].toDouble(); };
        QVERIFY(width(edited) > width(measured));
    }

    void aProgramReadsEveryKey_data() {
        QTest::addColumn<QStringList>("call");
        QTest::newRow("gemm") << QStringList{"gemm", "--gpu", "H100-SXM5-80GB"};
        QTest::newRow("split gemm") << QStringList{"gemm", "--gpu", "A100-SXM4-80GB", "-p", "m=64",     "-p",
                                                   "n=64", "-p",    "k=65536",        "-p", "split_k=8"};
        QTest::newRow("prefill") << QStringList{"attention", "--gpu", "L40S"};
        QTest::newRow("decode") << QStringList{"attention", "--gpu", "H20", "-p", "q_len=1", "-p", "batch=16"};
        QTest::newRow("ragged") << QStringList{"attention",           "--gpu", "A100-SXM4-80GB",      "-p",
                                               "q_lengths=4096,7x31", "-p",    "kv_lengths=4096,7x31"};
        QTest::newRow("rmsnorm") << QStringList{"rmsnorm", "--gpu", "L4"};
        QTest::newRow("silu_mul") << QStringList{"silu_mul", "--gpu", "B200-SXM-180GB"};
    }
    void aProgramReadsEveryKey() {
        QFETCH(QStringList, call);
        const Run answer = synperf_.run(QStringList{"predict"} + call + QStringList{"--json"});
        QCOMPARE(answer.err, QString());
        QCOMPARE(answer.exit, 0);
        const QJsonObject json = answer.json();
        const double predicted = json["predicted_us"].toDouble();
        QVERIFY(predicted > 0 && predicted < 1e6);
        QVERIFY(json["lower_us"].toDouble() > 0 && json["lower_us"].toDouble() <= predicted);
        QVERIFY(json["upper_us"].toDouble() >= predicted);
        QVERIFY(json["p80_us"].toDouble() > 0 && json["p80_us"].toDouble() <= predicted);
        const double ceiling = json["ceiling_us"].toDouble(), efficiency = json["efficiency"].toDouble();
        QVERIFY(ceiling > 0 && ceiling <= predicted);
        QVERIFY(efficiency > 0 && efficiency <= 1);
        QVERIFY(std::abs(ceiling / predicted - efficiency) < 1e-4);
        QVERIFY(
            (QStringList{"tensor", "fma", "xu", "smem", "l2", "dram", "launch"}.contains(json["bound"].toString())));
        QVERIFY((QStringList{"measured-range", "near", "extrapolating"}.contains(json["confidence"].toString())));
        QVERIFY(json["provenance"].toString().contains("learned model"));
        QCOMPARE(json["family"].toString(), call.first());
        QCOMPARE(json["gpu"].toString(), call.at(2));

        double sum = 0;
        for (const QJsonValue& part : json["parts"].toArray()) {
            QVERIFY(!part["label"].toString().isEmpty());
            // Only what measured kernels do better than the analysis is below 0.
            QVERIFY(part["us"].toDouble() >= 0 || part["label"].toString() == "Measured kernels are faster");
            sum += part["us"].toDouble();
        }
        // Each number is rounded to 6 significant digits.
        QVERIFY2(std::abs(sum / predicted - 1) < 1e-5, qPrintable(QString("%1 of %2").arg(sum).arg(predicted)));

        const QJsonObject launch = json["launch"].toObject();
        QVERIFY(!launch["kernel"].toString().isEmpty());
        QVERIFY(!launch["limited_by"].toString().isEmpty());
        for (const char* key :
             {"tasks", "threads", "registers_per_thread", "waves", "ctas_per_sm", "active_warps", "candidates"})
            QVERIFY2(launch[key].toDouble() > 0, key);
        double demanded = 0;
        for (const char* pipe : {"tensor", "fma", "xu", "smem", "l2", "dram"}) {
            QVERIFY2(json["demand"].toObject().contains(pipe), pipe);
            demanded += json["demand"][pipe].toDouble();
        }
        QVERIFY(demanded > 0);
        QVERIFY(!json["params"].toObject().isEmpty());
    }

    // A multiply-add of every (m, n, k): what the tensor pipe is asked for, padding of the tiles aside, which 4096 does
    // not need.
    void theDemandIsThatOfTheShape() {
        const QJsonObject json =
            synperf_.run(kGemm + QStringList{"--json", "-p", "tile_m=128", "-p", "tile_n=128", "-p", "tile_k=64"})
                .json();
        QCOMPARE(json["demand"]["tensor"].toDouble(), 2.0 * 4096 * 4096 * 4096);
        QCOMPARE(json["launch"]["tasks"].toInt(), 32 * 32);
        QCOMPARE(json["params"]["tile_m"].toInt(), 128);
    }

    void setEditsTheGpuForThisCallOnly() {
        const double before = synperf_.run(kGemm + QStringList{"--json"}).json()["predicted_us"].toDouble();
        const Run edited =
            synperf_.run(kGemm + QStringList{"--json", "--set", "sm_or_cu=66", "--set", "bandwidth_gbps=1000"});
        QCOMPARE(edited.exit, 0);
        QVERIFY(edited.json()["predicted_us"].toDouble() > 1.2 * before);
        QCOMPARE(synperf_.run(kGemm + QStringList{"--json"}).json()["predicted_us"].toDouble(), before);
    }

    // Values that follow from others by rule follow an edit too, as they do from
    // a file and in the window.
    void setPredictsAsASpecFileWithThatValueDoes_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("dtype");
        QTest::newRow("SMs") << "sm_or_cu" << 29.0 << "bf16";
        QTest::newRow("boost clock, which the tensor clock follows") << "boost_mhz" << 1500.0 << "bf16";
        QTest::newRow("BF16 rate, which the TF32 rate follows") << "bf16_dense_tflops" << 60.0 << "tf32";
        QTest::newRow("bandwidth") << "bandwidth_gbps" << 150.0 << "bf16";
    }
    void setPredictsAsASpecFileWithThatValueDoes() {
        QFETCH(QString, field);
        QFETCH(double, value);
        QFETCH(QString, dtype);
        QJsonObject spec =
            QJsonDocument::fromJson(Synperf::read(QString(SYNPERF_SOURCE_DIR) + "/specs/gpus/L4.json")).object();
        QVERIFY(spec.contains(field));
        for (const char* follows : {"tensor_clock_mhz", "fp16_dense_tflops", "tf32_dense_tflops", "aliases"})
            spec.remove(follows);
        const auto install = [&](const QString& id) {
            spec["id"] = id;
            return synperf_.write("synperf/specs/gpus/" + id + ".json", QJsonDocument(spec).toJson());
        };
        const auto call = [&](const QString& gpu) {
            return QStringList{"predict", "gemm", "--gpu", gpu, "-p", "dtype=" + dtype, "--json"};
        };
        const QString short_file = install("short-L4");
        spec[field] = value;
        const QString edited_file = install("edited-L4");
        const Run from_file = synperf_.run(call("edited-L4"));
        const Run before = synperf_.run(call("short-L4"));
        const Run edited =
            synperf_.run(call("short-L4") + QStringList{"--set", QString("%1=%2").arg(field).arg(value)});
        QVERIFY(QFile::remove(short_file) && QFile::remove(edited_file));
        QVERIFY2(from_file.exit == 0, qPrintable(from_file.err));
        QVERIFY2(edited.exit == 0, qPrintable(edited.err));
        QVERIFY(from_file.json()["predicted_us"].toDouble() != before.json()["predicted_us"].toDouble());
        QCOMPARE(edited.json()["predicted_us"].toDouble(), from_file.json()["predicted_us"].toDouble());
        QCOMPARE(edited.json()["ceiling_us"].toDouble(), from_file.json()["ceiling_us"].toDouble());
    }

    // No GPU has these pairs; a spec file with them is refused, and so is the edit.
    void setRefusesWhatASpecFileRefuses_data() {
        QTest::addColumn<QString>("edit");
        QTest::newRow("a CTA with more shared memory than the SM") << "smem_per_block_max_kib=228";
        QTest::newRow("a boost clock below the base clock") << "boost_mhz=500";
        QTest::newRow("more threads than warps hold") << "max_threads_per_sm=4096";
    }
    void setRefusesWhatASpecFileRefuses() {
        QFETCH(QString, edit);
        VERIFY_REFUSED(synperf_.run({"predict", "gemm", "--gpu", "A100-SXM4-80GB", "--set", edit}), 1, "is possible");
    }

    // An option that would have no effect is a mistake of the caller's.
    void anOptionWithoutEffectIsWrongUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("--out of one call") << kGemm + QStringList{"--out", synperf_.path("one.txt")};
        QTest::newRow("--batch of nothing") << kGemm + QStringList{"--batch", ""};
        QTest::newRow("a family beside --batch") << QStringList{"predict", "gemm", "--batch", "calls.csv"};
        QTest::newRow("--gpu beside --batch") << QStringList{"predict", "--gpu", "H100", "--batch", "calls.csv"};
        QTest::newRow("--json beside --batch") << QStringList{"predict", "--json", "--batch", "calls.csv"};
    }
    void anOptionWithoutEffectIsWrongUsage() {
        QFETCH(QStringList, arguments);
        VERIFY_REFUSED(synperf_.run(arguments), 2, "--");
    }

    void anAliasAndAnyCaseNameTheSameGpu() {
        QStringList lower = kGemm;
        lower[3] = "h100 sxm5_80gb";
        const QJsonObject json = synperf_.run(lower + QStringList{"--json"}).json();
        QCOMPARE(json["gpu"].toString(), QString("H100-SXM5-80GB"));
        QCOMPARE(json["predicted_us"].toDouble(),
                 synperf_.run(kGemm + QStringList{"--json"}).json()["predicted_us"].toDouble());
    }

    // Kernels exist for head_dim 64, 96, 128, ...: 72 runs as 96, a third more work, and 104 as 128.
    void anOddHeadDimIsPaddedAndSaysSo_data() {
        QTest::addColumn<int>("head_dim");
        QTest::addColumn<QString>("note");
        QTest::newRow("72") << 72 << "head_dim 72 is padded to 96";
        QTest::newRow("104") << 104 << "head_dim 104 is padded to 128";
        QTest::newRow("128") << 128 << "";
    }
    void anOddHeadDimIsPaddedAndSaysSo() {
        QFETCH(int, head_dim);
        QFETCH(QString, note);
        const QStringList call{"predict",        "attention", "--gpu",
                               "A100-SXM4-80GB", "-p",        QString("head_dim=%1").arg(head_dim)};
        const Run json = synperf_.run(call + QStringList{"--json"});
        QCOMPARE(json.exit, 0);
        QCOMPARE(json.err, QString());
        QVERIFY(json.json()["predicted_us"].toDouble() > 0);
        QString notes;
        for (const QJsonValue& entry : json.json()["notes"].toArray()) notes += entry.toString() + "\n";
        const Run table = synperf_.run(call);
        QCOMPARE(table.exit, 0);
        if (note.isEmpty()) {
            QVERIFY(!notes.contains("padded") && !table.out.contains("padded"));
        } else {
            QVERIFY2(notes.contains(note), qPrintable(notes));
            QVERIFY2(table.out.contains("note: " + note), qPrintable(table.out));
        }
    }

    void nothingToDoIsSaidInOneLine() {
        QStringList call = kGemm;
        call << "-p" << "m=0";
        const Run table = synperf_.run(call);
        QCOMPARE(table.exit, 0);
        QVERIFY2(table.out.contains("note: m is 0: there is nothing to do, only the launch is timed"), qPrintable(table.out));
        QCOMPARE(synperf_.run(call + QStringList{"--json"}).json()["notes"].toArray().size(), 1);
    }

    void badInputIsOneLineAndExitOne_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const QStringList attention{"predict", "attention", "--gpu", "A100-SXM4-80GB"};
        QTest::newRow("unknown GPU") << QStringList{"predict", "gemm", "--gpu", "H10O"}
                                     << "did you mean H100-SXM5-80GB";
        QTest::newRow("GPU like no other")
            << QStringList{"predict", "gemm", "--gpu", "qqqqqqqqqqqqqqqqqqqq"} << "synperf gpus";
        QTest::newRow("unknown family") << QStringList{"predict", "gem", "--gpu", "H100"} << "did you mean gemm";
        QTest::newRow("unknown parameter")
            << kGemm + QStringList{"-p", "tile_q=64"} << "tile_q: unknown parameter, did you mean tile_";
        QTest::newRow("unknown field") << kGemm + QStringList{"--set", "sm_or_uc=4"} << "did you mean sm_or_cu";
        QTest::newRow("no value") << kGemm + QStringList{"-p", "m"} << "\"m\" is not name=value";
        QTest::newRow("n = 0") << kGemm + QStringList{"-p", "n=0"} << "n: 0 is out of range, allowed is 1 to ";
        QTest::newRow("m = -5") << kGemm + QStringList{"-p", "m=-5"} << "m: -5 is out of range, allowed is 0 to ";
        QTest::newRow("m = 2^40") << kGemm + QStringList{"-p", "m=1099511627776"}
                                  << "m: 1099511627776 is out of range, allowed is 0 to ";
        QTest::newRow("m = 2^80") << kGemm + QStringList{"-p", "m=1208925819614629174706176"} << "m: ";
        QTest::newRow("m = words") << kGemm + QStringList{"-p", "m=many"} << "m: \"many\" is not a whole number";
        QTest::newRow("m = nothing") << kGemm + QStringList{"-p", "m="} << "m: \"\" is not a whole number";
        QTest::newRow("unknown format") << kGemm + QStringList{"-p", "dtype=bf17"}
                                        << "dtype: \"bf17\" is not one of bf16";
        QTest::newRow("half a tile") << kGemm + QStringList{"-p", "tile_m=112"} << "tile_m";
        QTest::newRow("stages beyond shared memory")
            << kGemm + QStringList{"-p", "tile_m=512", "-p", "tile_n=512", "-p", "tile_k=512", "-p", "stages=16"}
            << "a CTA on H100-SXM5-80GB can have 227 KiB";
        QTest::newRow("a GPU with too little shared memory")
            << kGemm + QStringList{"--set",    "smem_per_block_max_kib=8", "-p", "tile_m=128", "-p", "tile_n=128", "-p",
                                   "tile_k=64"}
            << "of shared memory";
        QTest::newRow("a head beyond shared memory")
            << attention + QStringList{"--set", "smem_per_block_max_kib=16", "-p", "head_dim=256"}
            << "of shared memory";
        QTest::newRow("heads that do not divide")
            << attention + QStringList{"-p", "num_heads=12", "-p", "num_kv_heads=8"} << "num_";
        QTest::newRow("more new tokens than tokens")
            << attention + QStringList{"-p", "q_len=64", "-p", "kv_len=32"} << "kv_len";
        QTest::newRow("lists of two lengths")
            << attention + QStringList{"-p", "q_lengths=1,2", "-p", "kv_lengths=4"} << "_lengths";
        QTest::newRow("a list of 2^60 entries")
            << attention + QStringList{"-p", "q_lengths=1x1152921504606846976"} << "q_lengths: more than ";
        QTest::newRow("set a word") << kGemm + QStringList{"--set", "boost_mhz=fast"}
                                    << "boost_mhz: \"fast\" is not a number";
        QTest::newRow("set nothing") << kGemm + QStringList{"--set", "boost_mhz"} << "boost_mhz: \"\" is not a number";
        QTest::newRow("set NaN") << kGemm + QStringList{"--set", "boost_mhz=nan"} << "boost_mhz: ";
        QTest::newRow("set infinity") << kGemm + QStringList{"--set", "boost_mhz=inf"} << "boost_mhz: ";
        QTest::newRow("set below the range") << kGemm + QStringList{"--set", "sm_or_cu=0"} << "sm_or_cu: ";
        QTest::newRow("set half an SM") << kGemm + QStringList{"--set", "sm_or_cu=1.5"} << "sm_or_cu: ";
        QTest::newRow("kernels show") << QStringList{"kernels", "show", "gem"} << "did you mean gemm";
    }
    void badInputIsOneLineAndExitOne() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        VERIFY_REFUSED(synperf_.run(arguments), 1, words);
        if (arguments.first() == "predict") VERIFY_REFUSED(synperf_.run(arguments + QStringList{"--json"}), 1, words);
    }

    // What a shell or a pasted cell can slip in.
    void aLineBreakInAValueDoesNotBreakTheMessage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("GPU") << QStringList{"predict", "gemm", "--gpu", "H10\nO"};
        QTest::newRow("family") << QStringList{"predict", "ge\nm", "--gpu", "H100"};
        QTest::newRow("parameter") << kGemm + QStringList{"-p", "m\n=4"};
        QTest::newRow("value") << kGemm + QStringList{"-p", "m=4\n4"};
        QTest::newRow("choice") << kGemm + QStringList{"-p", "dtype=bf\n16"};
        QTest::newRow("no equals sign") << kGemm + QStringList{"-p", "m\n"};
        QTest::newRow("field") << kGemm + QStringList{"--set", "sm\n_or_cu=4"};
        QTest::newRow("field's value") << kGemm + QStringList{"--set", "sm_or_cu=4\n"};
        QTest::newRow("shown family") << QStringList{"kernels", "show", "ge\nm"};
        QTest::newRow("shown GPU") << QStringList{"gpus", "show", "H10\nO"};
    }
    void aLineBreakInAValueDoesNotBreakTheMessage() {
        QFETCH(QStringList, arguments);
        VERIFY_REFUSED(synperf_.run(arguments), 1, "synperf: ");
    }

    void wrongUsageIsOneLineAndExitTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("no GPU") << QStringList{"predict", "gemm", "-p", "m=4096"} << "--gpu";
        QTest::newRow("no family") << QStringList{"predict", "--gpu", "H100"} << "family";
        QTest::newRow("nothing") << QStringList{"predict"} << "family";
        QTest::newRow("unknown option") << kGemm + QStringList{"--yaml"} << "--yaml";
        QTest::newRow("two families") << QStringList{"predict", "gemm", "rmsnorm", "--gpu", "H100"} << "rmsnorm";
        QTest::newRow("parameter without a value") << kGemm + QStringList{"-p"} << "param";
        QTest::newRow("kernels show nothing") << QStringList{"kernels", "show"} << "family";
    }
    void wrongUsageIsOneLineAndExitTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        VERIFY_REFUSED(synperf_.run(arguments), 2, words);
    }

    void kernelsListsTheFamilies() {
        const Run table = synperf_.run({"kernels"});
        QCOMPARE(table.exit, 0);
        QCOMPARE(table.err, QString());
        const QJsonArray json = QJsonDocument::fromJson(synperf_.run({"kernels", "--json"}).out.toUtf8()).array();
        QStringList ids;
        for (const QJsonValue& family : json) {
            ids += family["id"].toString();
            QVERIFY(table.out.contains(ids.last()) && !family["title"].toString().isEmpty() &&
                    !family["summary"].toString().isEmpty());
        }
        for (const char* id : {"gemm", "attention", "rmsnorm", "silu_mul"}) QVERIFY2(ids.contains(id), id);
    }

    void showNamesEveryParameterWithItsRange() {
        const Run answer = synperf_.run({"kernels", "show", "gemm", "--json"});
        QCOMPARE(answer.exit, 0);
        const QJsonObject json = answer.json();
        QCOMPARE(json["id"].toString(), QString("gemm"));
        QStringList names;
        const Run table = synperf_.run({"kernels", "show", "gemm"});
        for (const QJsonValue& param : json["params"].toArray()) {
            names += param["name"].toString();
            QVERIFY2(!param["help"].toString().isEmpty() && !param["default"].toString().isEmpty(),
                     qPrintable(names.last()));
            QVERIFY2(table.out.contains(names.last()), qPrintable(names.last()));
            if (param["kind"].toString() == "choice") {
                QVERIFY(param["choices"].toArray().contains(param["default"]));
            } else if (param["kind"].toString() == "integer") {
                const double initial = param["default"].toString().toDouble();
                QVERIFY(initial >= param["minimum"].toDouble() && initial <= param["maximum"].toDouble());
            }
        }
        for (const char* name : {"m", "n", "k", "dtype", "tile_m", "tile_n", "tile_k", "stages", "split_k"})
            QVERIFY2(names.contains(name), name);
    }

    // What --json calls the resolved parameters is what -p takes back, with the same answer.
    void theResolvedParametersPredictTheSame_data() {
        QTest::addColumn<QString>("family");
        QTest::newRow("gemm") << "gemm";
        QTest::newRow("rmsnorm") << "rmsnorm";
        QTest::newRow("silu_mul") << "silu_mul";
    }
    void theResolvedParametersPredictTheSame() {
        QFETCH(QString, family);
        const QJsonObject first = synperf_.run({"predict", family, "--gpu", "A100-SXM4-80GB", "--json"}).json();
        QStringList again{"predict", family, "--gpu", "A100-SXM4-80GB", "--json"};
        const QJsonObject params = first["params"].toObject();
        for (auto param = params.begin(); param != params.end(); ++param)
            again += {"-p", param.key() + "=" + param.value().toVariant().toString()};
        const Run second = synperf_.run(again);
        QVERIFY2(second.exit == 0, qPrintable(second.err));
        // A tile that is given is held to its busiest SM, one that was chosen to the mean one: the learned answer starts from another ceiling.
        QVERIFY(std::abs(second.json()["predicted_us"].toDouble() / first["predicted_us"].toDouble() - 1) < 0.02);
    }

    void everyCommandHasHelpWithAnExample_data() {
        QTest::addColumn<QStringList>("command");
        for (const char* command : {"gpus", "gpus show", "gpus check", "kernels", "kernels show", "predict", "timeline",
                                    "import", "import gpu"})
            QTest::newRow(command) << QString(command).split(' ');
    }
    void everyCommandHasHelpWithAnExample() {
        QFETCH(QStringList, command);
        const Run answer = synperf_.run(command + QStringList{"--help"});
        QCOMPARE(answer.exit, 0);
        QCOMPARE(answer.err, QString());
        const qsizetype examples = answer.out.indexOf("Example");
        QVERIFY2(examples >= 0, qPrintable(answer.out));
        QVERIFY2(answer.out.indexOf("synperf " + command.join(' '), examples) >= 0,
                 qPrintable(answer.out.mid(examples)));
    }
};

QTEST_GUILESS_MAIN(CliPredictTest)
#include "test_cli_predict.moc"
