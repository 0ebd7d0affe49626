#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "core/texts.h"
#include "hardware/gpu_catalogue.h"
#include "hardware/gpu_json.h"

using namespace synperf;
using nlohmann::json;

namespace {

// The fields that a spec needs, as a user types them.
json short_spec() {
    return json::parse(R"({"id": "mine", "compute_capability": "9.0", "sm_or_cu": 132, "boost_mhz": 1980,
        "tensor_clock_mhz": 1830, "bf16_dense_tflops": 989.4, "fp32_tflops": 66.9, "mem_gb_label": 80, "bandwidth_gbps": 3352,
        "l2_mib": 50, "smem_per_sm_kib": 228, "smem_per_block_max_kib": 227, "regs32_per_sm": 65536,
        "max_threads_per_sm": 2048, "max_warps_per_sm": 64, "max_ctas_per_sm": 32})");
}

std::string with(const std::string& key, const json& value) {
    json spec = short_spec();
    spec[key] = value;
    return spec.dump(1);
}

std::string without(const std::string& key) {
    json spec = short_spec();
    spec.erase(key);
    return spec.dump(1);
}

std::string replaced(const std::string& from, const std::string& to) {
    std::string text = short_spec().dump(1);
    return text.replace(text.find(from), from.size(), to);
}

std::string nested(int depth) {
    return replaced("\"id\": \"mine\"", "\"id\": " + std::string(static_cast<std::size_t>(depth), '[') + "1" +
                                            std::string(static_cast<std::size_t>(depth), ']'));
}

std::string file_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

const std::filesystem::path kShipped = std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs" / "gpus";

}  // namespace

class GpuJsonTest : public QObject {
    Q_OBJECT

private slots:
    void aSpecOfADozenPlainNumbersLoads() {
        const Result<GpuSpec> gpu = parse_gpu_json(short_spec().dump(), "mine.json", SpecOrigin::user);
        QVERIFY2(gpu.has_value(), gpu ? "" : qPrintable(text(gpu.error().to_string())));
        QCOMPARE(gpu->sms(), 132);
        QCOMPARE(text(gpu->name), text("mine"));
        QCOMPARE(gpu->fact(GpuField::sm_count)->provenance, Provenance::user);
        QVERIFY(check_consistency(*gpu).empty());
    }

    void bomAndCrlfAreAccepted() {
        std::string spec = short_spec().dump(1);
        for (std::size_t at = spec.find('\n'); at != std::string::npos; at = spec.find('\n', at + 2))
            spec.replace(at, 1, "\r\n");
        QVERIFY(parse_gpu_json("\xEF\xBB\xBF" + spec, "mine.json", SpecOrigin::user).has_value());
    }

