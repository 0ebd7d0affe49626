#include <QTemporaryDir>
#include <QtTest>
#include <cstdlib>
#include <fstream>

#include "core/shared_data.h"
#include "core/texts.h"
#include "data/csv.h"
#include "hardware/gpu_catalogue.h"
#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"
#include "hardware/spec_paths.h"

using namespace synperf;
namespace fs = std::filesystem;

namespace {

const fs::path kShipped = fs::path(SYNPERF_SOURCE_DIR) / "specs" / "gpus";

void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

std::string spec_text(const GpuSpec& original, const std::string& id, double boost = 0) {
    GpuSpec gpu = original;
    gpu.id = id;
    gpu.aliases.clear();
    if (boost > 0) gpu[GpuField::boost_mhz] = boost;
    return write_gpu_json(gpu);
}

}  // namespace

class GpuCatalogueTest : public QObject {
    Q_OBJECT

    GpuCatalogue shipped_ = GpuCatalogue::load(kShipped);

private slots:
    void everyShippedFileLoadsWithoutAProblem() {
        for (const Error& problem : shipped_.problems()) qWarning("%s", problem.to_string().c_str());
        QVERIFY(shipped_.problems().empty());
        QVERIFY(shipped_.gpus().size() >= 39);
    }

    void shippedNamesAreUnique() {
        std::map<std::string, std::string> owner;
        for (const GpuSpec& gpu : shipped_.gpus()) {
            QCOMPARE(text(fs::path(gpu.file).stem().string()), text(gpu.id));
            QVERIFY2(owner.emplace(folded(gpu.id), gpu.id).second, gpu.id.c_str());
        }
        for (const GpuSpec& gpu : shipped_.gpus())
            for (const std::string& alias : gpu.aliases) {
                const auto [first, fresh] = owner.emplace(folded(alias), gpu.id);
                QVERIFY2(fresh || first->second == gpu.id, (alias + " of " + gpu.id + " and " + first->second).c_str());
            }
    }

    void everyShippedNumberSaysWhereItCameFrom() {
        for (const GpuSpec& gpu : shipped_.gpus())
            for (const GpuFieldInfo& about : gpu_fields()) {
                if (!gpu.knows(about.field)) continue;
                const FieldFact* fact = gpu.fact(about.field);
                QVERIFY2(fact != nullptr && !fact->source.empty() && !fact->date.empty(),
                         (gpu.id + " " + std::string(about.key)).c_str());
                QVERIFY(fact->provenance != Provenance::user);
                // Where sources disagree, or a rule made the value, the reason is stated.
                if (!fact->others.empty() || fact->provenance == Provenance::derived)
                    QVERIFY2(!fact->reason.empty(), (gpu.id + " " + std::string(about.key)).c_str());
            }
    }

    void shippedGpusAreConsistent() {
        for (const GpuSpec& gpu : shipped_.gpus()) {
            for (const Hint& hint : check_consistency(gpu)) QFAIL((gpu.id + ": " + hint.message).c_str());
            const double fma = gpu.fma_per_clk_per_sm();
            QVERIFY2(fma == 64 || fma == 128, gpu.id.c_str());
        }
    }

    // Every number of the facts table, prose aside, is the value of our file.
    void shippedValuesAreThoseOfTheFactsTable() {
        SYNPERF_NEED_SHARED_DATA(shared);
        const Result<CsvTable> facts = read_csv(shared / "gpu_facts.csv");
        QVERIFY2(facts.has_value(), facts ? "" : qPrintable(text(facts.error().to_string())));
        QVERIFY(facts->rows.size() >= 39);
        int compared = 0;
        for (const auto& row : facts->rows) {
            const Result<const GpuSpec*> gpu = shipped_.find(row[facts->column("id")]);
            QVERIFY2(gpu.has_value(), row[facts->column("id")].c_str());
            QCOMPARE(text((*gpu)->id), text(row[facts->column("id")]));
            QCOMPARE(text((*gpu)->arch), text(row[facts->column("arch")]));
            for (const QString& alias : text(row[facts->column("aliases")]).split('|', Qt::SkipEmptyParts))
                QCOMPARE(text((*shipped_.find(alias.toStdString()))->id), text((*gpu)->id));
            for (const GpuFieldInfo& about : gpu_fields()) {
                const std::size_t column = facts->column(about.key);
                if (column == facts->columns.size() || row[column].empty()) continue;
                GpuField field = about.field;
                // These cells say what the number is not.
                if (row[column].find("no BF16") != std::string::npos) field = GpuField::fp16_tflops;
                if (row[column].find("no tensor INT8") != std::string::npos) {
                    QVERIFY(!(*gpu)->knows(field));
                    continue;
                }
                const double stated = std::strtod(row[column].c_str(), nullptr);
                QVERIFY2((**gpu)[field] == stated, ((*gpu)->id + " " + std::string(about.key)).c_str());
                ++compared;
            }
        }
        QVERIFY2(compared > 650, QByteArray::number(compared));
    }

