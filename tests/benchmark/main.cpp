#include <benchmark/benchmark.h>

#include "prediction/memory_policy.h"

#ifdef SYNPERF_WINDOW_BENCHMARKS
#include <QApplication>

void prepare_window_benchmarks();
#endif

int main(int argc, char** argv) {
    synperf::keep_freed_memory();  // as both programs do
#ifdef SYNPERF_WINDOW_BENCHMARKS
    QApplication app(argc, argv);
    prepare_window_benchmarks();
#endif
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
