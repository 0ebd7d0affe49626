// Model files: what was written comes back, and nothing damaged or foreign is taken for a model.
#include <zlib.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cstring>
#include <fstream>

#include "analysis/features.h"
#include "core/predictions.h"
#include "core/texts.h"
#include "prediction/feature_check.h"
#include "prediction/learned_model.h"

using namespace synperf;
using synperf::test::engine;

namespace {

ModelArchive small_archive() {
    ModelArchive archive;
    archive.header = {{"name", "small"}, {"numbers", {1, 2.5}}};
    archive.arrays["whole"] = {{1.0F, -2.5F, 1e-20F, 0.1F}, false};
    archive.arrays["half"] = {{1.0F, -2.5F, 0.1F, 65504.0F}, true};
    archive.arrays["none"] = {{}, false};
    return archive;
}

// The checksum of a file that was written for this test by hand.
std::string signed_bytes(std::string bytes) {
    const auto sum = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return bytes;
}

std::string number(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

std::string start(std::uint32_t version, const std::string& header) { return "SYNPERFM" + number(version) + number(static_cast<std::uint32_t>(header.size())) + header; }

std::filesystem::path shipped_models() { return std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models"; }

// Three features, one hidden layer of two.
LearnedModel small_model(const std::string& name) {
    LearnedModel model;
    model.name = name;
    model.features = {"a", "b", "c"};
    model.gpus = {"H100-SXM5-80GB"};
    model.generations = {"sm90"};
    model.implementations = {"vllm bf16 | sm90"};
    model.scaler = {{1, 2, 3}, {0.5F, 0, 2}};
    model.members = {make_network({3, {2}, kOutputs, Activation::relu, false, 0}, 1), make_network({3, {2}, kOutputs, Activation::relu, false, 0}, 2)};
    model.offsets[1] = {0.25, 0.125};
    model.centres = {0, 0.5F, 1};
    model.usual_distance = 0.75;
    model.card = {{"rows", 7}, {"date", "2024-05-01"}};
    return model;
}

}  // namespace

class ModelFilesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path file(const std::string& name) const { return std::filesystem::path(folder_.path().toStdString()) / name; }

    // A model's file with one thing changed.
    template <class Change>
    std::string error_of(Change change) {
        const auto path = file("changed.model");
        if (!small_model("changed").write(path)) return "not written";
        auto archive = read_archive(path);
        change(*archive);
        if (!write_archive(*archive, path)) return "not written";
        const auto model = LearnedModel::read(path);
        std::filesystem::remove(path);
        return model ? std::string() : model.error().to_string();
    }

private slots:
    // 0.1 in 16 bits is 0x2E66 = 0.0999755859375 (IEEE 754 binary16); the others are exact.
    void archives_come_back_as_they_were_written() {
        const auto path = file("archive");
        QVERIFY(write_archive(small_archive(), path).has_value());
        const auto read = read_archive(path);
        QVERIFY(read.has_value());
        QVERIFY(read->header == small_archive().header);
        QCOMPARE(read->arrays.size(), std::size_t{3});
        QVERIFY(read->arrays.at("whole").values == small_archive().arrays.at("whole").values);
        QVERIFY((read->arrays.at("half").values == std::vector<float>{1.0F, -2.5F, 0.0999755859375F, 65504.0F}));
        QVERIFY(read->arrays.at("none").values.empty());
    }

    void a_file_cut_off_anywhere_is_an_error() {
        const std::string whole = archive_bytes(small_archive());
        QVERIFY(parse_archive(whole, "x").has_value());
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const auto read = parse_archive(std::string_view(whole).substr(0, length), "cut.model");
            QVERIFY2(!read.has_value(), qPrintable(QString::number(length)));
            VERIFY_CONTAINS(read.error().to_string(), "cut.model");
        }
        QVERIFY(!parse_archive(whole + "x", "x").has_value());
    }

