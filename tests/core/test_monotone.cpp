// Time never falls when work grows within one tile choice, for every family, over random calls.
#include <QtTest>
#include <algorithm>
#include <map>
#include <random>

#include "shipped_engine.h"

using namespace synperf;

namespace {

const Engine& engine() { return test::shipped_engine(); }

using Sizes = std::map<std::string, std::string>;

struct Timed {
    double seconds = 0;
    std::string tile;     // kernel names of all launches: the tile is part of them
    int threads = 0;      // of a CTA
    std::vector<double> slices;  // how the work of a tile is cut, where the family chooses that
};

class Random {
public:
    explicit Random(unsigned seed) : generator_(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(generator_); }
    /// Even in the logarithm: small sizes as often as large ones.
    std::int64_t size(double low, double high) {
        return std::llround(std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(generator_)));
    }
    const char* one_of(const std::vector<const char*>& choices) { return choices[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(choices.size()) - 1))]; }

private:
    std::mt19937 generator_;
};

/// How the work of one tile is cut, as the launch shows it.
using Slices = std::vector<double> (*)(const Launch& launch);

std::vector<double> never_cut(const Launch&) { return {}; }

/// Keys of one CTA.
std::vector<double> key_chunks(const Launch& launch) {
    std::vector<double> chunks;
    for (const ChosenParam& chosen : launch.chosen) {
        if (engine().kernels.find("attention").value()->schema()[chosen.index].name == "kv_chunk") chunks.push_back(static_cast<double>(chosen.value));
    }
    return chunks;
}

/// Slices of the depth of every product, and the steps of the longest.
std::vector<double> depth_slices(const Launch& launch) {
    std::vector<double> slices{static_cast<double>(launch.grid[2])};
    if (launch.grid[2] > 1) slices.push_back(std::ranges::max(launch.groups, {}, &TaskGroup::steps).steps);
    for (const Launch& follower : launch.followers) slices.push_back(static_cast<double>(follower.grid[2]));
    return slices;
}

/// Empty where the GPU does not run the call.
std::optional<Timed> timed(const std::string& family, const std::string& gpu, const Sizes& sizes, Slices slices) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : sizes) texts.push_back(name + "=" + value);
    const KernelFamily& found = **engine().kernels.find(family);
    const auto params = parse_assignments(found.schema(), texts);
    if (!params) qFatal("%s", params.error().to_string().c_str());
    const auto explanation = engine().predictor.explain(found, *params, **engine().gpus.find(gpu));
    if (!explanation) return std::nullopt;
    const Launch& launch = (*explanation)->launch;
    Timed result;
    result.seconds = (*explanation)->prediction.latency.value;
    result.tile = launch.kernel;
    result.threads = launch.cta.threads;
    result.slices = slices(launch);
    for (const auto* sides : {&launch.leaders, &launch.followers}) {
        for (const Launch& side : *sides) result.tile += ", " + side.kernel;
    }
    return result;
}

const std::vector<const char*> kGpus{"A100", "A40", "L40S", "H100", "H20", "B200", "GB300", "RTX-PRO-6000-Server"};

class Check {
public:
    Check(std::string family, Slices slices) : family_(std::move(family)), slices_(slices) {}

    /// Grows the named sizes of `sizes` to `more`. Another tile, block or cut at the larger size is another choice of the library and not compared.
    void grow(const std::string& gpu, const Sizes& sizes, const Sizes& more, double tolerance = 1e-9) {
        const auto before = timed(family_, gpu, sizes, slices_);
        Sizes grown = sizes;
        for (const auto& [name, value] : more) grown[name] = value;
        const auto after = timed(family_, gpu, grown, slices_);
        if (!before || !after || before->tile != after->tile || before->slices != after->slices || before->threads != after->threads) return;
        ++compared_;
        const double change = after->seconds / before->seconds - 1;
        if (change >= -tolerance) return;
        std::string text = family_ + " on " + gpu;
        for (const auto& [name, value] : sizes) text += " " + name + "=" + value;
        text += " ->";
        for (const auto& [name, value] : more) text += " " + name + "=" + value;
        fallen_.push_back(QStringLiteral("%1: %2 %").arg(QString::fromStdString(text)).arg(100 * change));
    }

