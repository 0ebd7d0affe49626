// Reading output of nccl-tests. The logs here are written by hand after the program's formats of 2020 and 2025; the sample is a real one.
#include <QtTest>
#include <fstream>
#include <iterator>

#include "core/shared_data.h"
#include "data/nccl_log.h"

using namespace synperf;

namespace {

const char* const kNew =
    "# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703\n"
    "# Collective test starting: all_gather_perf\n"
    "# nThread 1 nGpus 1 minBytes 1024 maxBytes 4096 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 20\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid   1001 on  node1 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid   1002 on  node1 device  1 [0000:1c:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  2 Group  0 Pid   1003 on  node2 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
    "        1024           128     float    none      -1    12.34    0.08    0.05      0    99.00    0.09    0.05      0\n"
    "node1:1001:1001 [0] NCCL INFO something\n"
    "[1,0]<stdout>:        2048           256     float    none      -1    13.50    0.15    0.08      0    98.00    0.16    0.08      0\n"
    "           0             0     float    none      -1     0.10    0.00    0.00      0     0.10    0.00    0.00      0\n"
    "# Avg bus bandwidth    : 0.0652\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace

class NcclLogTest : public QObject {
    Q_OBJECT

private slots:
    void theOutOfPlaceTimesOfALogAreRead() {
        const auto log = parse_nccl_log(kNew, "log");
        QVERIFY2(log.has_value(), log ? "" : log.error().to_string().c_str());
        QVERIFY(log->op == CollectiveOp::all_gather);
        QCOMPARE(log->gpu, std::string("H100 80GB HBM3"));
        QCOMPARE(log->ranks, 3);
        QCOMPARE(log->ranks_per_node, 2);
        QVERIFY(log->graph);
        QCOMPARE(log->version, std::string("22703"));
        QCOMPARE(log->rows.size(), std::size_t{2});
        QCOMPARE(log->rows[0].first, std::int64_t{1024});
        QCOMPARE(log->rows[0].second, 12.34);
        QCOMPARE(log->rows[1].second, 13.50);  // behind mpirun's tag
        QCOMPARE(log->skipped, std::size_t{1});
    }

    void anOldLogOfEightGpusIsRead() {
        SYNPERF_NEED_SHARED_DATA(shared);
        std::ifstream in(shared / "samples" / "nccl" / "superbench_nccl_allreduce_8xA100-40GB.log");
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        QVERIFY(is_nccl_log(text));
        const auto log = parse_nccl_log(text, "log");
        QVERIFY(log.has_value());
        QVERIFY(!log->op);  // it does not say; the file's name does
        QVERIFY(op_in_name("superbench_nccl_allreduce_8xA100-40GB.log") == CollectiveOp::all_reduce);
        QCOMPARE(log->gpu, std::string("A100-SXM4-40GB"));
        QCOMPARE(log->ranks, 8);
        QCOMPARE(log->rows.back().first, std::int64_t{8589934592});
        QCOMPARE(log->rows.back().second, 63896.0);
    }

    void damageIsRefusedWithItsLine_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("words");
        QTest::newRow("other GPU") << "node2 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3" << "node2 device  0 [0000:1b:00] NVIDIA L4" << "log:7: ranks run on H100 80GB HBM3 and on L4";
        QTest::newRow("no time") << "12.34" << "soon" << "log:11: \"1024\" bytes in \"soon\" us";
        QTest::newRow("negative") << "12.34" << "-1.0" << "log:11:";
        QTest::newRow("no header") << "#       size" << "#       width" << "has no table of nccl-tests";
    }
    void damageIsRefusedWithItsLine() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, words);
        const auto log = parse_nccl_log(replaced(kNew, from.toStdString(), to.toStdString()), "log");
        QVERIFY(!log.has_value());
        QVERIFY2(log.error().to_string().find(words.toStdString()) != std::string::npos, log.error().to_string().c_str());
    }

    void aNameWithTwoOperationsNamesNone() {
        QVERIFY(!op_in_name("allreduce_and_allgather.log"));
        QVERIFY(op_in_name("AllToAll-8.txt") == CollectiveOp::all_to_all);
    }
};

QTEST_GUILESS_MAIN(NcclLogTest)
#include "test_nccl_log.moc"
