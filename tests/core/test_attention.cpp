// The attention family: what any shape must satisfy, and rules worked out by hand.
#include <QtTest>
#include <cmath>
#include <random>

#include "kernels/attention_call.h"
#include "prediction/engine.h"

using namespace synperf;

namespace {

const Engine& engine() {
    static const Engine loaded = *Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
    return loaded;
}
const KernelFamily& family() { return **engine().kernels.find("attention"); }
const GpuSpec& gpu(const char* id) { return **engine().gpus.find(id); }
Params params_of(const std::vector<std::string>& texts) {
    const auto params = parse_assignments(family().schema(), texts);
    if (!params) qFatal("%s", params.error().to_string().c_str());
    return *params;
}
Result<Launch> launched(const char* id, const std::vector<std::string>& texts) {
    auto launches = family().decompose(params_of(texts), gpu(id));
    if (!launches) return tl::unexpected(launches.error());
    return launches->front();
}
Launch launch_of(const char* id, const std::vector<std::string>& texts) {
    auto launch = launched(id, texts);
    if (!launch) qFatal("%s", launch.error().to_string().c_str());
    return *launch;
}
double microseconds_of(const char* id, const std::vector<std::string>& texts) {
    const auto prediction = engine().predictor.predict(family(), params_of(texts), gpu(id));
    if (!prediction) qFatal("%s", prediction.error().to_string().c_str());
    return to_microseconds(prediction->latency);
}
double makespan(const char* id, const std::vector<std::string>& texts) {
    const Launch launch = launch_of(id, texts);
    const Machine machine = *machine_for(launch, gpu(id), engine().predictor.calibration());
    return run_schedule(launch, machine)->makespan_cycles;
}
std::string set(const char* name, std::int64_t value) { return std::string(name) + "=" + std::to_string(value); }
bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::max(std::abs(a), std::abs(b))); }

}  // namespace

class AttentionTest : public QObject {
    Q_OBJECT

private slots:
    // Head sizes, GQA ratios and kernels drawn at random: nothing negative, nothing lost between tasks, SMs and the GPU.
    void any_shape_is_launched_with_finite_demands_that_add_up() {
        std::mt19937 random(11);
        const auto pick = [&random](auto... values) {
            const std::array<int, sizeof...(values)> all{values...};
            return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
        };
        const std::array<const char*, 6> gpus{"A100", "H100", "B200", "L40S", "RTX PRO 6000", "MI300X"};
        int made = 0;
        for (int round = 0; round < 600; ++round) {
            const char* id = gpus[static_cast<std::size_t>(round) % gpus.size()];
            const int kv_heads = pick(1, 1, 2, 4, 8);
            const int ratio = pick(1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64, 128);
            const int head_dim = pick(64, 72, 80, 96, 104, 112, 128, 192, 256, 512, 576);
            const int v_head_dim = head_dim == 192 ? pick(0, 128) : head_dim == 576 ? 512 : 0;
            std::string q, kv;
            for (int i = pick(1, 2, 5); i > 0; --i) {
                const int length = pick(0, 1, 1, 7, 100, 513);
                q += (q.empty() ? "" : ",") + std::to_string(length);
                kv += (kv.empty() ? "" : ",") + std::to_string(length + pick(0, 0, 17, 3000));
            }
            const auto launch = launched(id, {set("num_heads", std::min(1024, kv_heads * ratio)), set("num_kv_heads", kv_heads), set("head_dim", head_dim),
                                              set("v_head_dim", v_head_dim), "q_lengths=" + q, "kv_lengths=" + kv, set("window", pick(0, 0, 0, 64, 1000)),
                                              set("page_size", pick(0, 1, 16, 64)), std::string("causal=") + (pick(0, 1, 1) == 1 ? "true" : "false"),
                                              std::string("task_order=") + (pick(0, 1) == 0 ? "natural" : pick(0, 1) == 0 ? "mirrored" : "longest_first"),
                                              set("kv_sub_tasks", pick(0, 0, 0, 4)), pick(0, 1) == 0 ? "kv_write=false" : "kv_write=true"});
            QVERIFY2(launch.has_value(), launch ? "" : launch.error().to_string().c_str());
            ++made;
            for (const TaskGroup& group : launch->groups) {
                QVERIFY(group.count > 0 && group.steps >= 0 && std::isfinite(group.steps));
                for (const Pipe pipe : kPipes) QVERIFY(group.demand[pipe] >= 0 && std::isfinite(group.demand[pipe]));
            }
            const auto machine = machine_for(*launch, gpu(id), engine().predictor.calibration());
            QVERIFY2(machine.has_value(), machine ? "" : machine.error().to_string().c_str());
            const auto schedule = run_schedule(*launch, *machine);
            QVERIFY(schedule.has_value());
            for (const Pipe pipe : kPipes) {
                double sum = 0;
                for (const auto& demand : schedule->sm_demand) sum += demand[pipe];
                QVERIFY(close(sum, launch->total_demand()[pipe]));
            }
            // The padded products cover the useful ones.
            QVERIFY(launch->total_demand()[Pipe::tensor] >= launch->useful_flop * (1 - 1e-12));
        }
        QCOMPARE(made, 600);
    }