    /// `one_in`: of how many comparisons one may fall; 0 for none.
    void report(int least_compared, int one_in = 0) const {
        const qsizetype allowed = one_in > 0 ? compared_ / one_in : 0;
        QVERIFY2(fallen_.size() <= allowed, qPrintable(QStringLiteral("%1 of %2 fell: ").arg(fallen_.size()).arg(compared_) + fallen_.join("; ")));
        QVERIFY2(compared_ >= least_compared, qPrintable(QString::number(compared_)));
        qInfo("%s: %d compared, %d fell", family_.c_str(), compared_, static_cast<int>(fallen_.size()));
    }

private:
    std::string family_;
    Slices slices_;
    int compared_ = 0;
    QStringList fallen_;
};

/// A small step or a large one, half of the time each; every fourth time over the edge of a tile.
std::int64_t grown(Random& random, std::int64_t from, std::int64_t edge) {
    switch (random.between(0, 3)) {
        case 0: return (from + edge - 1) / edge * edge + 1;
        case 1: return from + 1;
        case 2: return from + random.between(1, 64);
        default: return from + random.size(1, static_cast<double>(from) + 2);
    }
}

std::string text(std::int64_t value) { return std::to_string(value); }

/// The same, and every second start right at an edge.
std::int64_t start(Random& random, double low, double high, std::int64_t edge) {
    const std::int64_t size = random.size(low, high);
    return random.between(0, 1) == 0 ? size : (size + edge - 1) / edge * edge;
}

constexpr int kRounds = 400;
// Times of unequal tasks are rounded to a sixteenth of a cycle.
constexpr double kRounded = 1e-5;

// Experts of any sizes, and a given tile but for the order of its rows.
Sizes experts_and_tile(Random& random, std::int64_t tokens) {
    return {{"num_tokens", text(tokens)}, {"hidden_size", text(random.size(256, 8192))}, {"inter_size", text(random.size(128, 4096))},
            {"num_experts", text(random.size(8, 256))}, {"topk", text(random.between(1, 8))}, {"block_m", random.one_of({"16", "32", "64", "128"})},
            {"block_n", random.one_of({"64", "128"})}, {"block_k", "64"}, {"num_warps", "4"}, {"num_stages", "3"}};
}

}  // namespace

class MonotoneTest : public QObject {
    Q_OBJECT

private slots:
    void decode_with_more_keys_or_requests_is_never_faster() {
        Random random(1);
        Check check("attention", key_chunks);
        for (int round = 0; round < 3 * kRounds; ++round) {
            const std::int64_t kv_heads = random.between(1, 8);
            const std::int64_t kv = start(random, 16, 30000, 128);
            const std::int64_t batch = start(random, 1, 300, 16);
            const Sizes sizes{{"algorithm", random.one_of({"auto", "fa2", "fa2_dao", "fa3", "cutlass"})}, {"q_len", "1"}, {"kv_len", text(kv)}, {"batch", text(batch)},
                              {"num_kv_heads", text(kv_heads)}, {"num_heads", text(kv_heads * random.between(1, 8))}, {"head_dim", random.one_of({"64", "128", "256"})},
                              {"page_size", random.one_of({"0", "16", "64"})}};
            const char* gpu = random.one_of(kGpus);
            check.grow(gpu, sizes, {{"kv_len", text(grown(random, kv, 128))}}, kRounded);
            check.grow(gpu, sizes, {{"batch", text(grown(random, batch, 16))}}, kRounded);
        }
        check.report(300);
    }

