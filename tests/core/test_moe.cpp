// Routing, tiles and launches of the fused MoE families. Expected values are worked by hand unless a test says otherwise.
#include <QtTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "hardware/gpu_catalogue.h"
#include "kernels/families.h"
#include "kernels/grouped_gemm.h"
#include "kernels/kernel_family.h"
#include "kernels/moe_rules.h"
#include "kernels/moe_tuned_table.h"
#include "machines.h"

using namespace synperf;

namespace {

std::string calibration_folder() { return std::string(SYNPERF_SOURCE_DIR) + "/specs/calibration"; }

const KernelRegistry& registry() {
    static const KernelRegistry all = *KernelRegistry::built_in(calibration_folder());
    return all;
}

Result<std::vector<Launch>> decompose(const char* family, const std::vector<std::string>& texts, const GpuSpec& gpu = test::plain_gpu()) {
    const KernelFamily& found = **registry().find(family);
    const auto params = parse_assignments(found.schema(), texts);
    if (!params) return tl::unexpected(params.error());
    return found.decompose(*params, gpu);
}

const GpuSpec& shipped(const char* id) {
    static const GpuCatalogue catalogue = GpuCatalogue::load(std::string(SYNPERF_SOURCE_DIR) + "/specs/gpus");
    return **catalogue.find(id);
}

Launch launch_of(const char* family, const std::vector<std::string>& texts, const GpuSpec& gpu = test::plain_gpu()) {
    auto launches = decompose(family, texts, gpu);
    if (!launches) qFatal("%s", launches.error().to_string().c_str());
    return launches->front();
}

std::vector<const Launch*> all_launches(const Launch& main) {
    std::vector<const Launch*> launches;
    for (const Launch& leader : main.leaders) launches.push_back(&leader);
    launches.push_back(&main);
    for (const Launch& follower : main.followers) launches.push_back(&follower);
    return launches;
}

const Launch* follower(const Launch& main, std::string_view starts) {
    for (const Launch& launch : main.followers) {
        if (launch.kernel.starts_with(starts)) return &launch;
    }
    return nullptr;
}

}  // namespace

class MoeTest : public QObject {
    Q_OBJECT

private slots:
    void every_expert_is_padded_to_whole_blocks() {
        // 70 -> 5 blocks of 16, 16 -> 1, 1 -> 1, 0 -> 0, 33 -> 3.
        const ExpertLoads loads = explicit_loads({70, 16, 1, 0, 33});
        QCOMPARE(loads.blocks(16), std::int64_t{10});
        QCOMPARE(loads.blocks(64), std::int64_t{5});
        QCOMPARE(loads.assignments(), 120.0);
        QCOMPARE(loads.active(), 4.0);
    }

    void equal_experts_share_one_run() {
        const ExpertLoads loads = balanced_loads({.num_tokens = 10, .topk = 2, .num_experts = 8, .ranks = 1});
        // 20 pairs over 8 experts: 4 of 3 and 4 of 2.
        QCOMPARE(loads.runs.size(), std::size_t{2});
        QCOMPARE(loads.runs[0].tokens, std::int64_t{3});
        QCOMPARE(loads.runs[0].experts, std::int64_t{4});
        QCOMPARE(loads.runs[1].tokens, std::int64_t{2});
    }

    void few_tokens_touch_few_experts() {
        QCOMPARE(balanced_loads({.num_tokens = 1, .topk = 8, .num_experts = 128, .ranks = 1}).active(), 8.0);
        // 8 x 8 pairs over 32 ranks: 2 on this one, each on an expert of its own.
        QCOMPARE(balanced_loads({.num_tokens = 8, .topk = 8, .num_experts = 256, .ranks = 32}).active(), 2.0);
        QCOMPARE(power_law_loads({.num_tokens = 1, .topk = 8, .num_experts = 128, .ranks = 1}, 1.2).active(), 8.0);
    }

