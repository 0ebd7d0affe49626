// Occupancy: register and shared-memory allocation as the hardware does it.
#include <QtTest>
#include <cmath>
#include <map>
#include <string>

#include "data/csv.h"
#include "machines.h"
#include "schedule/occupancy.h"
#include "shared_data.h"

using namespace synperf;

namespace {

// A profile as rows of key, value, unit.
class Facts {
public:
    explicit Facts(const std::filesystem::path& file) {
        const auto table = read_csv(file);
        if (!table) {
            problem_ = QString::fromStdString(table.error().to_string());
            return;
        }
        for (const auto& row : table->rows) facts_[row[0]] = QString::fromStdString(row[1]);
    }

    [[nodiscard]] const QString& problem() const { return problem_; }

    // A number, or the product of the numbers in "(384, 1, 1)".
    double operator()(const char* key) {
        const auto found = facts_.find(key);
        double product = found == facts_.end() ? 0 : 1;
        if (found != facts_.end()) {
            for (const QString& factor : QString(found->second).remove('(').remove(')').split(',')) {
                bool number = false;
                product *= factor.trimmed().toDouble(&number);
                if (!number) product = 0;
            }
        }
        if (!(product > 0)) problem_ += QString(" no positive number: ") + key;
        return product;
    }
    int whole(const char* key) { return static_cast<int>(std::lround((*this)(key))); }

private:
    std::map<std::string, QString> facts_;
    QString problem_;
};

}  // namespace

class OccupancyTest : public QObject {
    Q_OBJECT

private slots:
    // A published profile of an FP8 GEMM on a compute capability 10.0 GPU with 152 SMs: 384 threads, 168 registers, 205696 bytes of
    // dynamic shared memory, grid 288.
    void matches_a_profiled_gemm_in_every_limit() {
        GpuSpec gpu = test::plain_gpu();
        gpu[GpuField::sm_count] = 152;
        gpu[GpuField::smem_per_sm_kib] = 228;
        gpu[GpuField::smem_per_block_max_kib] = 227;
        gpu[GpuField::smem_reserved_per_block_kib] = 1;
        const CtaResources cta{.threads = 384, .registers_per_thread = 168, .smem_bytes = 205696, .max_ctas_by_barriers = 9};
        const auto occupancy = compute_occupancy(cta, gpu);
        QVERIFY(occupancy.has_value());
        QCOMPARE(occupancy->by_ctas, 32);
        QCOMPARE(occupancy->by_registers, 1);
        QCOMPARE(occupancy->by_shared_memory, 1);
        QCOMPARE(occupancy->by_warps, 5);
        QCOMPARE(occupancy->by_barriers, 9);
        QCOMPARE(occupancy->ctas_per_sm, 1);
        QCOMPARE(occupancy->active_warps, 12);
        QCOMPARE(occupancy->active_warp_share, 0.1875);

        Launch launch;
        launch.cta = cta;
        TaskGroup group;
        group.count = 288;
        group.demand[Pipe::tensor] = 1000;
        launch.groups = {group};
        Machine machine = test::plain_machine(152, 1);
        const auto schedule = run_schedule(launch, machine);
        QVERIFY(schedule.has_value());
        QCOMPARE(std::round(schedule->waves * 100) / 100, 1.89);
        QCOMPARE(schedule->tail_tasks, std::int64_t{136});
    }

    // The same profile from its file: what the profiler reports is what is worked out from the launch and the GPU's limits.
    void equals_what_a_profiler_reported() {
        SYNPERF_NEED_SHARED_DATA(shared);
        Facts facts(shared / "samples/ncu/superbench_cublaslt_ncu.facts.csv");
        QCOMPARE(facts.problem(), QString());
        GpuSpec gpu = test::plain_gpu();
        gpu[GpuField::sm_count] = facts("sm_count");
        gpu[GpuField::max_ctas_per_sm] = facts("block_limit_sm");
        gpu[GpuField::smem_per_sm_kib] = facts("smem_config_size") / 1024;
        gpu[GpuField::smem_reserved_per_block_kib] = facts("driver_smem_per_block") / 1024;
        gpu[GpuField::smem_per_block_max_kib] = (facts("smem_config_size") - facts("driver_smem_per_block")) / 1024;
        const CtaResources cta{.threads = facts.whole("block"),
                               .registers_per_thread = facts.whole("registers_per_thread"),
                               .smem_bytes = facts("dynamic_smem_per_block"),
                               .max_ctas_by_barriers = facts.whole("block_limit_barriers")};
        const auto occupancy = compute_occupancy(cta, gpu);
        QVERIFY2(occupancy.has_value(), occupancy ? "" : occupancy.error().to_string().c_str());
        QCOMPARE(occupancy->by_ctas, facts.whole("block_limit_sm"));
        QCOMPARE(occupancy->by_registers, facts.whole("block_limit_registers"));
        QCOMPARE(occupancy->by_shared_memory, facts.whole("block_limit_shared_mem"));
        QCOMPARE(occupancy->by_warps, facts.whole("block_limit_warps"));
        QCOMPARE(occupancy->by_barriers, facts.whole("block_limit_barriers"));
        QCOMPARE(occupancy->active_warps, facts.whole("theoretical_active_warps_per_sm"));
        QCOMPARE(100 * occupancy->active_warp_share, facts("theoretical_occupancy"));

        Launch launch;
        launch.cta = cta;
        launch.groups = {test::tensor_tasks(facts.whole("grid"), 1000)};
        QCOMPARE(facts.whole("grid"), facts.whole("grid_size"));
        const auto schedule = run_schedule(launch, test::plain_machine(gpu.sms(), occupancy->ctas_per_sm));
        QVERIFY(schedule.has_value());
        QCOMPARE(std::round(schedule->waves * 100) / 100, facts("waves_per_sm"));
        QCOMPARE(schedule->tail_tasks, std::int64_t{facts.whole("tail_rule_partial_wave_ctas")});
        QCOMPARE(facts.problem(), QString());
    }