    void no_requests_or_no_new_tokens_launch_nothing() {
        for (const auto& texts : std::vector<std::vector<std::string>>{{"batch=0"}, {"q_len=0", "kv_len=0"}, {"q_len=0", "kv_len=4096"}, {"q_lengths=0,0", "kv_lengths=0,9"}}) {
            for (const char* id : {"A100", "H100", "B200"}) {
                const Launch launch = launch_of(id, texts);
                QCOMPARE(launch.task_count(), std::int64_t{0});
                QVERIFY(launch.followers.empty());
                QVERIFY(close(microseconds_of(id, texts), to_microseconds(gpu(id).launch_floor())));
            }
        }
    }

    // By enumeration of all pairs of a query and a key, 3 heads of 64: 4 FLOP an element of the head.
    void useful_work_counts_exactly_the_visible_pairs() {
        for (const bool causal : {true, false}) {
            for (const int window : {0, 1, 5, 64}) {
                for (const auto& [q, kv] : std::vector<std::pair<int, int>>{{1, 1}, {7, 7}, {9, 30}, {1, 100}}) {
                    int pairs = 0;
                    for (int i = 0; i < q; ++i) {
                        for (int key = 0; key < kv; ++key) {
                            const int position = kv - q + i;
                            pairs += (!causal || key <= position) && (window == 0 || key > position - window) ? 1 : 0;
                        }
                    }
                    const Launch launch = launch_of("A100", {set("q_len", q), set("kv_len", kv), set("window", window), causal ? "causal=true" : "causal=false",
                                                             "num_heads=3", "num_kv_heads=3", "head_dim=64"});
                    QVERIFY(close(launch.useful_flop, 3.0 * 4 * 64 * pairs));
                }
            }
        }
    }

    // 512 tokens, 16 heads, 192 for queries and keys, 128 for values: the two products have 2 x 192 and 2 x 128 FLOP a pair; K and V of a
    // token take 192 + 128 elements.
    void values_may_be_narrower_than_keys() {
        const Launch launch = launch_of("H100", {"q_len=512", "kv_len=512", "num_heads=16", "num_kv_heads=16", "head_dim=192", "v_head_dim=128", "causal=false"});
        QVERIFY(close(launch.useful_flop, 2.0 * (192 + 128) * 16 * 512 * 512));
        QVERIFY(close(launch.traffic.compulsory_read.value, 512.0 * 16 * (192 + 192 + 128) * 2));
        QVERIFY(close(launch.traffic.compulsory_write.value, 512.0 * 16 * 128 * 2));
    }

