// A short fuzz run over what reads other people's bytes: it returns, it says in one line what is wrong, and what it
// accepts can be written and read again unchanged. A failure prints the number of its input, which Mutator makes again.
#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>

#include "core/shared_data.h"
#include "data/csv.h"
#include "data/gpu_import.h"
#include "data/measurement_store.h"
#include "data/nccl_log.h"
#include "fuzz/mutate.h"
#include "hardware/gpu_json.h"
#include "kernels/custom_kernel.h"
#include "prediction/engine.h"
#include "serving/collective_fit.h"
#include "serving/llm_config.h"
#include "serving/memory_fit.h"
#include "serving/operator_sequence.h"
#include "serving/pools.h"
#include "serving/sweep.h"

using namespace synperf;
namespace fs = std::filesystem;

namespace {

constexpr int kMillisecondsEach = 1200;         // each function
constexpr std::uint32_t kFewestInputs = 200;    // on however slow a machine
constexpr std::uint32_t kManyInputs = 3000;     // of what is read in no time
constexpr std::uintmax_t kLongestSeed = 65536;  // bytes; a longer file only makes fewer tries
const fs::path kSource = SYNPERF_SOURCE_DIR;

const std::string kTable =
    "gpu,dtype,m,n,k,remark\n"
    "H100-SXM5-80GB,bf16,128,256,512,\"quoted, with \"\"quotes\"\"\"\n"
    "L40S,fp8,64,64,64,\"two\nlines\"\r\n"
    "\n"
    "A100,bf16,1,2,3,last";

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void add_folder(std::vector<std::string>& seeds, const fs::path& folder, std::size_t most) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && entry.file_size() <= kLongestSeed) files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.size() > most) files.resize(most);
    for (const fs::path& file : files) seeds.push_back(bytes_of(file));
}

// Files of other programs, where the shared data are there.
void add_samples(std::vector<std::string>& seeds) {
    if (!sharedData()) return;
    for (const char* folder : {"samples/tool_specs", "samples/traps"}) add_folder(seeds, *sharedData() / folder, 100);
}

enum class Verdict { accepted, refused };
// What became of an input, or in `problem` what is wrong with that.
using Check = std::function<Verdict(const std::string& input, std::string& problem)>;

Verdict refused(const Error& error, std::string& problem) {
    const std::string line = error.to_string();
    if (error.message.empty()) problem = "an error without a message";
    if (line.find_first_of("\r\n") != std::string::npos) problem = "an error of more than one line: " + line;
    return Verdict::refused;
}

void run(const std::vector<std::string>& seeds, const Check& check, std::uint32_t fewest = kFewestInputs) {
    test::Mutator mutator(seeds);
    std::uint32_t accepted = 0, n = 0;
    const auto least = static_cast<std::uint32_t>(seeds.size()) + fewest;
    for (const QDeadlineTimer deadline(kMillisecondsEach); n < least || !deadline.hasExpired(); ++n) {
        const std::string input = mutator.input(n);
        std::string problem;
        if (check(input, problem) == Verdict::accepted) ++accepted;
        if (!problem.empty()) {
            const QByteArray shown = QByteArray::fromStdString(input.substr(0, 400)).toPercentEncoding(" {}[]\":,=");
            QFAIL(qPrintable(
                QString("input %1: %2\n%3").arg(n).arg(QString::fromStdString(problem), QString::fromUtf8(shown))));
        }
    }
    // The seeds are good, damage mostly is not: a run that saw only one of the two has tested little.
    QVERIFY(accepted > 0);
    QVERIFY(accepted < n);
    qInfo("%u inputs, %u accepted", n, accepted);
}

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

// Empty where the spec, written and read again, is the same.
std::string lost_in_writing(const GpuSpec& spec) {
    const std::string text = write_gpu_json(spec);
    const auto again = parse_gpu_json(text, "again.json", SpecOrigin::user);
    if (!again) return "what was accepted and written is refused: " + again.error().to_string();
    if (write_gpu_json(*again) != text) return "written twice, the texts differ";
    if (again->id != spec.id || again->aliases != spec.aliases || again->name != spec.name ||
        again->notes != spec.notes || again->compute_capability != spec.compute_capability)
        return "a name was lost in writing";
    for (const GpuFieldInfo& about : gpu_fields())
        if (!same(spec[about.field], (*again)[about.field])) return "changed in writing: " + std::string(about.key);
    return {};
}

}  // namespace

class HostileInputTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void gpu_specs_are_read_or_refused() {
        std::vector<std::string> seeds;
        add_folder(seeds, kSource / "specs/gpus", 8);
        add_samples(seeds);
        run(seeds, [](const std::string& input, std::string& problem) {
            const auto origin = input.size() % 4 == 0 ? SpecOrigin::shipped : SpecOrigin::user;
            const auto spec = parse_gpu_json(input, "hostile.json", origin);
            if (!spec) return refused(spec.error(), problem);
            problem = lost_in_writing(*spec);
            return Verdict::accepted;
        });
    }

    // What is accepted is also called: with its defaults, on a GPU.
    void kernel_files_are_read_or_refused() {
        const auto engine = Engine::load(kSource / "specs");
        QVERIFY(engine.has_value());
        const GpuSpec& gpu = **engine->gpus.find("H100-SXM5-80GB");
        std::vector<std::string> seeds{
            R"({"id": "tiny", "title": "T", "params": [{"name": "m", "kind": "integer", "minimum": 0, "maximum": 100, "default": 7}],
                "let": {"a": "m * 2", "b": "min(a, 3) / m"}, "launch": {"block": 32, "registers": 16, "scheduler": "hardware",
                "tasks": [{"for": "i", "to": "m", "tasks": [{"count": "i + 1", "fma": "a * i", "l2": "m > 3 ? 1 : 1 / 0"}]}]}})"};
        add_folder(seeds, kSource / "specs/kernels", 8);
        add_samples(seeds);
        run(seeds, [&](const std::string& input, std::string& problem) {
            const auto kernel = make_custom_kernel(input, "hostile.json", engine->predictor.calibration());
            if (!kernel) return refused(kernel.error(), problem);
            const auto launches = (*kernel)->decompose(default_params((*kernel)->schema()), gpu);
            if (!launches) {
                refused(launches.error(), problem);
                return Verdict::accepted;
            }
            const Launch& launch = launches->front();
            for (const TaskGroup& group : launch.groups)
                for (const Pipe pipe : kPipes)
                    if (!(group.demand[pipe] >= 0) || group.count <= 0) problem = "a demand or a count that can not be";
            if (launch.groups.size() > 1 && launch.task_count() > kMaxCustomTasks) problem = "more tasks than allowed";
            return Verdict::accepted;
        });
    }

    void tables_are_read_or_refused() {
        std::vector<std::string> seeds{kTable, "\xEF\xBB\xBFgpu,m\r\nL40S,1\r\n"};
        add_samples(seeds);
        run(seeds, [](const std::string& input, std::string& problem) {
            const auto table = parse_csv(input, "hostile.csv");
            if (!table) return refused(table.error(), problem);
            std::string text = "\xEF\xBB\xBF" + csv_line(table->columns);
            for (std::size_t i = 0; i < table->rows.size(); ++i) {
                if (table->rows[i].size() != table->columns.size()) problem = "a row is not as wide as the header";
                if (i > 0 && table->lines[i] <= table->lines[i - 1]) problem = "lines do not ascend";
                text += csv_line(table->rows[i]);
            }
            if (table->lines.size() != table->rows.size()) problem = "rows without a line";
            // Behind a BOM, bytes that look like UTF-16's are refused only where they come unquoted, which is how they
            // are written.
            if (table->columns[0].starts_with("\xFF\xFE") || table->columns[0].starts_with("\xFE\xFF"))
                return Verdict::accepted;
            const auto again = parse_csv(text, "again.csv");
            if (!again) problem = "what was accepted and written is refused: " + again.error().to_string();
            if (again && (again->columns != table->columns || again->rows != table->rows))
                problem = "changed in writing";
            return Verdict::accepted;
        });
    }

    // What is accepted is also counted, cut over GPUs and expanded into kernels.
    void language_models_are_read_or_refused() {
        const auto engine = Engine::load(kSource / "specs");
        QVERIFY(engine.has_value());
        Deployment where;
        where.gpu = **engine->gpus.find("H100-SXM5-80GB");
        std::vector<std::string> seeds;
        add_folder(seeds, kSource / "specs/llms", 20);
        if (sharedData()) add_folder(seeds, *sharedData() / "samples/hf_config", 20);
        run(seeds, [&](const std::string& input, std::string& problem) {
            const auto config = parse_llm_config(input, "hostile.json");
            if (!config) return refused(config.error(), problem);
            const double count = parameter_count(*config);
            if (!std::isfinite(count) || count <= 0) problem = "a count of parameters that can not be";
            for (const std::string& line : config->not_understood)
                if (line.find_first_of("\r\n") != std::string::npos) problem = "what is not understood takes more than one line: " + line;
            if (config->layers.empty()) problem = "no layers";
            if (!check_deployment(*config, where)) return Verdict::accepted;
            const MemoryFit fit = memory_fit(*config, where, {{100, 10, 0}}, 100);
            if (!std::isfinite(fit.needed) || fit.needed <= 0) problem = "a sum of memory that can not be";
            const auto operators = operator_sequence(*config, where, {{{100, 100}, {1, 50}}, 2}, engine->kernels);
            if (!operators) refused(operators.error(), problem);
            return Verdict::accepted;
        }, kManyInputs);
    }

    void requests_are_read_or_refused() {
        const std::vector<std::string> seeds{"prompt_tokens,output_tokens\n100,20\n3000,1\n", "arrival_s,output_tokens,prompt_tokens\r\n0.5,20,\"100\"\r\n1e2,3,4\r\n"};
        run(seeds, [](const std::string& input, std::string& problem) {
            const auto workload = parse_requests(input, "hostile.csv");
            if (!workload) return refused(workload.error(), problem);
            for (const Request& request : *workload)
                if (request.prompt < 1 || request.output < 1 || !(request.arrival >= 0)) problem = "a request that can not be";
            return Verdict::accepted;
        }, kManyInputs);
    }

    void foreign_specs_are_imported_or_refused() {
        const GpuCatalogue known = GpuCatalogue::load(kSource / "specs" / "gpus");
        QVERIFY(!known.gpus().empty());
        std::vector<std::string> seeds{
            R"({"Device": "Test GPU", "Dev_Mem": 48, "Mem_Bw": 1000, "Num_Sm": 100, "Core_Per_SM": 128, "Freq": 2000, "SingleFLOPs": 51200,
                "L2Cache": 64})",
            R"({"name": "Test GPU", "totalGlobalMem": 51539607552, "computeMajor": 8, "computeMinor": 9, "numSms": 100, "memBandwidth": 1000,
                "sharedMemorySize": 100, "l2CacheSize": 65536, "registerFileSize": 256, "l2CacheBandwidth": 5000, "sharedMemoryBandwidth": 128,
                "tcBf16": 1024, "xuFp32": 16, "FmaFp32": 128, "smFreq": 2000, "architecture": "ada"})"};
        add_samples(seeds);
        // JSON and YAML are told apart by content; a name of each kind is tried.
        run(seeds, [&](const std::string& input, std::string& problem) {
            const fs::path file =
                fs::path(folder_.path().toStdString()) / (input.size() % 2 == 0 ? "hostile.json" : "hostile.yaml");
            std::ofstream(file, std::ios::binary) << input;
            const auto imported = import_gpu(file, known);
            if (!imported) return refused(imported.error(), problem);
            for (const std::string& decision : imported->decisions)
                if (decision.empty() || decision.find_first_of("\r\n") != std::string::npos)
                    problem = "a decision is not one line: " + decision;
            if (problem.empty()) problem = lost_in_writing(imported->spec);
            return Verdict::accepted;
        });
    }

    void logs_of_nccl_tests_are_read_or_refused() {
        std::vector<std::string> seeds{
            "# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703\n# Collective test starting: all_gather_perf\n"
            "#  Rank  0 Group  0 Pid   1001 on  node1 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
            "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
            "        1024           128     float    none      -1    12.34    0.08    0.05      0    99.00    0.09    0.05      0\n"
            "[1,0]<stdout>: 2048 256 float none -1 13.50 0.15 0.08 0 98.00 0.16 0.08 0\n"};
        if (sharedData()) add_folder(seeds, *sharedData() / "samples/nccl", 4);
        run(seeds, [](const std::string& input, std::string& problem) {
            static_cast<void>(is_nccl_log(input));
            const auto log = parse_nccl_log(input, "hostile.log");
            if (!log) return refused(log.error(), problem);
            for (const auto& [bytes, us] : log->rows)
                if (bytes < 1 || !(us > 0 && std::isfinite(us))) problem = "a row of no size or time was accepted";
            if (log->ranks < 0 || log->ranks_per_node > log->ranks) problem = "more ranks a node than ranks";
            return Verdict::accepted;
        });
    }

    void tables_of_collectives_are_read_or_refused() {
        const std::vector<std::string> seeds{
            "gpu,op,num_gpus,bytes,backend,interconnect,devices_per_node,framework,latency_us\n"
            "H100,all_reduce,8,1024,nccl,nvlink,8,nccl-tests,12.5\nL40S,send_recv,2,4096,nccl_kernel,pcie,,vidur,9\n"};
        run(seeds, [](const std::string& input, std::string& problem) {
            const auto table = parse_csv(input, "hostile.csv");
            if (!table) return refused(table.error(), problem);
            const auto rows = measured_collective_rows(*table);
            if (!rows) return refused(rows.error(), problem);
            for (const CollectiveMeasurement& row : rows->rows) {
                const bool possible = row.key.num_gpus >= 2 && row.bytes >= 1 && row.latency_us > 0 && std::isfinite(row.latency_us) && !row.key.gpu.empty();
                if (!possible) problem = "an impossible row was accepted";
            }
            return Verdict::accepted;
        });
    }

    void stores_of_measurements_are_read_or_refused() {
        const std::string file = (fs::path(folder_.path().toStdString()) / "measured.db").string();
        {
            const auto store = open_store(file);
            QVERIFY(store.has_value());
            std::vector<CollectiveMeasurement> rows;
            for (int i = 0; i < 40; ++i) rows.push_back({{"H100-SXM5-80GB", CollectiveOp::all_reduce, 8, 8, CollectiveBackend::nccl, "nvlink", "nccl-tests"}, "bf16", "2.21", 1024 << (i % 20), 10.0 + i});
            QVERIFY((*store)->add(rows, "test").has_value());
        }
        const std::vector<std::string> seeds{bytes_of(file)};
        const std::string hostile = (fs::path(folder_.path().toStdString()) / "hostile.db").string();
        run(seeds, [&](const std::string& input, std::string& problem) {
            std::ofstream(hostile, std::ios::binary | std::ios::trunc) << input;
            const auto store = open_store(hostile);
            if (!store) return refused(store.error(), problem);
            const auto rows = (*store)->query();
            if (!rows) return refused(rows.error(), problem);
            for (const CollectiveMeasurement& row : *rows)
                if (row.key.num_gpus < 2 || row.bytes < 1 || !(row.latency_us > 0 && std::isfinite(row.latency_us))) problem = "an impossible row was read";
            const auto curves = stored_curves(hostile);
            if (!curves) refused(curves.error(), problem);
            return Verdict::accepted;
        });
    }

    void curves_of_collectives_are_read_or_refused() {
        const std::string curve = R"({"curves": [{"gpu": "H100-SXM5-80GB", "op": "all_reduce", "num_gpus": 8, "devices_per_node": 8, "backend": "nccl", "interconnect": "nvlink", "framework": "nccl-tests"}]})";
        std::vector<std::string> seeds{curve};
        std::string shipped = bytes_of(kSource / "specs/collectives/measured.json");
        seeds.push_back(std::move(shipped));
        const fs::path file = fs::path(folder_.path().toStdString()) / "curves.json";
        run(seeds, [&](const std::string& input, std::string& problem) {
            std::ofstream(file, std::ios::binary | std::ios::trunc) << input;
            const auto curves = read_collective_curves(file);
            if (!curves) return refused(curves.error(), problem);
            for (const CollectiveCurve& each : curves->curves) {
                double last = 0;
                for (const double bytes : {1.0, 4096.0, 1e6, 1e9}) {
                    const double us = each.us(bytes);
                    if (!std::isfinite(us) || us < last) problem = "a curve that falls";
                    last = us;
                }
            }
            return Verdict::accepted;
        });
    }

    void frameworks_are_read_or_refused() {
        std::vector<std::string> seeds;
        add_folder(seeds, kSource / "specs/frameworks", 10);
        for (std::string& seed : seeds) seed = std::regex_replace(seed, std::regex("\"id\": \"[^\"]*\""), "\"id\": \"hostile\"");
        const fs::path specs = folder_.path().toStdString();
        fs::create_directories(specs / "frameworks");
        run(seeds, [&](const std::string& input, std::string& problem) {
            std::ofstream(specs / "frameworks" / "hostile.json", std::ios::binary | std::ios::trunc) << input;
            const auto framework = read_framework("hostile", specs);
            if (!framework) return refused(framework.error(), problem);
            if (!(framework->decode_step.value >= 0 && framework->memory_share > 0 && framework->token_budget >= 1 && framework->overlap <= 1)) problem = "a framework that can not be";
            return Verdict::accepted;
        });
    }

    void options_of_serve_are_read_or_refused() {
        const GpuCatalogue gpus = GpuCatalogue::load(kSource / "specs" / "gpus");
        run({"batch=1,2,4..64", "prompt=128..4096+128", "H100:8:4:2", "50GB/s,10us", "dgx-h100", "rope=mine.json:block=128"}, [&](const std::string& input, std::string& problem) {
            bool read = false;
            if (const auto dimension = parse_sweep(input); dimension) {
                read = true;
                if (dimension->values.empty() || dimension->values.size() > kMostSweepValues || std::ranges::min(dimension->values) < 1) problem = "a sweep that can not be";
            } else {
                refused(dimension.error(), problem);
            }
            if (const auto pool = parse_pool(input, gpus, {}, "--prefill-pool"); pool) {
                read = true;
                if (pool->count < 1 || pool->tp < 1 || pool->pp < 1) problem = "a pool that can not be";
            } else {
                refused(pool.error(), problem);
            }
            if (const auto link = PoolLink::parse(input); link) {
                read = true;
                if (link->topology.empty() && !(link->gbps > 0 && std::isfinite(link->gbps))) problem = "a link that can not be";
            } else {
                refused(link.error(), problem);
            }
            if (const auto replacement = KernelReplacement::parse(input); !replacement) refused(replacement.error(), problem);
            return read ? Verdict::accepted : Verdict::refused;
        }, kManyInputs);
    }

    void parameters_are_read_or_refused() {
        const auto engine = Engine::load(kSource / "specs");
        QVERIFY(engine.has_value());
        const std::vector<std::string> seeds{
            "4096", "-5",   "0",    "1099511627776", "4e3",      "0.5",         "true",  "no",
            "bf16", "auto", "sm90", "1,2,3",         "[1, 2,2]", "4096x1,7x31", "  12 ", ""};
        run(seeds, [&](const std::string& input, std::string& problem) {
            Verdict verdict = Verdict::refused;
            for (const auto& family : engine->kernels.families()) {
                for (const ParamSchema& schema : family->schema()) {
                    const auto value = parse_param(schema, input);
                    if (!value) {
                        refused(value.error(), problem);
                        continue;
                    }
                    verdict = Verdict::accepted;
                    const auto again = parse_param(schema, to_text(*value));
                    if (!again)
                        problem =
                            schema.name + ": what was accepted and written is refused: " + again.error().to_string();
                    if (again && *again != *value) problem = schema.name + ": changed in writing: " + to_text(*value);
                }
            }
            return verdict;
        });
    }
};

QTEST_APPLESS_MAIN(HostileInputTest)
#include "test_hostile_input.moc"