    void allocates_resources_in_hardware_units_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("registers");
        QTest::addColumn<double>("smem");
        QTest::addColumn<int>("ctas");
        QTest::addColumn<QString>("limiter");
        // 65536 registers, 64 warps, 2048 threads, 32 CTAs, 164 KiB with 1 KiB reserved a CTA (compute capability 8.0).
        QTest::newRow("33 registers round up to 40 a thread: 1280 a warp, 51 -> 48 warps, 12 CTAs of 4") << 128 << 33 << 0.0 << 12 << "registers";
        QTest::newRow("32 registers fill all 64 warps") << 128 << 32 << 0.0 << 16 << "registers";
        QTest::newRow("16 registers: the SM's warps limit") << 256 << 16 << 0.0 << 8 << "warps";
        QTest::newRow("one warp each: the SM's 32 CTAs limit") << 32 << 16 << 0.0 << 32 << "CTAs per SM";
        QTest::newRow("40 KiB + 1 KiB reserved: 4 fit in 164 KiB") << 128 << 32 << 40960.0 << 4 << "shared memory";
        QTest::newRow("40 KiB + 1 byte rounds to 128 bytes: only 3 fit") << 128 << 32 << 40961.0 << 3 << "shared memory";
        QTest::newRow("255 registers round up to 256: 8192 a warp, 8 warps, 2 CTAs of 3") << 96 << 255 << 0.0 << 2 << "registers";
        QTest::newRow("64 registers of 1024 threads are all 65536 that a CTA can have") << 1024 << 64 << 0.0 << 1 << "registers";
        QTest::newRow("163 KiB and the reserved one are the whole SM") << 128 << 32 << 163.0 * 1024 << 1 << "shared memory";
        QTest::newRow("100 threads are 4 warps") << 100 << 32 << 0.0 << 16 << "registers";
    }
    void allocates_resources_in_hardware_units() {
        QFETCH(int, threads);
        QFETCH(int, registers);
        QFETCH(double, smem);
        QFETCH(int, ctas);
        QFETCH(QString, limiter);
        const auto occupancy = compute_occupancy({.threads = threads, .registers_per_thread = registers, .smem_bytes = smem}, test::plain_gpu());
        QVERIFY(occupancy.has_value());
        QCOMPARE(occupancy->ctas_per_sm, ctas);
        QCOMPARE(QString::fromUtf8(name(occupancy->limiter).data()), limiter);
    }

    void refuses_more_shared_memory_than_the_gpu_has() {
        const auto occupancy = compute_occupancy({.threads = 128, .registers_per_thread = 32, .smem_bytes = 200000}, test::plain_gpu());
        QVERIFY(!occupancy.has_value());
        QVERIFY(occupancy.error().to_string().find("shared memory") != std::string::npos);
        QVERIFY(occupancy.error().to_string().find("163 KiB") != std::string::npos);
    }

    // 1024 threads x 65 registers, rounded up to 72, are 73728: more than the 65536 of a CTA, and of an SM.
    void refuses_more_registers_than_a_cta_can_have() {
        const auto occupancy = compute_occupancy({.threads = 1024, .registers_per_thread = 65}, test::plain_gpu());
        QVERIFY(!occupancy.has_value());
        QVERIFY2(occupancy.error().to_string().find("does not fit") != std::string::npos, occupancy.error().to_string().c_str());
    }

    void refuses_more_threads_than_a_cta_can_have() {
        QVERIFY(!compute_occupancy({.threads = 1025}, test::plain_gpu()).has_value());
        QVERIFY(!compute_occupancy({.threads = 0}, test::plain_gpu()).has_value());
    }
};

QTEST_APPLESS_MAIN(OccupancyTest)
#include "test_occupancy.moc"