    // Absorbed MLA: one latent of 576 elements a token, whose first 512 are the values.
    void absorbed_mla_reads_its_latent_once() {
        const Launch launch = launch_of("B200", {"batch=4", "q_len=1", "kv_len=1000", "num_heads=128", "num_kv_heads=1", "head_dim=576", "v_head_dim=512"});
        QVERIFY(close(launch.traffic.compulsory_read.value, 4 * (128.0 * 576 * 2 + 1000.0 * 576 * 2)));
    }

    // FlashAttention's heuristic by hand. 132 SMs, 8 tiles, 64 blocks: 16 splits fill 128 / 132 = 0.970 of a wave, the best is 33 at
    // 264 / 264 = 1; 0.85 of it is first reached by 15 (120 / 132 = 0.909), as 14 give 112 / 132 = 0.848.
    void keys_are_split_by_the_librarys_heuristic() {
        QCOMPARE(efficient_splits(8, 64, 132, 128), std::int64_t{15});
        QCOMPARE(efficient_splits(106, 64, 132, 128), std::int64_t{1});  // 106 of 132 SMs are more than 80 %
        QCOMPARE(efficient_splits(1, 4, 132, 128), std::int64_t{1});     // too few blocks
        QCOMPARE(efficient_splits(1, 8, 132, 128), std::int64_t{7});     // 7 / 132 is the first within 85 % of 8 / 132
    }

    void decode_packs_heads_and_splits_keys_on_every_architecture() {
        for (const char* id : {"A100", "H100", "B200"}) {
            const Launch packed = launch_of(id, {"q_len=1", "kv_len=65536", "num_heads=32", "num_kv_heads=4"});
            const Launch apart = launch_of(id, {"q_len=1", "kv_len=65536", "num_heads=32", "num_kv_heads=4", "pack_gqa=off"});
            QVERIFY(packed.total_demand()[Pipe::l2] < 0.3 * apart.total_demand()[Pipe::l2]);  // 8 heads read K and V together
            QVERIFY(packed.task_count() > 60);  // 4 KV heads would leave nearly all SMs idle
            QVERIFY(microseconds_of(id, {"q_len=1", "kv_len=65536", "num_heads=32", "num_kv_heads=4"}) <
                    0.2 * microseconds_of(id, {"q_len=1", "kv_len=65536", "num_heads=32", "num_kv_heads=4", "kv_chunk=65536"}));
        }
    }

    // 12 tiles in each of 36 heads are two rounds of the A100's 216 slots, short tiles first: the last slot does tiles of 6 and 12 key
    // blocks, 18 where the mean is 13. Mirrored, each task has 13.
    void mirrored_tiles_remove_the_causal_tail() {
        const std::vector<std::string> call{"algorithm=fa2", "q_len=1536", "kv_len=1536", "num_heads=36", "num_kv_heads=36", "head_dim=128"};
        const auto with = [&call](const char* order) {
            std::vector<std::string> texts = call;
            texts.emplace_back(order);
            return texts;
        };
        const double natural = makespan("A100", with("task_order=natural"));
        QVERIFY(makespan("A100", with("task_order=mirrored")) < 0.9 * natural);
        QVERIFY(makespan("A100", with("task_order=longest_first")) < 0.9 * natural);
        // The same work in half as many tasks, all as long as each other.
        const Launch launch = launch_of("A100", with("task_order=mirrored"));
        QCOMPARE(launch.task_count(), std::int64_t{36 * 6});
        QVERIFY(close(launch.total_demand()[Pipe::tensor], launch_of("A100", call).total_demand()[Pipe::tensor]));
        for (const TaskGroup& group : launch.groups) QCOMPARE(group.demand[Pipe::tensor], 4.0 * 128 * 128 * 128 * 13);
    }

