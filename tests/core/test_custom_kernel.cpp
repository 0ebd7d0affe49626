// Kernels that users define: what a file can say, what is refused and where, and that the numbers are those of the same kernel built in.
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include "hardware/json_lines.h"
#include "kernels/custom_kernel.h"
#include "prediction/engine.h"

using namespace synperf;
namespace fs = std::filesystem;

namespace {

const fs::path kSpecs = fs::path(SYNPERF_SOURCE_DIR) / "specs";

// A whole file; %1 to %4 are members that a test replaces. Lines: let 5, launch 6, grid 7, tasks 9.
QString file_with(const QString& let, const QString& grid, const QString& task, const QString& param = {}) {
    return QString("{\n"                                                                                                        // 1
                   "\"id\": \"mine\", \"title\": \"Mine\",\n"                                                                    // 2
                   "\"params\": [{\"name\": \"m\", \"kind\": \"integer\", \"minimum\": 0, \"maximum\": 1e12, \"default\": 256}\n"  // 3
                   "%4],\n"                                                                                                      // 4
                   "\"let\": {%1},\n"                                                                                            // 5
                   "\"launch\": {\"block\": 128, \"registers\": 32, \"scheduler\": \"hardware\",\n"                               // 6
                   "\"grid\": [%2],\n"                                                                                           // 7
                   "\"tasks\": [\n"                                                                                              // 8
                   "%3\n"                                                                                                        // 9
                   "]}}")
        .arg(let, grid, task, param);
}

QString text_of(const Error& error) { return QString::fromStdString(error.to_string()); }

}  // namespace

class CustomKernelTest : public QObject {
    Q_OBJECT

    std::optional<Engine> engine_;
    std::optional<GpuSpec> h100_;

    const Calibration& calibration() const { return engine_->predictor.calibration(); }
    Result<std::shared_ptr<const CustomKernel>> make(const QString& text) const { return make_custom_kernel(text.toStdString(), "mine.json", calibration()); }
    Result<std::shared_ptr<const CustomKernel>> shipped(const char* id) const {
        return read_custom_kernel(kSpecs / "kernels" / (std::string(id) + ".json"), calibration());
    }
    Result<std::vector<Launch>> defaults(const KernelFamily& family) const { return family.decompose(default_params(family.schema()), *h100_); }

private slots:
    void initTestCase() {
        auto engine = Engine::load(kSpecs);
        QVERIFY2(engine.has_value(), engine ? "" : qPrintable(text_of(engine.error())));
        engine_.emplace(std::move(*engine));
        h100_ = **engine_->gpus.find("H100-SXM5-80GB");
    }

    void lines_of_members_and_entries_are_found() {
        const JsonLines lines("{\n\"a\": 1,\n\"b\": [\n  {\"c~/d\": \"x\\\"{\"},\n  2],\n\"e\":\n  true\n}");
        QCOMPARE(lines.line("/a"), 2);
        QCOMPARE(lines.line("/b/0/c~0~1d"), 4);
        QCOMPARE(lines.line("/b/1"), 5);
        QCOMPARE(lines.line("/e"), 6);  // where the member starts
        QCOMPARE(lines.line("/b/0/missing"), 4);
        QCOMPARE(lines.keys(""), (std::vector<std::string>{"a", "b", "e"}));
    }