    void a_power_law_keeps_every_pair_and_caps_an_expert_at_the_tokens_data() {
        QTest::addColumn<qint64>("tokens");
        QTest::addColumn<qint64>("topk");
        QTest::addColumn<qint64>("experts");
        QTest::newRow("one token") << qint64{1} << qint64{8} << qint64{128};
        QTest::newRow("fewer pairs than experts") << qint64{7} << qint64{6} << qint64{384};
        QTest::newRow("as many pairs as experts") << qint64{16} << qint64{8} << qint64{128};
        QTest::newRow("many") << qint64{4096} << qint64{8} << qint64{256};
        QTest::newRow("all experts for every token") << qint64{100} << qint64{8} << qint64{8};
        QTest::newRow("one expert") << qint64{33} << qint64{1} << qint64{1};
    }
    void a_power_law_keeps_every_pair_and_caps_an_expert_at_the_tokens() {
        QFETCH(qint64, tokens);
        QFETCH(qint64, topk);
        QFETCH(qint64, experts);
        for (const double exponent : {0.6, 1.0, 1.01, 1.2, 3.0}) {
            const ExpertLoads loads = power_law_loads({.num_tokens = tokens, .topk = topk, .num_experts = experts, .ranks = 1}, exponent);
            QCOMPARE(loads.assignments(), static_cast<double>(tokens * topk));
            std::int64_t held = 0;
            for (const ExpertRun& run : loads.runs) {
                QVERIFY(run.tokens >= 0 && run.tokens <= tokens);
                held += run.experts;
            }
            QCOMPARE(held, std::int64_t{experts});
        }
    }

    void the_most_loaded_rank_has_at_least_its_share_and_at_most_everything() {
        const MoeRouting routing{.num_tokens = 2048, .topk = 8, .num_experts = 128, .ranks = 16};
        const ExpertLoads skewed = power_law_loads(routing, 1.2);
        QVERIFY(skewed.assignments() > 2048.0 * 8 / 16);
        QVERIFY(skewed.assignments() < 2048.0 * 8);
        QVERIFY(skewed.active() <= 8);
        QCOMPARE(skewed.assignments(), power_law_loads(routing, 1.2).assignments());  // no chance between two calls
    }

    void triton_walks_group_m_row_blocks_before_the_next_column() {
        // 5 row blocks, 3 columns of tiles, groups of 2: rows 0, 1 of column 0, then of column 1, ...; the last group has one row block.
        const auto at = [](std::int64_t index) { return swizzled_block(index, 5, 3, 2); };
        QCOMPARE(at(0).row_block, std::int64_t{0});
        QCOMPARE(at(1).row_block, std::int64_t{1});
        QCOMPARE(at(2).row_block, std::int64_t{0});
        QCOMPARE(at(2).column_block, std::int64_t{1});
        QCOMPARE(at(6).row_block, std::int64_t{2});
        QCOMPARE(at(14).row_block, std::int64_t{4});
        QCOMPARE(at(14).column_block, std::int64_t{2});
    }

    void a_task_names_its_expert_rows_and_columns() {
        const KernelFamily& family = **registry().find("moe_gemm");
        const std::vector<std::string> texts{"num_experts=3", "topk=1", "routing=explicit", "expert_tokens=20,0,5", "inter_size=64", "hidden_size=256",
                                             "block_m=16", "block_n=64", "block_k=64", "group_m=1"};
        const Params params = *parse_assignments(family.schema(), texts);
        const Launch launch = launch_of("moe_gemm", texts);
        QCOMPARE(launch.task_count(), std::int64_t{6});  // 2 + 0 + 1 row blocks, 128 / 64 columns
        QCOMPARE(family.task_label(params, test::plain_gpu(), launch, 3), std::string("expert 0, rows 16-19, columns 64-127"));
        QCOMPARE(family.task_label(params, test::plain_gpu(), launch, 4), std::string("expert 2, rows 0-4, columns 0-63"));
    }

    void a_grouped_product_asks_for_the_closed_form_totals() {
        const Launch launch = launch_of("moe_gemm", {"num_experts=4", "topk=1", "routing=explicit", "expert_tokens=100,0,30,64", "inter_size=512", "hidden_size=1024",
                                                     "block_m=64", "block_n=128", "block_k=64", "weight_type=w13"});
        // 2 + 0 + 1 + 1 blocks of 64 rows; 1024 columns are 8 tiles; depth 1024.
        QCOMPARE(launch.task_count(), std::int64_t{4 * 8});
        const Demand total = launch.total_demand();
        QCOMPARE(total[Pipe::tensor], 2.0 * 4 * 64 * 1024 * 1024);
        QCOMPARE(launch.useful_flop, 2.0 * 194 * 1024 * 1024);
        // Three active experts' weights, every row once.
        QCOMPARE(launch.traffic.compulsory_read.value, 3.0 * 1024 * 1024 * 2 + 194.0 * 1024 * 2);
        QCOMPARE(launch.traffic.compulsory_write.value, 194.0 * 1024 * 2);
        // L2: every tile reads its rows and its columns, and writes its part.
        const double l2 = (194.0 * 8 + 4.0 * 1024) * 1024 * 2 + 194.0 * 1024 * 2;
        QVERIFY(std::abs(total[Pipe::l2] / l2 - 1) < 1e-12);
    }