    // One head of 4096 tokens: the longest tile has all keys; cut in four, no task has more than 1024 of them.
    void sub_tasks_cut_the_longest_tile() {
        const std::vector<std::string> call{"algorithm=fa2", "q_len=4096", "kv_len=4096", "num_heads=1", "num_kv_heads=1", "head_dim=128"};
        std::vector<std::string> cut = call;
        cut.emplace_back("kv_sub_tasks=4");
        const Launch launch = launch_of("A100", cut);
        double most = 0;
        for (const TaskGroup& group : launch.groups) most = std::max(most, group.demand[Pipe::tensor]);
        QVERIFY(close(most, 4.0 * 128 * 128 * 1024));
        QCOMPARE(launch.followers.size(), std::size_t{1});
        QVERIFY(makespan("A100", cut) < 0.5 * makespan("A100", {"algorithm=fa2", "q_len=4096", "kv_len=4096", "num_heads=1", "num_kv_heads=1", "head_dim=128",
                                                                "kv_chunk=4096"}));
    }

    // 100 tokens of 8 KV heads, 128 elements each of K and V: 2 bytes in, 1 byte out.
    void writing_the_cache_is_a_kernel_before() {
        const Launch launch = launch_of("H100", {"q_len=100", "kv_len=100", "kv_dtype=fp8", "kv_write=true"});
        QCOMPARE(launch.leaders.size(), std::size_t{1});
        QVERIFY(close(launch.leaders[0].traffic.compulsory_read.value, 100.0 * 8 * 256 * 2));
        QVERIFY(close(launch.leaders[0].traffic.compulsory_write.value, 100.0 * 8 * 256));
        QVERIFY(launch_of("H100", {"q_len=100", "kv_len=100"}).leaders.empty());
        QVERIFY(microseconds_of("H100", {"q_len=100", "kv_len=100", "kv_write=true"}) > microseconds_of("H100", {"q_len=100", "kv_len=100"}) + 1);
    }

    void a_kernel_is_available_where_it_exists() {
        const auto error = [](const char* id, const char* algorithm) {
            const auto launch = launched(id, {algorithm});
            return launch ? QString() : QString::fromStdString(launch.error().to_string());
        };
        QVERIFY(error("A100", "algorithm=fa3").contains("algorithm"));
        QVERIFY(error("RTX PRO 6000", "algorithm=cutlass").contains("sm100"));
        QVERIFY(error("H100", "algorithm=ck").contains("gfx"));
        QCOMPARE(error("MI300X", "algorithm=ck"), QString());
        QVERIFY(launch_of("H100", {}).kernel.starts_with("FA3"));
        QVERIFY(launch_of("B200", {}).kernel.starts_with("CUTLASS"));
        QVERIFY(launch_of("RTX PRO 6000", {}).kernel.starts_with("FA2"));
        QVERIFY(launch_of("MI300X", {}).kernel.starts_with("CK"));
    }

    void a_label_names_each_task_once() {
        for (const auto& texts : std::vector<std::vector<std::string>>{{"q_lengths=300,40", "kv_lengths=900,40", "num_heads=4", "num_kv_heads=2"},
                                                                       {"q_lengths=300,40", "kv_lengths=900,40", "num_heads=4", "num_kv_heads=2", "task_order=longest_first"},
                                                                       {"batch=3", "q_len=600", "kv_len=600", "num_heads=4", "num_kv_heads=2", "task_order=mirrored"}}) {
            for (const char* id : {"A100", "H100"}) {
                const Launch launch = launch_of(id, texts);
                const Params params = params_of(texts);
                std::vector<std::string> labels;
                for (std::int64_t i = 0; i < launch.task_count(); ++i) labels.push_back(family().task_label(params, gpu(id), launch, i));
                std::sort(labels.begin(), labels.end());
                QVERIFY(std::adjacent_find(labels.begin(), labels.end()) == labels.end());
                QVERIFY(!labels.front().empty());
            }
        }
    }
};

QTEST_APPLESS_MAIN(AttentionTest)
#include "test_attention.moc"