    void prefill_with_more_tokens_heads_or_requests_is_never_faster() {
        Random random(2);
        Check check("attention", key_chunks);
        for (int round = 0; round < kRounds; ++round) {
            const std::int64_t kv_heads = random.between(1, 8);
            const std::int64_t group = random.between(1, 8);
            const std::int64_t q = start(random, 2, 6000, 128);
            const std::int64_t batch = random.size(1, 30);
            const Sizes sizes{{"algorithm", random.one_of({"auto", "fa2", "fa2_dao", "fa3", "cutlass"})}, {"q_len", text(q)}, {"kv_len", text(q)}, {"batch", text(batch)},
                              {"num_kv_heads", text(kv_heads)}, {"num_heads", text(kv_heads * group)}, {"causal", random.one_of({"true", "false"})}};
            const char* gpu = random.one_of(kGpus);
            const std::int64_t more = grown(random, q, 128);
            check.grow(gpu, sizes, {{"q_len", text(more)}, {"kv_len", text(more)}}, kRounded);
            check.grow(gpu, sizes, {{"batch", text(grown(random, batch, 4))}}, kRounded);
            check.grow(gpu, sizes, {{"num_heads", text(kv_heads * (group + random.between(1, 4)))}}, kRounded);
            check.grow(gpu, sizes, {{"kv_len", text(grown(random, q, 128))}}, kRounded);
        }
        check.report(300);
    }

    void many_short_tiles_do_not_pile_up_on_one_sm_data() {
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<Sizes>("sizes");
        QTest::addColumn<QString>("more");
        // Balanced by rows x keys, these fell by 25 to 38 %: a tile of 32 keys takes as long as one of 128.
        const auto prefill = [](const char* q, const char* batch, const char* heads, const char* kv_heads, const char* head_dim) {
            return Sizes{{"algorithm", "fa3"}, {"q_len", q}, {"kv_len", q}, {"batch", batch}, {"num_heads", heads}, {"num_kv_heads", kv_heads}, {"head_dim", head_dim}};
        };
        QTest::newRow("packed heads") << "GB300" << prefill("135", "7", "48", "6", "64") << "189";
        QTest::newRow("one tile a request") << "GB300" << prefill("71", "21", "35", "5", "128") << "129";
        QTest::newRow("39 tiles an SM") << "H100" << prefill("1582", "9", "64", "8", "64") << "1665";
        QTest::newRow("keys of two blocks") << "H100" << prefill("174", "6", "30", "5", "128") << "257";
    }
    void many_short_tiles_do_not_pile_up_on_one_sm() {
        QFETCH(QString, gpu);
        QFETCH(Sizes, sizes);
        QFETCH(QString, more);
        Check check("attention", never_cut);
        check.grow(gpu.toStdString(), sizes, {{"kv_len", more.toStdString()}});
        check.report(1);
    }

    void moe_with_more_tokens_is_never_faster() {
        Random random(3);
        Check check("moe", depth_slices);
        for (int round = 0; round < 2 * kRounds; ++round) {
            const std::int64_t tokens = start(random, 1, 20000, 64);
            Sizes sizes = experts_and_tile(random, tokens);
            sizes.insert({{"group_m", "1"}, {"tuned_table", "false"}, {"backend", random.one_of({"auto", "triton", "trtllm", "marlin"})}});
            check.grow(random.one_of(kGpus), sizes, {{"num_tokens", text(grown(random, tokens, 64))}});
        }
        check.report(300);
    }

    void grouped_gemm_with_more_tokens_is_never_faster() {
        Random random(4);
        Check check("moe_gemm", depth_slices);
        for (int round = 0; round < 2 * kRounds; ++round) {
            const std::int64_t tokens = start(random, 1, 20000, 64);
            Sizes sizes = experts_and_tile(random, tokens);
            sizes.insert({{"weight_type", random.one_of({"w13", "w2"})}, {"group_m", random.one_of({"1", "8", "32"})}});
            check.grow(random.one_of(kGpus), sizes, {{"num_tokens", text(grown(random, tokens, 64))}});
        }
        check.report(300);
    }

    void gemm_with_more_rows_columns_or_depth_is_never_faster() {
        Random random(7);
        Check check("gemm", depth_slices);
        for (int round = 0; round < 2 * kRounds; ++round) {
            const std::int64_t m = start(random, 1, 20000, 128), n = start(random, 1, 20000, 128), k = start(random, 16, 20000, 64);
            const Sizes sizes{{"m", text(m)}, {"n", text(n)}, {"k", text(k)}, {"dtype", random.one_of({"bf16", "fp16", "fp8", "int8", "int4_wo"})},
                              {"tile_m", random.one_of({"64", "128"})}, {"tile_n", random.one_of({"64", "128", "256"})}, {"split_k", random.one_of({"1", "1", "4"})}};
            const char* gpu = random.one_of(kGpus);
            check.grow(gpu, sizes, {{"m", text(grown(random, m, 128))}});
            check.grow(gpu, sizes, {{"n", text(grown(random, n, 128))}});
            check.grow(gpu, sizes, {{"k", text(grown(random, k, 64))}});
        }
        check.report(300);
    }