    void an_empty_expert_costs_nothing() {
        const std::vector<std::string> common{"topk=1", "routing=explicit", "hidden_size=1024", "inter_size=512", "block_m=16"};
        auto with = [&](const char* experts, const char* tokens) {
            std::vector<std::string> texts = common;
            texts.push_back(std::string("num_experts=") + experts);
            texts.push_back(std::string("expert_tokens=") + tokens);
            return launch_of("moe_gemm", texts).total_demand();
        };
        const Demand two = with("2", "40,7");
        const Demand with_idle = with("6", "0,40,0,0,7,0");
        for (const Pipe pipe : kPipes) QCOMPARE(with_idle[pipe], two[pipe]);
    }

    void no_tokens_are_launches_without_work() {
        for (const char* backend : {"triton", "sglang_triton", "triton_kernels", "cutlass", "trtllm", "marlin"}) {
            const Launch main = launch_of("moe", {"num_tokens=0", std::string("backend=") + backend});
            for (const Launch* launch : all_launches(main)) QCOMPARE(launch->task_count(), std::int64_t{0});
        }
        QCOMPARE(launch_of("moe_gemm", {"num_tokens=0"}).task_count(), std::int64_t{0});
        QCOMPARE(launch_of("moe", {"distribution=explicit", "num_experts=4", "topk=2", "num_tokens=0", "expert_tokens=0x4"}).task_count(), std::int64_t{0});
    }

    void one_token_runs_every_kernel_of_the_layer() {
        const Launch main = launch_of("moe", {"num_tokens=1", "hidden_size=2048", "inter_size=768", "backend=triton"});
        QCOMPARE(main.leaders.size(), std::size_t{2});  // router, sort
        QCOMPARE(main.followers.size(), std::size_t{3});  // activation, second product, sum
        for (const Launch* launch : all_launches(main)) {
            QCOMPARE(launch->groups.size(), std::size_t{1});
            for (const Pipe pipe : kPipes) QVERIFY(std::isfinite(launch->groups[0].demand[pipe]) && launch->groups[0].demand[pipe] >= 0);
        }
        // 8 experts of one row: 8 blocks; up to 64 tokens tiles are 64 columns wide: 1536 / 64 = 24.
        QCOMPARE(main.task_count(), std::int64_t{192});
    }

    void tiles_follow_the_rule_of_the_release() {
        // SGLang: narrow tiles while there are no more tokens than experts of this rank, 128 / 2 = 64.
        QCOMPARE(launch_of("moe", {"num_tokens=64", "ep=2", "backend=sglang_triton"}).kernel, std::string("moe w13 16x32x64"));
        QCOMPARE(launch_of("moe", {"num_tokens=65", "ep=2", "backend=sglang_triton"}).kernel, std::string("moe w13 64x64x32"));
        QCOMPARE(launch_of("moe", {"num_tokens=65", "ep=2", "dtype=fp8_block", "backend=sglang_triton"}).kernel, std::string("moe w13 64x128x128"));
        // vLLM: by tokens alone.
        QCOMPARE(launch_of("moe", {"num_tokens=512", "backend=triton"}).kernel, std::string("moe w13 64x128x64"));
        QCOMPARE(launch_of("moe", {"num_tokens=513", "backend=triton"}).kernel, std::string("moe w13 128x128x64"));
        // What has no such rule goes by an expert's mean rows: 513 x 8 / 128 = 32.06.
        QCOMPARE(launch_of("moe", {"num_tokens=513", "backend=trtllm"}).kernel, std::string("moe w13 64x128x128"));
    }

    void an_older_release_multiplies_tokens_by_all_their_experts() {
        const auto flop = [](const char* backend, const char* ep) { return launch_of("moe", {"num_tokens=4096", "topk=8", ep, std::string("backend=") + backend}).useful_flop; };
        // 4096 x 8 / 8 pairs of 4096 tokens come to a rank of 8, each with its 8 experts; of 16 ranks half of the tokens.
        QCOMPARE(flop("sglang_triton_0_5_10", "ep=8"), 8 * flop("sglang_triton", "ep=8"));
        QCOMPARE(flop("sglang_triton_0_5_10", "ep=16"), 8 * flop("sglang_triton", "ep=16"));
        QCOMPARE(flop("sglang_triton_0_5_10", "ep=1"), flop("sglang_triton", "ep=1"));
    }