    void namesAreFoundInAnySpelling_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        QTest::newRow("id") << "H100-SXM5-80GB"
                            << "H100-SXM5-80GB";
        QTest::newRow("lower case") << "h100-sxm5-80gb"
                                    << "H100-SXM5-80GB";
        QTest::newRow("alias") << "NVIDIA H100 80GB HBM3"
                               << "H100-SXM5-80GB";
        QTest::newRow("underscores") << "RTX_A6000"
                                     << "A6000";
        QTest::newRow("spaces") << "rtx a6000"
                                << "A6000";
        QTest::newRow("name for people") << "B200 SXM"
                                         << "B200-SXM-180GB";
    }
    void namesAreFoundInAnySpelling() {
        QFETCH(QString, name);
        QFETCH(QString, id);
        const Result<const GpuSpec*> gpu = shipped_.find(name.toStdString());
        QVERIFY(gpu.has_value());
        QCOMPARE(text((*gpu)->id), id);
    }

    void anUnknownNameOffersTheNearest() {
        const Result<const GpuSpec*> gpu = shipped_.find("RTX 4080");
        QVERIFY(!gpu.has_value());
        VERIFY_CONTAINS(gpu.error().to_string(), "unknown GPU 'RTX 4080', did you mean RTX-4090");
        VERIFY_CONTAINS(shipped_.find("B20").error().to_string(), "B200-SXM-180GB");
        VERIFY_CONTAINS(shipped_.find("").error().to_string(), "unknown GPU ''");
        QVERIFY(!shipped_.find(std::string(100000, 'x')).has_value());
    }

    void aBadFileCostsOneProblemAndTheRestLoads() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        const GpuSpec& h100 = **shipped_.find("H100");
        write(path / "a.json", spec_text(h100, "one"));
        write(path / "b.json", "{ not json");
        write(path / "c.json", spec_text(h100, "ONE"));  // the id of a.json in another spelling
        write(path / "d.json", spec_text(h100, "two"));
        write(path / "notes.txt", "not read");
        const GpuCatalogue gpus = GpuCatalogue::load({}, path);
        QCOMPARE(gpus.gpus().size(), std::size_t{2});
        QCOMPARE(gpus.problems().size(), std::size_t{2});
        VERIFY_CONTAINS(gpus.problems()[0].to_string(), "b.json:1: not valid JSON");
        VERIFY_CONTAINS(gpus.problems()[1].to_string(), "c.json: id: 'ONE' is already the id of a.json");
        QVERIFY(gpus.find("two").has_value());
    }

    void aUsersFileReplacesTheShippedOneOfItsId() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        write(path / "mine.json", spec_text(**shipped_.find("H100"), "H100-SXM5-80GB", 1900));
        const GpuCatalogue gpus = GpuCatalogue::load(kShipped, path);
        QVERIFY(gpus.problems().empty());
        QCOMPARE(gpus.gpus().size(), shipped_.gpus().size());
        const GpuSpec& gpu = **gpus.find("H100-SXM5-80GB");
        QCOMPARE(gpu[GpuField::boost_mhz], 1900.0);
        QCOMPARE(gpu.origin, SpecOrigin::user);
    }

    void foldersThatDoNotExistAreEmpty() {
        const GpuCatalogue gpus = GpuCatalogue::load("/nonexistent/a", "/nonexistent/b");
        QVERIFY(gpus.gpus().empty() && gpus.problems().empty());
    }

    void putAddsOrReplaces() {
        GpuCatalogue gpus = shipped_;
        GpuSpec gpu = **gpus.find("H100");
        gpu[GpuField::sm_count] = 100;
        gpus.put(gpu);
        QCOMPARE(gpus.gpus().size(), shipped_.gpus().size());
        QCOMPARE((*gpus.find("H100"))->sms(), 100);
        gpu.id = "another";
        gpus.put(gpu);
        QCOMPARE(gpus.gpus().size(), shipped_.gpus().size() + 1);
        QCOMPARE((*shipped_.find("H100"))->sms(), 132);
    }

    void theSpecsFolderIsTheOneAskedFor() {
        const QByteArray before = qgetenv("SYNPERF_SPECS");
        QTemporaryDir folder;
        qputenv("SYNPERF_SPECS", folder.path().toUtf8());
        QCOMPARE(text(find_specs_folder()->string()), folder.path());
        qputenv("SYNPERF_SPECS", "/nonexistent/specs");
        QVERIFY(!find_specs_folder().has_value());
        qunsetenv("SYNPERF_SPECS");
        QCOMPARE(text(find_specs_folder()->string()), text((fs::path(SYNPERF_SOURCE_DIR) / "specs").string()));
        if (!before.isEmpty()) qputenv("SYNPERF_SPECS", before);
    }

    void theUsersFolderFollowsXdg() {
        const QByteArray config = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", "/somewhere");
        QCOMPARE(text(user_specs_folder().string()), text("/somewhere/synperf/specs"));
        qputenv("XDG_CONFIG_HOME", "relative");
        QVERIFY(user_specs_folder().string().ends_with(".config/synperf/specs"));
        qputenv("XDG_CONFIG_HOME", config);
    }
};

QTEST_APPLESS_MAIN(GpuCatalogueTest)
#include "test_gpu_catalogue.moc"