    void memory_bound_kernels_with_more_tokens_or_width_are_never_faster_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("width");
        for (const char* family : {"rmsnorm", "silu_mul", "layernorm", "gelu", "softmax", "embedding", "quantize", "add", "mul", "div", "pow", "relu", "tanh"}) {
            QTest::newRow(family) << QString(family) << "hidden";
        }
        QTest::newRow("rope") << "rope" << "num_heads";
        QTest::newRow("kv_write") << "kv_write" << "num_kv_heads";
    }
    void memory_bound_kernels_with_more_tokens_or_width_are_never_faster() {
        QFETCH(QString, family);
        QFETCH(QString, width);
        Random random(5);
        Check check(family.toStdString(), never_cut);
        const bool heads = width != "hidden";
        for (int round = 0; round < kRounds; ++round) {
            const std::int64_t tokens = start(random, 1, 20000, 132);
            // The width of a load follows the divisors of the width: within one load width it is a multiple of 8.
            const std::int64_t wide = heads ? random.between(1, 64) : 8 * start(random, 1, 2000, 128);
            const Sizes sizes{{"num_tokens", text(tokens)}, {width.toStdString(), text(wide)}};
            const char* gpu = random.one_of(kGpus);
            check.grow(gpu, sizes, {{"num_tokens", text(grown(random, tokens, 132))}});
            // Up to 128 columns of softmax go two rows to a warp, wider ones do not: another kernel, of nearly the same time. A CTA of an embedding has a
            // fixed number of elements: where rows are wider it reads fewer token ids, of 8 bytes each.
            const double tolerance = family == "softmax" ? 1e-4 : family == "embedding" ? 3e-3 : 1e-9;
            check.grow(gpu, sizes, {{width.toStdString(), text(heads ? wide + random.between(1, 8) : 8 * grown(random, wide / 8, 128))}}, tolerance);
        }
        check.report(300);
    }

    void shipped_user_kernels_with_more_work_are_never_faster_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<int>("most");
        QTest::newRow("triton_matmul") << "triton_matmul" << QStringList{"m", "n", "k"} << 8000;
        QTest::newRow("pingpong_gemm") << "pingpong_gemm" << QStringList{"m", "n", "k"} << 8000;
        QTest::newRow("fused_softmax") << "fused_softmax" << QStringList{"rows", "columns"} << 20000;
        QTest::newRow("triton_layernorm") << "triton_layernorm" << QStringList{"rows", "columns"} << 20000;
        QTest::newRow("block_sparse_attention") << "block_sparse_attention" << QStringList{"length", "batch"} << 4000;
    }
    void shipped_user_kernels_with_more_work_are_never_faster() {
        QFETCH(QString, family);
        QFETCH(QStringList, names);
        QFETCH(int, most);
        Random random(6);
        Check check(family.toStdString(), never_cut);
        for (int round = 0; round < kRounds; ++round) {
            std::vector<std::int64_t> at;
            Sizes sizes;
            for (const QString& name : names) {
                at.push_back(name == "batch" ? random.between(1, 8) : start(random, 1, most, 128));
                sizes[name.toStdString()] = text(at.back());
            }
            const char* gpu = family == "pingpong_gemm" ? random.one_of({"H100", "H20", "H200", "H800"}) : random.one_of(kGpus);
            for (qsizetype i = 0; i < names.size(); ++i) {
                const auto index = static_cast<std::size_t>(i);
                check.grow(gpu, sizes, {{names[i].toStdString(), text(grown(random, at[index], names[i] == "batch" ? 1 : 128))}}, kRounded);
            }
        }
        // CTAs of this one differ and share SMs: which of them meet matters.
        check.report(300, family == "block_sparse_attention" ? 100 : 0);
    }
};

QTEST_APPLESS_MAIN(MonotoneTest)
#include "test_monotone.moc"