    void an_older_release_runs_experts_without_a_gate_as_if_they_had_one() {
        for (const char* backend : {"triton_0_14", "sglang_triton_0_5_10", "sglang_triton"}) {
            const auto demand = [backend](const char* gated) { return launch_of("moe", {"num_tokens=512", gated, std::string("backend=") + backend}).total_demand(); };
            const double more = demand("gated=1")[Pipe::tensor] / demand("gated=0")[Pipe::tensor];
            QCOMPARE(more, std::string_view(backend) == "sglang_triton" ? 2.0 : 1.0);
        }
    }

    void cutlass_on_hopper_has_blocks_of_128_rows_only() {
        const auto kernel = [](const char* gpu, const char* dtype) { return launch_of("moe", {"num_tokens=64", "backend=cutlass", dtype}, shipped(gpu)).kernel; };
        QCOMPARE(kernel("H100", "dtype=fp8"), std::string("moe w13 128x128x64"));
        QCOMPARE(kernel("B200", "dtype=fp8"), std::string("moe w13 64x128x64"));
        QCOMPARE(kernel("H100", "dtype=fp8_block"), std::string("moe w13 64x128x64"));
    }

    void half_a_cache_line_of_each_weight_row_costs_dram_rate() {
        // 64 x 64 x 32 tiles of 16 bit take 64 of 128 bytes; shares of gemm_tiles.json.
        const auto share = [](const char* gpu, const char* tokens) { return launch_of("moe", {tokens, "backend=sglang_triton"}, shipped(gpu)).dram_rate_factor; };
        QCOMPARE(share("L40S", "num_tokens=512"), 0.7);
        QCOMPARE(share("A100", "num_tokens=512"), 0.91);
        QCOMPARE(share("L40S", "num_tokens=64"), 1.0);  // 16 x 32 x 64
    }

    void a_slow_tensor_pipe_is_fed_in_time_at_the_edges_of_a_tile() {
        const auto factor = [](const char* gpu, const char* rows) { return launch_of("moe_gemm", {rows, "block_n=64", "block_k=64", "num_warps=4", "num_stages=3"}, shipped(gpu)).tensor_rate_factor; };
        // The edges' share is the factor's distance from 1 / factor of a tile without any: by the ratio of the rates, H20 958 FLOP/clk/SM, H100 4096.
        const auto edges = [&](const char* gpu) { return factor(gpu, "block_m=128") / factor(gpu, "block_m=16") - 1; };
        QVERIFY(edges("H20") < 0.3 * edges("H100"));
        QVERIFY(edges("H20") > 0);
    }

    void blocks_of_other_ranks_are_visited() {
        const Launch main = launch_of("moe", {"num_tokens=4096", "ep=8", "hidden_size=4096", "inter_size=1536", "backend=triton"});
        // 4096 x 8 / 128 = 256 rows an expert: 2 blocks of 128 for each of 7 x 16 experts elsewhere, 3072 / 128 + 4096 / 128 tiles each.
        QCOMPARE(follower(main, "blocks of other ranks")->task_count(), std::int64_t{7 * 16 * 2 * (24 + 32)});
        QVERIFY(follower(launch_of("moe", {"num_tokens=4096", "backend=triton"}), "blocks of other ranks") == nullptr);
    }

    void tensor_parallel_ranks_share_an_experts_columns() {
        const Launch one = launch_of("moe", {"num_tokens=4096", "backend=triton"});
        const Launch four = launch_of("moe", {"num_tokens=4096", "tp=4", "backend=triton"});
        QCOMPARE(four.useful_flop * 4, one.useful_flop);
        QCOMPARE(follower(four, "moe w2")->useful_flop * 4, follower(one, "moe w2")->useful_flop);
    }

    void expert_parallel_ranks_share_the_pairs() {
        const Launch one = launch_of("moe", {"num_tokens=4096", "backend=trtllm"});
        const Launch eight = launch_of("moe", {"num_tokens=4096", "ep=8", "backend=trtllm"});
        QCOMPARE(eight.useful_flop * 8, one.useful_flop);
        QCOMPARE(eight.task_count() * 8, one.task_count());
        // trtllm's sum reads this rank's rows only; triton's reads the zeroed ones of the others too.
        const Launch triton = launch_of("moe", {"num_tokens=4096", "ep=8", "backend=triton"});
        QVERIFY(follower(triton, "weighted sum")->total_demand()[Pipe::l2] > 4 * follower(eight, "weighted sum")->total_demand()[Pipe::l2]);
    }