    void a_damaged_byte_is_an_error_wherever_it_is() {
        std::string bytes = archive_bytes(small_archive());
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            for (const int flip : {0x01, 0x80, 0xFF}) {
                const char kept = bytes[at];
                bytes[at] = static_cast<char>(static_cast<unsigned char>(kept) ^ static_cast<unsigned>(flip));
                QVERIFY2(!parse_archive(bytes, "x").has_value(), qPrintable(QString::number(at)));
                bytes[at] = kept;
            }
        }
    }

    // With a right checksum, as someone who means harm would write it: an error or the content that is there, never a crash.
    void a_damaged_byte_under_a_right_checksum_does_no_harm() {
        const std::string whole = archive_bytes(small_archive());
        const std::string body = whole.substr(0, whole.size() - 4);
        for (std::size_t at = 0; at < body.size(); ++at) {
            for (int value = 0; value < 256; value += 5) {
                std::string bytes = body;
                bytes[at] = static_cast<char>(value);
                const auto read = parse_archive(signed_bytes(bytes), "x");
                if (read) QVERIFY(read->arrays.size() == 3);
            }
            QVERIFY(!parse_archive(signed_bytes(body.substr(0, at)), "x").has_value());
        }
    }

    void what_is_no_model_file_says_so_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("line");
        const auto row = [](const char* title, const std::string& bytes, const char* line) { QTest::newRow(title) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << line; };
        row("empty", "", "is no model file of this program");
        row("text", "gpu,dtype,m,n,k\n", "is no model file of this program");
        row("another format", signed_bytes(start(7, "{}") + number(0)), "is a model file of format 7, this program reads format 1");
        row("too many arrays", signed_bytes(start(1, "{}") + number(100'000)), "has 100000 arrays, at most 256 are read");
        row("header longer than the file", signed_bytes("SYNPERFM" + number(1) + number(1'000'000) + "{}"), "header");
        row("absurd header", signed_bytes("SYNPERFM" + number(1) + number(0xFFFFFFFF) + "{}"), "has a header of 4294967295 bytes");
        row("deep header", signed_bytes(start(1, "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}") + number(0)), "its header is no JSON object");
        row("list as header", signed_bytes(start(1, "[]") + number(0)), "its header is no JSON object");
        row("broken header", signed_bytes(start(1, "{\"a\"") + number(0)), "its header is no JSON object");
        row("array longer than the file", signed_bytes(start(1, "{}") + number(1) + number(1) + "a" + std::string(1, '\0') + number(0xFFFFFFFF) + number(0x3FFFFFFF)), "is cut off");
        row("array twice", signed_bytes(start(1, "{}") + number(2) + number(1) + "a" + std::string(9, '\0') + number(1) + "a" + std::string(9, '\0')), "has the array \"a\" twice");
        row("line break in a name", signed_bytes(start(1, "{}") + number(1) + number(2) + "a\n" + std::string(9, '\0')), "name of an array");
        row("more at the end", signed_bytes(start(1, "{}") + number(0) + "abc"), "has 3 bytes after its end");
    }
    void what_is_no_model_file_says_so() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, line);
        const auto read = parse_archive(std::string_view(bytes.data(), static_cast<std::size_t>(bytes.size())), "foreign.model");
        QVERIFY(!read.has_value());
        VERIFY_CONTAINS(read.error().to_string(), line.toStdString());
        QVERIFY(!text(read.error().to_string()).contains('\n'));
        VERIFY_CONTAINS(read_archive(file("missing.model")).error().to_string(), "missing.model");
        QVERIFY(!read_archive(file("")).has_value());
    }

    void models_come_back_as_they_were_written() {
        const LearnedModel model = small_model("gemm_16bit");
        QVERIFY(model.write(file("round.model")).has_value());
        const auto read = LearnedModel::read(file("round.model"));
        QVERIFY2(read.has_value(), read ? "" : read.error().to_string().c_str());
        QCOMPARE(text(read->name), text("gemm_16bit"));
        QVERIFY(read->features == model.features && read->gpus == model.gpus && read->generations == model.generations && read->implementations == model.implementations);
        QVERIFY(read->scaler.mean == model.scaler.mean && read->scaler.scale == model.scaler.scale && read->centres == model.centres);
        QCOMPARE(read->offsets[1].interval, 0.25);
        QCOMPARE(read->offsets[1].p80, 0.125);
        QCOMPARE(read->usual_distance, 0.75);
        QCOMPARE(read->members.size(), std::size_t{2});
        for (std::size_t i = 0; i < model.members[1].parameters.size(); ++i) {
            const float kept = model.members[1].parameters[i];
            QVERIFY(std::abs(read->members[1].parameters[i] - kept) <= std::abs(kept) / 2048);  // half a unit in the 11th bit
        }
        std::filesystem::remove(file("round.model"));
    }

    void models_that_can_not_be_used_say_why() {
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["feature_version"] = kFeatureVersion + 1; }), "train it anew");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["features"] = {"a", "b"}; }), "\"mean\" has 3 numbers, 2 are needed");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["features"] = nlohmann::json::array(); }), "has 0 features");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["hidden"] = {3}; }), "\"network 0\"");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["hidden"] = {-1}; }), "hidden layers");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["members"] = 3; }), "\"network 2\" is missing");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["members"] = -1; }), "networks");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header.erase("offsets"); }), "lacks");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["map"] = "cubic"; }), "cubic");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["activation"] = "step"; }), "step");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["card"] = 5; }), "card");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["card"]["rows"] = "many"; }), "card");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.header["card"]["date"] = 5; }), "card");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.arrays["scale"].values[1] = std::numeric_limits<float>::infinity(); }), "not finite");
        VERIFY_CONTAINS(error_of([](ModelArchive& archive) { archive.arrays["centres"].values.pop_back(); }), "centres");
    }

    void names_that_are_no_text_do_not_stop_a_model_from_being_written() {
        LearnedModel model = small_model("odd");
        model.implementations.emplace_back("vllm \xFF | sm90");
        QVERIFY(model.write(file("odd.model")).has_value());
        QVERIFY(LearnedModel::read(file("odd.model")).has_value());
        std::filesystem::remove(file("odd.model"));
    }

    void a_folder_keeps_its_good_models_and_one_problem_for_each_bad_one() {
        QTemporaryDir other;
        const std::filesystem::path second = other.path().toStdString();
        QVERIFY(small_model("one").write(file("one.model")).has_value());
        QVERIFY(small_model("two").write(file("two.model")).has_value());
        std::ofstream(file("bad.model")) << "not a model";
        std::ofstream(file("empty.model"));
        std::ofstream(file("notes.txt")) << "no model and no problem";
        LearnedModel newer = small_model("two");
        newer.usual_distance = 9;
        QVERIFY(newer.write(second / "mine.model").has_value());
        const ModelSet set = ModelSet::load({file(""), second, "/nonexistent"});
        QCOMPARE(set.all().size(), std::size_t{2});
        QVERIFY(set.find("one") != nullptr);
        QCOMPARE(set.find("two")->usual_distance, 9.0);
        QVERIFY(set.find("three") == nullptr);
        QCOMPARE(set.problems().size(), std::size_t{2});
        VERIFY_CONTAINS(set.problems()[0].to_string(), "bad.model");
        VERIFY_CONTAINS(set.problems()[1].to_string(), "empty.model");
    }

    void every_shipped_model_was_trained_on_the_features_that_are_computed() {
        const Engine& analytical = engine();
        const ModelSet shipped = ModelSet::load({shipped_models()});
        QVERIFY(!shipped.all().empty());
        for (const auto& [name, model] : shipped.all()) {
            const auto names = feature_names_of(name, analytical.kernels, analytical.gpus, analytical.predictor);
            QVERIFY2(!names.empty(), name.c_str());
            QVERIFY2(check_feature_names(*model, names).has_value(), name.c_str());
        }
        QVERIFY(feature_names_of("no such model", analytical.kernels, analytical.gpus, analytical.predictor).empty());
    }

    // As many features, of the same version, two of them under other names: one of a shipped model's, changed for this test.
    void a_model_of_other_features_is_refused_and_the_one_it_would_replace_stays() {
        QTemporaryDir own;
        const std::filesystem::path changed = std::filesystem::path(own.path().toStdString()) / "mine.model";
        auto archive = read_archive(shipped_models() / "gemm_16bit.model");
        QVERIFY(archive.has_value());
        const auto known = archive->header["features"].get<std::vector<std::string>>();
        archive->header["features"][2] = "clock in MHz";
        archive->header["features"][5] = "SMs";
        QVERIFY(write_archive(*archive, changed).has_value());
        const auto loaded = Engine::load(engine().specs, {}, {shipped_models(), changed.parent_path()});
        QVERIFY(loaded.has_value());
        const ModelSet& models = loaded->predictor.models();
        QCOMPARE(models.problems().size(), std::size_t{1});
        const std::string line = models.problems()[0].to_string();
        VERIFY_CONTAINS(line, "mine.model");
        VERIFY_CONTAINS(line, "number 3 is \"clock in MHz\", this program computes \"" + known[2] + "\" there; train it anew");
        QVERIFY(models.find("gemm_16bit")->features == known);
    }

    void a_model_of_fewer_features_is_refused_with_both_counts() {
        QTemporaryDir own;
        const std::filesystem::path folder = own.path().toStdString();
        QVERIFY(small_model("gemm_16bit").write(folder / "small.model").has_value());
        const auto loaded = Engine::load(engine().specs, {}, {folder});
        QVERIFY(loaded.has_value());
        QVERIFY(loaded->predictor.models().all().empty());
        QCOMPARE(loaded->predictor.models().problems().size(), std::size_t{1});
        VERIFY_CONTAINS(loaded->predictor.models().problems()[0].to_string(), "was trained on 3 features, this program computes ");
    }
};

QTEST_APPLESS_MAIN(ModelFilesTest)
#include "test_model_files.moc"