    void a_bad_file_costs_one_message_with_its_line_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("says");
        const QString task = "{\"count\": \"m\"}";
        const auto bad_task = [](const char* one) { return file_with("", "", one); };
        QTest::newRow("an unknown name") << file_with("", "", "{\"count\": \"mm\"}") << 9 << "unknown name \"mm\", did you mean m";
        QTest::newRow("an unknown GPU field") << bad_task("{\"count\": \"sm_or_cux\"}") << 9 << "did you mean sm_or_cu";
        QTest::newRow("an unknown function") << bad_task("{\"count\": \"ceildiv(m, 2)\"}") << 9 << "unknown function \"ceildiv\", did you mean ceil_div";
        QTest::newRow("a definition by itself") << file_with("\"a\": \"a + 1\"", "", task) << 5 << "\"a\" is defined by itself";
        QTest::newRow("definitions in a circle") << file_with("\"a\": \"b\",\n\"b\": \"a\"", "", task) << 5 << "\"b\" is used before it is defined (line 6)";
        QTest::newRow("a recursive range") << bad_task("{\"for\": \"i\", \"to\": \"i + 1\", \"tasks\": [{\"count\": 1}]}") << 9
                                           << "the range of \"i\" depends on \"i\" itself";
        QTest::newRow("a range in itself") << bad_task("{\"for\": \"i\", \"to\": 2, \"tasks\": [{\"for\": \"i\", \"to\": 3, \"tasks\": [{\"count\": 1}]}]}") << 9
                                           << "\"i\" is already defined";
        QTest::newRow("ranges too deep") << bad_task("{\"for\": \"a\", \"to\": 1, \"tasks\": [{\"for\": \"b\", \"to\": 1, \"tasks\": [{\"for\": \"c\", \"to\": 1, \"tasks\": "
                                                     "[{\"for\": \"d\", \"to\": 1, \"tasks\": [{\"for\": \"e\", \"to\": 1, \"tasks\": [{\"count\": 1}]}]}]}]}]}")
                                         << 9 << "more than 4 ranges";
        QTest::newRow("a loop variable outside") << bad_task("{\"for\": \"i\", \"to\": 2, \"tasks\": [{\"count\": 1}]}, {\"count\": \"i\"}") << 9 << "unknown name \"i\"";
        QTest::newRow("trailing garbage") << file_with("", "", task) + "\nmore" << 11 << "not valid JSON";
        QTest::newRow("a missing brace") << file_with("", "", task).chopped(2) << 10 << "cut off";
        QTest::newRow("a wrong type") << bad_task("{\"count\": true}") << 9 << "a number or an expression in quotes is needed, not true";
        QTest::newRow("a list for an object") << bad_task("[1]") << 9 << "an object {...} is needed, not a list";
        QTest::newRow("text for a number") << file_with("", "", task, ", {\"name\": \"x\", \"kind\": \"integer\", \"minimum\": \"0\", \"maximum\": 1, \"default\": 1}") << 4
                                           << "a number is needed, not \"0\"";
        QTest::newRow("an unknown kind") << file_with("", "", task, ", {\"name\": \"x\", \"kind\": \"int\", \"default\": 1}") << 4 << "not one of integer, real";
        QTest::newRow("a default out of range") << file_with("", "", task, ", {\"name\": \"x\", \"kind\": \"integer\", \"minimum\": 0, \"maximum\": 1, \"default\": 2}") << 4
                                                << "out of range";
        QTest::newRow("a parameter twice") << file_with("", "", task, ", {\"name\": \"m\", \"kind\": \"boolean\", \"default\": true}") << 4 << "already defined";
        QTest::newRow("a parameter named like a GPU field") << file_with("", "", task, ", {\"name\": \"sms\", \"kind\": \"boolean\", \"default\": true}") << 4
                                                            << "is a field of the GPU";
        QTest::newRow("a definition named like a function") << file_with("\"ceil\": 1", "", task) << 5 << "is a function";
        QTest::newRow("an unknown member") << bad_task("{\"count\": 1, \"tensors\": 1}") << 9 << "unknown member, did you mean tensor";
        QTest::newRow("no count") << bad_task("{\"tensor\": 1}") << 9 << "\"count\" is missing";
        QTest::newRow("an assignment") << bad_task("{\"count\": \"m = 3\"}") << 9 << "write ==";
        QTest::newRow("a percent") << bad_task("{\"count\": \"m % 3\"}") << 9 << "mod(a, b)";
        QTest::newRow("two values") << bad_task("{\"count\": \"m, 3\"}") << 9 << "2 values";
        QTest::newRow("an open end") << bad_task("{\"count\": \"m +\"}") << 9 << "can not be read";
        QTest::newRow("a stray character") << bad_task("{\"count\": \"m # 2\"}") << 9 << "can not stand in an expression";
        QTest::newRow("too few arguments") << bad_task("{\"count\": \"ceil_div(m)\"}") << 9 << "can not be read";
        QTest::newRow("a long expression") << bad_task(("{\"count\": \"1" + std::string(2000, ' ') + "\"}").c_str()) << 9 << "at most 1000";
        QTest::newRow("an empty expression") << bad_task("{\"count\": \" \"}") << 9 << "empty expression";
        QTest::newRow("no launch") << "{\n\"id\": \"mine\",\n\"title\": \"Mine\"}" << 1 << "\"launch\" is missing";
        QTest::newRow("a bad id") << "{\n\"id\": \"../up\", \"title\": \"Mine\", \"launch\": {}}" << 2 << "is no id";
        QTest::newRow("a scheduler unknown") << file_with("", "", task).replace("\"hardware\"", "\"dynamic\"") << 6 << "not one of hardware, persistent_static";
        QTest::newRow("not an object") << "[]" << 1 << "an object {...} is needed";
        QTest::newRow("a key twice") << file_with("\"a\": 1, \"a\": 2", "", task) << 5 << "twice";
        QTest::newRow("nested without end") << QString(100000, '[') << 0 << "nested deeper";
    }
    void a_bad_file_costs_one_message_with_its_line() {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(QString, says);
        const auto kernel = make(text);
        QVERIFY(!kernel);
        QVERIFY2(text_of(kernel.error()).contains(says), qPrintable(text_of(kernel.error())));
        QCOMPARE(kernel.error().line, line);
        QCOMPARE(kernel.error().file, std::string("mine.json"));
        QVERIFY(!text_of(kernel.error()).contains('\n'));
    }

    void what_only_a_call_brings_to_light_names_the_line_too_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("says");
        const auto task = [](const char* one) { return file_with("", "", one); };
        QTest::newRow("a division by zero") << task("{\"count\": \"m / (m - 256)\"}") << 9 << "division by zero in \"m / (m - 256)\" with m = 256";
        QTest::newRow("a hidden division by zero") << task("{\"count\": \"min(3, 1 / (m - 256))\"}") << 9 << "division by zero";
        QTest::newRow("a constant division by zero") << task("{\"count\": \"1 / 0\"}") << 9 << "division by zero";
        QTest::newRow("zero by zero") << task("{\"count\": \"(m - 256) / (m - 256)\"}") << 9 << "no value: 0 / 0";
        QTest::newRow("a negative root") << task("{\"count\": \"sqrt(-m)\"}") << 9 << "root or logarithm of a negative number";
        QTest::newRow("a negative count") << task("{\"count\": \"m - 300\"}") << 9 << "-44 tasks (from \"m - 300\"), allowed is 0 to";
        QTest::newRow("a broken count") << task("{\"count\": \"m / 3\"}") << 9 << "a whole number is needed";
        QTest::newRow("a negative demand") << task("{\"count\": 1, \"dram\": \"-m\"}") << 9 << "-256 bytes are needed";
        QTest::newRow("a grid of 10^12") << file_with("", "\"1e12\"", "{\"count\": 1}") << 7 << "1000000000000 CTAs in the grid";
        QTest::newRow("a grid of 10^12 in two dimensions") << file_with("", "1e9, 1000", "{\"count\": 1}") << 7 << "a grid of 1e+12 CTAs, at most 2147483647";
        QTest::newRow("10^12 tasks") << task("{\"count\": \"m * 4e9\"}") << 9 << "allowed is 0 to 2147483647";
        QTest::newRow("a grid unlike its tasks") << file_with("", "\"m\"", "{\"count\": \"m + 1\"}") << 7 << "a grid of 256 CTAs, but the task groups have 257 tasks";
        QTest::newRow("too many steps") << task("{\"for\": \"i\", \"to\": \"1e9\", \"tasks\": [{\"count\": 1}]}") << 9 << "at most 100000";
        QTest::newRow("too many steps together") << task("{\"for\": \"i\", \"to\": 1000, \"tasks\": [{\"for\": \"j\", \"to\": 1000, \"tasks\": [{\"count\": 1}]}]}") << 9
                                                 << "more than 100000 task groups";
        QTest::newRow("too many unequal tasks") << task("{\"count\": 7999999}, {\"count\": 2, \"fma\": 1}") << 9 << "8000001 tasks are more than the 8000000";
        QTest::newRow("tensor work of fp32") << task("{\"count\": 1, \"tensor\": 1}") << 6 << "runs on the FMA pipe";
        QTest::newRow("no number format") << task("{\"count\": \"bytes(m)\"}") << 9 << "bytes() takes a number format";
        QTest::newRow("beyond all numbers") << task("{\"count\": \"exp(m * m)\"}") << 9 << "beyond all numbers";
    }
    void what_only_a_call_brings_to_light_names_the_line_too() {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(QString, says);
        const auto kernel = make(text);
        QVERIFY2(kernel.has_value(), kernel ? "" : qPrintable(text_of(kernel.error())));
        for (int again = 0; again < 2; ++again) {  // the same evaluator answers twice
            const auto launches = defaults(**kernel);
            QVERIFY(!launches);
            QVERIFY2(text_of(launches.error()).contains(says), qPrintable(text_of(launches.error())));
            QCOMPARE(launches.error().line, line);
            QCOMPARE(launches.error().file, std::string("mine.json"));
        }
    }

    void a_guarded_division_is_fine() {
        const auto kernel = make(file_with("", "", "{\"count\": \"m == 256 ? 7 : 1 / (m - 256)\"}"));
        QVERIFY(kernel.has_value());
        const auto launches = defaults(**kernel);
        QVERIFY2(launches.has_value(), launches ? "" : qPrintable(text_of(launches.error())));
        QCOMPARE(launches->front().task_count(), std::int64_t{7});
    }

    void ranges_make_unequal_tasks_and_equal_neighbours_join() {
        // i = 0..3: counts 2, work 10 i; worked by hand. The two groups without work are joined into one of 5 tasks.
        const auto kernel = make(file_with("", "", "{\"for\": \"i\", \"to\": 4, \"let\": {\"w\": \"10 * i\"}, \"tasks\": [{\"label\": \"part\", \"count\": 2, \"fma\": \"w\"}]},\n"
                                                   "{\"label\": \"end\", \"count\": 2}, {\"label\": \"end\", \"count\": 3}"));
        QVERIFY2(kernel.has_value(), kernel ? "" : qPrintable(text_of(kernel.error())));
        const auto launches = defaults(**kernel);
        QVERIFY2(launches.has_value(), launches ? "" : qPrintable(text_of(launches.error())));
        const Launch& launch = launches->front();
        QCOMPARE(launch.groups.size(), std::size_t{5});
        QCOMPARE(launch.groups[3].demand[Pipe::fma], 30.0);
        QCOMPARE(launch.groups[4].count, std::int64_t{5});
        QCOMPARE(launch.task_count(), std::int64_t{13});
        QCOMPARE(launch.grid[0], std::int64_t{13});
        const Params params = default_params((*kernel)->schema());
        QCOMPARE((*kernel)->task_label(params, *h100_, launch, 5), std::string("part, i = 2, 1 of 2"));
        QCOMPARE((*kernel)->task_label(params, *h100_, launch, 10), std::string("end, 0 of 3"));
    }

    void choices_lists_and_gpu_fields_are_values() {
        const auto kernel = make(file_with("\"e\": \"bytes(t)\"", "", "{\"count\": \"sms\", \"fma\": \"e\", \"xu\": \"way == fast ? sum(l) : size(l)\", \"smem\": \"at(l, 1)\", \"l2\": \"flag\", \"dram\": \"sm_or_cu\", \"steps\": \"compute_capability\"}",
                                           ", {\"name\": \"t\", \"kind\": \"choice\", \"choices\": [\"bf16\", \"fp4\"], \"default\": \"fp4\"},"
                                           "{\"name\": \"way\", \"kind\": \"choice\", \"choices\": [\"slow\", \"fast\"], \"default\": \"fast\"},"
                                           "{\"name\": \"l\", \"kind\": \"integer_list\", \"minimum\": 0, \"maximum\": 9, \"default\": [4, 5, 6]},"
                                           "{\"name\": \"flag\", \"kind\": \"boolean\", \"default\": true}"));
        QVERIFY2(kernel.has_value(), kernel ? "" : qPrintable(text_of(kernel.error())));
        const auto launches = defaults(**kernel);
        QVERIFY2(launches.has_value(), launches ? "" : qPrintable(text_of(launches.error())));
        const TaskGroup& group = launches->front().groups.front();
        QCOMPARE(group.count, std::int64_t{132});  // SMs of an H100 SXM5
        QCOMPARE(group.demand[Pipe::fma], 0.5);    // bytes of an fp4 element
        QCOMPARE(group.demand[Pipe::xu], 15.0);
        QCOMPARE(group.demand[Pipe::smem], 5.0);
        QCOMPARE(group.demand[Pipe::l2], 1.0);
        QCOMPARE(group.demand[Pipe::dram], 132.0);
        QCOMPARE(group.steps, 9.0);
    }

    void no_work_is_the_launch_floor() {
        auto kernel = make(file_with("", "\"m\"", "{\"count\": \"m\", \"dram\": 1000}"));
        QVERIFY(kernel.has_value());
        Params params = default_params((*kernel)->schema());
        params.values[0] = std::int64_t{0};
        const auto prediction = engine_->predictor.predict(**kernel, params, *h100_);
        QVERIFY2(prediction.has_value(), prediction ? "" : qPrintable(text_of(prediction.error())));
        QCOMPARE(prediction->latency.value, h100_->launch_floor().value);
    }

    // RMSNorm written as a file has the built-in family's prediction: a row's operations, waiting and resources are taken from its launch, bytes
    // and L2 are worked out by the file.
    void a_file_that_copies_a_built_in_kernel_gives_its_numbers() {
        const auto family = engine_->kernels.find("rmsnorm");
        QVERIFY(family.has_value());
        Params params = default_params((*family)->schema());
        for (const char* gpu_id : {"H100-SXM5-80GB", "L40S", "A100-SXM4-80GB"}) {
            const GpuSpec& gpu = **engine_->gpus.find(gpu_id);
            const auto built_in = (*family)->decompose(params, gpu);
            QVERIFY(built_in.has_value());
            const Launch& launch = built_in->front();
            const TaskGroup& row = launch.groups.front();
            const auto exact = [](double number) { return QString::number(number, 'g', 17); };
            const QString text =
                QString("{\"id\": \"copy\", \"title\": \"Copy\", \"params\": ["
                        "{\"name\": \"num_tokens\", \"kind\": \"integer\", \"minimum\": 0, \"maximum\": 1e9, \"default\": 4096},"
                        "{\"name\": \"hidden\", \"kind\": \"integer\", \"minimum\": 1, \"maximum\": 1e6, \"default\": 5120}],"
                        "\"let\": {\"once\": \"hidden * bytes(bf16)\", \"miss\": \"l2_cyclic_miss(2 * num_tokens * once)\"},"
                        "\"launch\": {\"grid\": [\"num_tokens\"], \"block\": %1, \"registers\": %2, \"smem\": %3, \"scheduler\": \"hardware\", \"fill\": 0,"
                        "\"floor_share\": %4, \"l2_rate\": %5, \"reads\": \"num_tokens * once\", \"writes\": \"num_tokens * once\","
                        "\"tasks\": [{\"count\": \"num_tokens\", \"fma\": %6, \"xu\": %7, \"smem\": %8, \"l2\": \"2 * once\", \"dram\": \"miss * 2 * once\", \"steps\": %9}]}}")
                    .arg(QString::number(launch.cta.threads), QString::number(launch.cta.registers_per_thread), exact(launch.cta.smem_bytes), exact(launch.floor_share),
                         exact(launch.l2_rate_factor), exact(row.demand[Pipe::fma]), exact(row.demand[Pipe::xu]), exact(row.demand[Pipe::smem]), exact(row.steps));
            const auto copy = make(text);
            QVERIFY2(copy.has_value(), copy ? "" : qPrintable(text_of(copy.error())));
            for (const std::int64_t tokens : {1, 77, 4096, 100000}) {
                Params of_built_in = params;
                of_built_in.values[0] = tokens;
                Params of_copy = default_params((*copy)->schema());
                of_copy.values[0] = tokens;
                const auto expected = engine_->predictor.predict(**family, of_built_in, gpu);
                const auto found = engine_->predictor.predict(**copy, of_copy, gpu);
                QVERIFY(expected.has_value());
                QVERIFY2(found.has_value(), found ? "" : qPrintable(text_of(found.error())));
                // Sums of whole bytes in another order: equal but for the last bits.
                QVERIFY2(std::abs(found->latency / expected->latency - 1) < 1e-12, qPrintable(QString("%1: %2 and %3").arg(tokens).arg(found->latency.value).arg(expected->latency.value)));
                QVERIFY(std::abs(found->ceiling / expected->ceiling - 1) < 1e-12);
            }
        }
    }

    void many_threads_get_what_one_gets() {
        const auto kernel = shipped("block_sparse_attention");
        QVERIFY(kernel.has_value());
        std::vector<Params> calls;
        std::vector<double> expected;
        for (std::int64_t length = 1024; length <= 16384; length += 1024) {
            Params params = default_params((*kernel)->schema());
            params.values[param_index((*kernel)->schema(), "length")] = length;
            const auto prediction = engine_->predictor.predict(**kernel, params, *h100_);
            QVERIFY2(prediction.has_value(), prediction ? "" : qPrintable(text_of(prediction.error())));
            calls.push_back(std::move(params));
            expected.push_back(prediction->latency.value);
        }
        std::atomic<int> wrong = 0;
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (std::size_t i = 0; i < 4 * calls.size(); ++i) {
                    const std::size_t at = (i * 7 + t * 3) % calls.size();
                    const auto prediction = engine_->predictor.predict(**kernel, calls[at], *h100_);
                    if (!prediction || prediction->latency.value != expected[at]) ++wrong;
                }
            });
        }
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }

    void shipped_kernels_load_and_run_with_every_preset() {
        QVERIFY2(engine_->kernel_problems.empty(), engine_->kernel_problems.empty() ? "" : qPrintable(text_of(engine_->kernel_problems.front())));
        for (const char* id : {"triton_matmul", "pingpong_gemm", "fused_softmax", "triton_layernorm", "block_sparse_attention"}) {
            const auto family = engine_->kernels.find(id);
            QVERIFY2(family.has_value(), id);
            std::vector<Preset> presets = (*family)->presets();
            presets.push_back({"defaults", {}});
            for (const Preset& preset : presets) {
                std::vector<std::string> assignments;
                for (const auto& [name, value] : preset.values) assignments.push_back(name + "=" + value);
                const auto params = parse_assignments((*family)->schema(), assignments);
                QVERIFY2(params.has_value(), params ? "" : qPrintable(text_of(params.error())));
                const auto explanation = engine_->predictor.explain(**family, *params, *h100_);
                QVERIFY2(explanation.has_value(), explanation ? "" : qPrintable(QString(id) + ": " + text_of(explanation.error())));
                QVERIFY((*explanation)->prediction.latency >= (*explanation)->prediction.ceiling);
            }
        }
    }

    void a_swizzle_saves_what_l2_does_not_hold() {
        const auto kernel = shipped("triton_matmul");
        QVERIFY(kernel.has_value());
        const auto dram_of = [&](const char* group) {
            const auto params = parse_assignments((*kernel)->schema(), {"m=16384", "n=16384", "k=8192", std::string("group_m=") + group});
            return (*kernel)->decompose(*params, *h100_)->front().traffic.dram_read.value;
        };
        // Rows and columns of operands that 132 tiles in flight touch: 1 + 128 tile rows and columns (all of B) without, 8 + 16.5 with.
        QVERIFY(dram_of("8") < 0.3 * dram_of("1"));
    }

    void heaviest_first_shortens_the_tail_of_causal_attention() {
        const auto kernel = shipped("block_sparse_attention");
        QVERIFY(kernel.has_value());
        const auto latency = [&](const char* first) {
            const auto params = parse_assignments((*kernel)->schema(), {"length=8192", "local_blocks=65536", std::string("heaviest_first=") + first});
            const auto prediction = engine_->predictor.predict(**kernel, *params, *h100_);
            return prediction ? prediction->latency.value : -1;
        };
        QVERIFY(latency("true") > 0);
        QVERIFY(latency("true") < latency("false"));
    }

    void followers_run_after_with_a_gap() {
        const QString side = "{\"block\": 32, \"registers\": 32, \"scheduler\": \"hardware\", \"tasks\": [{\"count\": 1, \"fma\": \"m\"}]}";
        const auto kernel = make(file_with("", "", "{\"count\": \"m\", \"fma\": 100}").chopped(1) + ", \"followers\": [" + side + "], \"leaders\": [" + side + "]}");
        QVERIFY2(kernel.has_value(), kernel ? "" : qPrintable(text_of(kernel.error())));
        const auto launches = defaults(**kernel);
        QVERIFY(launches.has_value());
        QCOMPARE(launches->front().followers.size(), std::size_t{1});
        QCOMPARE(launches->front().leaders.size(), std::size_t{1});
        QCOMPARE(launches->front().followers.front().start.value, microseconds(calibration().kernel_gap_us).value);
        QCOMPARE(launches->front().followers.front().groups.front().demand[Pipe::fma], 256.0);
    }

    void a_users_file_replaces_a_shipped_kernel_and_a_bad_one_leaves_the_rest() {
        QTemporaryDir user;
        const fs::path folder = fs::path(user.path().toStdString()) / "kernels";
        fs::create_directories(folder);
        std::ifstream in(kSpecs / "kernels" / "fused_softmax.json", std::ios::binary);
        QString text = QString::fromStdString({std::istreambuf_iterator<char>(in), {}});
        std::ofstream(folder / "a.json") << text.replace("Fused softmax (Triton, persistent)", "My softmax").toStdString();
        std::ofstream(folder / "b.json") << "{\n\"id\": \"b\",\n\"title\": 3}";
        std::ofstream(folder / "c.json") << file_with("", "", "{\"count\": 1}").replace("\"mine\"", "\"gemm\"").toStdString();
        std::ofstream(folder / "d.json") << file_with("", "", "{\"count\": 1}").toStdString();
        std::ofstream(folder / "e.json") << file_with("", "", "{\"count\": 1}").toStdString();
        const auto engine = Engine::load(kSpecs, fs::path(user.path().toStdString()));
        QVERIFY(engine.has_value());
        QCOMPARE((*engine->kernels.find("fused_softmax"))->title(), std::string_view("My softmax"));
        QVERIFY(engine->kernels.find("mine").has_value());
        QVERIFY(engine->kernels.find("gemm").has_value());
        QCOMPARE(engine->kernel_problems.size(), std::size_t{3});
        QVERIFY(text_of(engine->kernel_problems[0]).contains("b.json:3: title: a text in quotes is needed, not 3"));
        QVERIFY(text_of(engine->kernel_problems[1]).contains("c.json:2: id: \"gemm\" is a name of the built-in family gemm"));
        QVERIFY(text_of(engine->kernel_problems[2]).contains("e.json:2: id: \"mine\" is already the id of d.json"));
    }

    void a_reload_takes_what_changed_and_leaves_the_rest_alone() {
        QTemporaryDir user;
        const fs::path folder = fs::path(user.path().toStdString()) / "kernels";
        fs::create_directories(folder);
        const auto write = [&](const char* name, const QString& text) { std::ofstream(folder / name) << text.toStdString(); };
        const QString mine = file_with("", "", "{\"count\": 1}");
        write("mine.json", mine);
        auto engine = Engine::load(kSpecs, fs::path(user.path().toStdString()));
        QVERIFY(engine.has_value());
        const KernelFamily* softmax = *engine->kernels.find("fused_softmax");
        const KernelFamily* before = *engine->kernels.find("mine");
        write("mine.json", QString(mine).replace("\"Mine\"", "\"Mine, again\""));
        write("other.json", QString(mine).replace("\"mine\"", "\"other\""));
        const auto reload = [&] { return reload_kernel_folders(engine->kernels, kSpecs / "kernels", folder, calibration()); };
        QVERIFY(reload().empty());
        QCOMPARE(*engine->kernels.find("fused_softmax"), softmax);
        QCOMPARE((*engine->kernels.find("mine"))->title(), std::string_view("Mine, again"));
        QCOMPARE(before->title(), std::string_view("Mine"));  // what was replaced can still be asked
        QVERIFY(engine->kernels.find("other").has_value());
        write("mine.json", "{");
        QCOMPARE(reload().size(), std::size_t{1});
        QCOMPARE((*engine->kernels.find("mine"))->title(), std::string_view("Mine, again"));
        fs::remove(folder / "mine.json");
        QVERIFY(reload().empty());
        QVERIFY(!engine->kernels.find("mine"));
        write("gemm.json", QString(mine).replace("\"mine\"", "\"gemm\""));
        QCOMPARE(reload().size(), std::size_t{1});
        QVERIFY(dynamic_cast<const CustomKernel*>(*engine->kernels.find("gemm")) == nullptr);
    }
};

QTEST_APPLESS_MAIN(CustomKernelTest)
#include "test_custom_kernel.moc"