    void an_expert_without_a_gate_has_half_the_first_product() {
        const Launch gated = launch_of("moe", {"backend=triton"});
        const Launch plain = launch_of("moe", {"backend=triton", "gated=0"});
        QCOMPARE(plain.useful_flop * 2, gated.useful_flop);
        QVERIFY(follower(plain, "activation") != nullptr);
        QVERIFY(follower(gated, "silu & mul") != nullptr);
    }

    void a_format_that_the_gpu_can_not_multiply_is_widened_to_16_bit() {
        // The test GPU states no fp8 rate.
        const Launch launch = launch_of("moe", {"dtype=fp8", "backend=triton"});
        QCOMPARE(launch.math, DType::bf16);
        QVERIFY(!launch.notes.empty());
        GpuSpec gpu = test::plain_gpu();
        gpu[GpuField::fp8_tflops] = 2 * gpu[GpuField::bf16_tflops];
        const Launch native = decompose("moe", {"dtype=fp8", "backend=triton"}, gpu)->front();
        QCOMPARE(native.math, DType::fp8);
        QCOMPARE(native.leaders.size(), std::size_t{3});  // router, sort, quantiser
    }

    void a_tuned_tables_name_says_what_it_is_for() {
        const auto name = parse_tuned_name("E=128,N=384,device_name=NVIDIA_H20,dtype=fp8_w8a8,block_shape=[128, 128].json");
        QVERIFY(name);
        QCOMPARE(name->experts, std::int64_t{128});
        QCOMPARE(name->columns, std::int64_t{384});
        QCOMPARE(name->device, std::string("NVIDIA_H20"));
        QCOMPARE(name->dtype, std::string("fp8_w8a8"));
        QCOMPARE(name->block_shape, std::string("[128,128]"));
        for (const char* other : {"README.md", "E=0,N=4,device_name=A.json", "E=8,device_name=A.json", "E=8,N=x,device_name=A.json", "E=8,N=4,device_name=A,shape=[.json"}) {
            QVERIFY2(!parse_tuned_name(other), other);
        }
    }

    void the_nearest_token_count_gives_the_tile() {
        const auto entry = [](int m) {
            return "{\"BLOCK_SIZE_M\": " + std::to_string(m) + ", \"BLOCK_SIZE_N\": 64, \"BLOCK_SIZE_K\": 64, \"GROUP_SIZE_M\": 1, \"num_warps\": 4, \"num_stages\": 3, \"SPLIT_K\": 1}";
        };
        const auto table = parse_tuned_table("{\"triton_version\": \"3.4\", \"64\": " + entry(32) + ", \"1\": " + entry(16) + ", \"4096\": " + entry(128) + "}", "x.json");
        QVERIFY2(table, table ? "" : table.error().to_string().c_str());
        QCOMPARE(table->nearest(1).block_m, std::int64_t{16});
        QCOMPARE(table->nearest(30).block_m, std::int64_t{16});
        QCOMPARE(table->nearest(40).block_m, std::int64_t{32});
        QCOMPARE(table->nearest(2080).block_m, std::int64_t{32});  // 2016 from both: the smaller
        QCOMPARE(table->nearest(1'000'000).block_m, std::int64_t{128});
    }