    void badFilesGiveOneClearLine_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& input, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(input) << words;
        };
        row("empty", "", "bad.json: the file is empty");
        row("only spaces", " \n\n", "the file is empty");
        row("not JSON", "hello", "bad.json:1: not valid JSON");
        row("a picture", "\x89PNG\r\n\x1a\n", "bad.json:1: not valid JSON");
        row("UTF-16", std::string("\xFF\xFE{\0", 4), "UTF-16");
        row("cut off", short_spec().dump(1).substr(0, 100), "the file is cut off");
        row("cut off in a string", "{\"id\": \"mi", "bad.json:1: ");
        row("text after the end", short_spec().dump(1) + "}", "not valid JSON");
        row("a comment", "// no\n" + short_spec().dump(1), "bad.json:1: not valid JSON");
        row("NaN", replaced("989.4", "NaN"), "NaN and Infinity are no JSON numbers");
        row("Infinity", replaced("989.4", "Infinity"), "NaN and Infinity are no JSON numbers");
        row("-Infinity", replaced("989.4", "-Infinity"), "NaN and Infinity are no JSON numbers");
        row("number overflow", replaced("989.4", "1e999"), "not valid JSON");
        row("the line is told", replaced("989.4", "NaN"), "bad.json:3: ");
        row("duplicate key", replaced("\"id\": \"mine\"", "\"id\": \"mine\",\n\"id\": \"other\""),
            ": id: the key is there twice");
        row("line of the duplicate", "{\n\"id\": \"a\",\n\"id\": \"b\"\n}", "bad.json:3: id");
        row("deep nesting", nested(17), "nested deeper than 16");
        row("very deep nesting", nested(200000), "nested deeper than 16");
        row("a list", "[]", "a GPU spec is a JSON object");
        row("a number", "5", "a GPU spec is a JSON object");
        row("no id", without("id"), "has no \"id\"");
        row("id of another type", with("id", 5), "id: is 5, a text in quotes");
        row("empty id", with("id", ""), "id: is ''");
        row("id with a slash", with("id", "../../etc/passwd"), "id: is '../../etc/passwd'");
        row("id of dots", with("id", ".."), "id: is '..'");
        row("long id", with("id", std::string(65, 'a')), "1 to 64 letters");
        row("unknown key", with("boost_mzh", 1980), "boost_mzh: no such field, did you mean boost_mhz");
        row("missing field", without("bandwidth_gbps"), "has no \"bandwidth_gbps\"");
        row("text for a number", with("boost_mhz", "1980"), "boost_mhz: is \"1980\", a number is needed");
        row("null for a number", with("boost_mhz", nullptr), "boost_mhz: is null, a number is needed");
        row("list for a number", with("boost_mhz", {1, 2}), "boost_mhz: is a list, a number is needed");
        row("GHz", with("boost_mhz", 1.98), "boost_mhz: is 1.98, 100 to 10000 MHz is allowed; it looks like GHz");
        row("zero", with("sm_or_cu", 0), "sm_or_cu: is 0, 1 to 2048 SMs is allowed");
        row("negative", with("sm_or_cu", -132), "sm_or_cu: is -132");
        row("2^40", with("sm_or_cu", 1099511627776), "sm_or_cu: is 1099511627776");
        row("fraction", with("sm_or_cu", 1.5), "sm_or_cu: is 1.5, a whole number");
        row("fact without value", with("boost_mhz", {{"unit", "MHz"}}), "boost_mhz: has no \"value\"");
        row("fact with a wrong unit", with("boost_mhz", {{"value", 1980}, {"unit", "GHz"}}),
            "boost_mhz.unit: is 'GHz', the value must be in 'MHz'");
        row("fact with an unknown key", with("boost_mhz", {{"value", 1980}, {"sorce", "x"}}),
            "boost_mhz.sorce: no such key, did you mean source");
        row("unknown provenance", with("boost_mhz", {{"value", 1980}, {"provenance", "guess"}}),
            "boost_mhz.provenance: is 'guess'");
        row("bad date", with("boost_mhz", {{"value", 1980}, {"date", "yesterday"}}), "boost_mhz.date: is 'yesterday'");
        row("bad others", with("boost_mhz", {{"value", 1980}, {"others", {1}}}), "boost_mhz.others: holds 1");
        row("aliases of numbers", with("aliases", {1}), "aliases: holds 1");
        row("aliases no list", with("aliases", "H100"), "aliases: is \"H100\"");
        row("control character", with("name", "a\nb"), "name: holds a control character");
        row("long name", with("name", std::string(300, 'x')), "name: is 300 bytes long, at most 200");
        row("CTA larger than its SM", with("smem_per_block_max_kib", 229), "at most smem_per_sm_kib = 228");
        row("more threads than warps hold", with("max_warps_per_sm", 32),
            "at most max_warps_per_sm x warp_size = 1024");
        row("base above boost", with("base_mhz", 1990), "base_mhz: is 1990 MHz, at most boost_mhz = 1980");
    }
    void badFilesGiveOneClearLine() {
        QFETCH(QByteArray, input);
        QFETCH(QString, words);
        const Result<GpuSpec> gpu = parse_gpu_json(input.toStdString(), "bad.json", SpecOrigin::user);
        QVERIFY(!gpu.has_value());
        const std::string line = gpu.error().to_string();
        VERIFY_CONTAINS(line, words.toStdString());
        QVERIFY2(line.starts_with("bad.json"), line.c_str());
        QVERIFY2(line.find('\n') == std::string::npos, line.c_str());
        QVERIFY2(line.size() < 400, line.c_str());
    }

    void aBrokenRuleIsAnErrorOnlyInAShippedFile() {
        json spec = short_spec();
        for (auto& [key, value] : spec.items())
            if (value.is_number()) value = json{{"value", value}, {"source", "a datasheet"}};
        QVERIFY(parse_gpu_json(spec.dump(), "s.json", SpecOrigin::shipped).has_value());
        spec["bf16_dense_tflops"]["value"] = 1979;
        QVERIFY(parse_gpu_json(spec.dump(), "s.json", SpecOrigin::user).has_value());
        const Result<GpuSpec> shipped = parse_gpu_json(spec.dump(), "s.json", SpecOrigin::shipped);
        QVERIFY(!shipped.has_value());
        VERIFY_CONTAINS(shipped.error().to_string(), "bf16_dense_tflops: 1979 looks sparse");
        spec["bf16_dense_tflops"]["exception"] = "an odd part";
        spec["fp16_dense_tflops"] = {{"value", 989.4}, {"source", "a datasheet"}};
        QVERIFY(parse_gpu_json(spec.dump(), "s.json", SpecOrigin::shipped).has_value());
        spec["boost_mhz"].erase("source");
        VERIFY_CONTAINS(parse_gpu_json(spec.dump(), "s.json", SpecOrigin::shipped).error().to_string(),
                        "boost_mhz: has no \"source\"");
    }

    void hugeFilesAndFoldersAreRefused() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        std::ofstream(path / "huge.json") << std::string(kMaxSpecFileBytes + 1, ' ');
        VERIFY_CONTAINS(read_gpu_file(path / "huge.json", SpecOrigin::user).error().to_string(),
                        "larger than 1048576 bytes");
        VERIFY_CONTAINS(read_gpu_file(path, SpecOrigin::user).error().to_string(), "a folder");
        VERIFY_CONTAINS(read_gpu_file(path / "none.json", SpecOrigin::user).error().to_string(), "no such file");
        VERIFY_CONTAINS(read_gpu_file("/dev/zero", SpecOrigin::user).error().to_string(), "larger than");
    }

    void everyShippedFileIsWrittenAndReadBackTheSame() {
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(kShipped)) {
            const Result<GpuSpec> gpu = read_gpu_file(entry.path(), SpecOrigin::shipped);
            QVERIFY2(gpu.has_value(), gpu ? "" : qPrintable(text(gpu.error().to_string())));
            const std::string written = write_gpu_json(*gpu);
            const Result<GpuSpec> again = parse_gpu_json(written, "again.json", SpecOrigin::shipped);
            QVERIFY2(again.has_value(), again ? "" : qPrintable(text(again.error().to_string())));
            QCOMPARE(text(write_gpu_json(*again)), text(written));
            for (const GpuFieldInfo& about : gpu_fields()) {
                QCOMPARE(again->knows(about.field), gpu->knows(about.field));
                if (gpu->knows(about.field)) QCOMPARE((*again)[about.field], (*gpu)[about.field]);
            }
            QCOMPARE(again->facts->size(), gpu->facts->size());
            QCOMPARE(again->aliases, gpu->aliases);
            ++count;
        }
        QVERIFY(count >= 39);
    }

    void theSchemaAgreesWithTheFieldTable() {
        const json schema = json::parse(file_text(kShipped.parent_path() / "schema" / "gpu.schema.json"));
        const json& properties = schema.at("properties");
        std::set<std::string> required;
        for (const json& key : schema.at("required")) required.insert(key.get<std::string>());
        for (const GpuFieldInfo& about : gpu_fields()) {
            const std::string key(about.key);
            QVERIFY2(properties.contains(key), key.c_str());
            const json& number = properties.at(key).at("oneOf").at(0);
            QCOMPARE(number.at("minimum").get<double>(), about.minimum);
            QCOMPARE(number.at("maximum").get<double>(), about.maximum);
            QCOMPARE(number.at("type").get<std::string>() == "integer", about.integer);
            QCOMPARE(text(properties.at(key)
                              .at("oneOf")
                              .at(1)
                              .at("allOf")
                              .at(1)
                              .at("properties")
                              .at("unit")
                              .at("const")
                              .get<std::string>()),
                     text(about.unit));
            QCOMPARE(required.contains(key), about.required);
        }
        QCOMPARE(properties.size(), gpu_fields().size() + 9);  // $schema, aliases and the seven texts
    }

    // Bytes flipped, removed and doubled in a real file: an answer or one line, never a crash.
    void damagedFilesNeverCrash() {
        const std::string original = file_text(kShipped / "H100-SXM5-80GB.json");
        QVERIFY(original.size() > 1000);
        std::mt19937 random(20240611);
        int accepted = 0, refused = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string spec = original;
            const int edits = 1 + static_cast<int>(random() % 3);
            for (int i = 0; i < edits; ++i) {
                if (spec.empty()) break;
                const std::size_t at = random() % spec.size();
                switch (random() % 4) {
                    case 0:
                        spec[at] = static_cast<char>(random() % 256);
                        break;
                    case 1:
                        spec.erase(at, random() % 40);
                        break;
                    case 2:
                        spec.insert(at, spec.substr(at, random() % 40));
                        break;
                    default:
                        spec.resize(at + 1);
                        break;
                }
            }
            const Result<GpuSpec> gpu = parse_gpu_json(spec, "damaged.json", SpecOrigin::user);
            if (gpu) {
                ++accepted;
                QVERIFY(parse_gpu_json(write_gpu_json(*gpu), "again.json", SpecOrigin::user).has_value());
            } else {
                ++refused;
                QVERIFY(gpu.error().to_string().find('\n') == std::string::npos);
            }
        }
        QVERIFY(refused > 1000);
        QVERIFY(accepted > 10);
    }
};

QTEST_APPLESS_MAIN(GpuJsonTest)
#include "test_gpu_json.moc"