    void a_hostile_tuned_table_is_one_clear_line_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no JSON") << QByteArray("{") << "x.json";
        QTest::newRow("a list") << QByteArray("[]") << "object by token count";
        QTest::newRow("nothing in it") << QByteArray("{}") << "no token count";
        QTest::newRow("no token count") << QByteArray("{\"many\": {}}") << "many";
        QTest::newRow("no tile") << QByteArray("{\n\"4\": 7}") << "x.json:2";
        QTest::newRow("a field is missing") << QByteArray("{\"4\": {\"BLOCK_SIZE_M\": 16}}") << "4.BLOCK_SIZE_N";
        QTest::newRow("no whole number") << QByteArray("{\"4\": {\"BLOCK_SIZE_M\": 1e99}}") << "whole number of 1 to 512";
        QTest::newRow("a huge tile") << QByteArray("{\"4\": {\"BLOCK_SIZE_M\": 100000}}") << "whole number of 1 to 512";
        QTest::newRow("deep") << QByteArray(100000, '[') << "x.json";
        QByteArray many("{");
        for (int i = 1; i < 3000; ++i) many += "\"" + QByteArray::number(i) + "\": {},";
        QTest::newRow("too many") << many + "\"3000\": {}}" << "at most 1024";
    }
    void a_hostile_tuned_table_is_one_clear_line() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto table = parse_tuned_table({text.constData(), static_cast<std::size_t>(text.size())}, "x.json");
        QVERIFY(!table);
        const QString line = QString::fromStdString(table.error().to_string());
        QVERIFY2(line.contains(says), qPrintable(line));
        QVERIFY(!line.contains('\n'));
    }

    void a_layer_takes_the_tile_of_a_tuned_table_of_its_gpu_and_rank() {
        QTemporaryDir specs;
        std::filesystem::create_directories(specs.filePath("moe_configs").toStdString());
        std::ofstream(specs.filePath("moe_configs/E=16,N=384,device_name=Test_GPU_40GB.json").toStdString())
            << R"({"4096": {"BLOCK_SIZE_M": 32, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 128, "GROUP_SIZE_M": 2, "num_warps": 8, "num_stages": 2}})";
        std::ofstream(specs.filePath("moe_configs/E=8,N=384,device_name=Test_GPU_40GB.json").toStdString()) << "{}";
        const KernelRegistry with_user = *KernelRegistry::built_in(calibration_folder(), specs.path().toStdString());
        const KernelFamily& family = **with_user.find("moe");
        GpuSpec gpu = test::plain_gpu();
        gpu.aliases = {"Test GPU 40GB"};
        const auto launch = [&](std::vector<std::string> texts) {
            texts.insert(texts.end(), {"num_tokens=4096", "inter_size=1536", "tp=4", "num_experts=128", "backend=triton"});
            return family.decompose(*parse_assignments(family.schema(), texts), gpu)->front();
        };
        QCOMPARE(launch({"ep=8"}).kernel, std::string("moe w13 32x64x128"));
        QCOMPARE(launch({"ep=8", "tuned_table=false"}).kernel, launch_of("moe", {"num_tokens=4096", "inter_size=1536", "tp=4", "ep=8", "backend=triton"}).kernel);
        QCOMPARE(launch({"ep=8", "block_m=64"}).kernel, std::string("moe w13 64x64x128"));  // what is given wins
        const Launch broken = launch({"ep=16"});
        QVERIFY(!broken.notes.empty() && broken.notes.back().find("no token count") != std::string::npos);
    }

    void what_can_not_be_is_refused_by_name_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<QString>("field");
        QTest::newRow("more choices than experts") << "moe" << QStringList{"topk=9", "num_experts=8"} << "topk";
        QTest::newRow("more ranks than experts") << "moe" << QStringList{"ep=16", "num_experts=8"} << "ep";
        QTest::newRow("list of another length") << "moe" << QStringList{"distribution=explicit", "num_experts=8", "expert_tokens=1,2,3"} << "expert_tokens";
        QTest::newRow("more pairs than the router gives") << "moe" << QStringList{"distribution=explicit", "num_experts=2", "num_tokens=4", "topk=1", "expert_tokens=3,2"} << "expert_tokens";
        QTest::newRow("a list that would be ignored") << "moe" << QStringList{"num_experts=8", "expert_tokens=1x8"} << "expert_tokens";
        QTest::newRow("a list that one product would ignore") << "moe_gemm" << QStringList{"num_experts=8", "expert_tokens=1x8"} << "expert_tokens";
        QTest::newRow("the same for one product") << "moe_gemm" << QStringList{"routing=explicit", "num_experts=8", "expert_tokens=1,2,3"} << "expert_tokens";
        QTest::newRow("stages that do not fit") << "moe_gemm" << QStringList{"block_m=256", "block_n=256", "block_k=128", "num_stages=8"} << "num_stages";
        QTest::newRow("negative tokens") << "moe" << QStringList{"num_tokens=-1"} << "num_tokens";
        QTest::newRow("unknown backend") << "moe" << QStringList{"backend=fast"} << "backend";
    }
    void what_can_not_be_is_refused_by_name() {
        QFETCH(QString, family);
        QFETCH(QStringList, texts);
        QFETCH(QString, field);
        std::vector<std::string> assignments;
        for (const QString& text : texts) assignments.push_back(text.toStdString());
        const auto launches = decompose(family.toUtf8().constData(), assignments);
        QVERIFY(!launches);
        QCOMPARE(QString::fromStdString(launches.error().field), field);
    }
};

QTEST_APPLESS_MAIN(MoeTest)
#include "test_moe.moc"
