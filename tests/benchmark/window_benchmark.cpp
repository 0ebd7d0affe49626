// Speeds of the window, through the real widgets. Run with QT_QPA_PLATFORM=offscreen.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QEventLoop>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>

#include "main_window.h"
#include "theme/theme.h"
#include "views/timeline_view.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

Engine& engine() {
    static Engine loaded = *Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
    return loaded;
}

Scenario scenario_of(const char* family, const char* gpu, const std::vector<std::string>& texts) {
    Scenario scenario;
    scenario.gpu = **engine().gpus.find(gpu);
    scenario.family = *engine().kernels.find(family);
    scenario.params = *parse_assignments(scenario.family->schema(), texts);
    return scenario;
}

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// A schedule of a million CTAs placed one by one, none like its neighbour, wrapped as a prediction.
std::shared_ptr<const Explanation> million_ctas(const Scenario& scenario) {
    auto explanation = std::make_shared<Explanation>(**engine().predictor.explain(*scenario.family, scenario.params, scenario.gpu));
    Launch launch = explanation->launch;
    launch.groups.clear();
    launch.scheduler = SchedulerKind::hardware;
    for (std::int64_t i = 0; i < 1'000'000; ++i) {
        TaskGroup group;
        group.count = 1;
        group.demand[Pipe::tensor] = 1e6 + 1e3 * static_cast<double>(i * 7919 % 3001);
        launch.groups.push_back(group);
    }
    const Machine machine = *machine_for(launch, scenario.gpu, engine().predictor.calibration());
    auto schedule = std::make_shared<const Schedule>(*run_schedule(launch, machine, Detail::placed));
    explanation->timeline = Timeline({{"a million CTAs", schedule, 1000.0}}, machine.clock);
    explanation->launch = std::move(launch);
    return explanation;
}

// One paint at 1600 x 900 after a zoom, so that nothing is cached.
void BM_TimelinePaintMillionCtas(benchmark::State& state) {
    const Scenario scenario = scenario_of("gemm", "H100", {});
    Selection selection;
    TimelineView view(selection);
    view.resize(1600, 900);
    const auto explanation = million_ctas(scenario);
    view.setScene(std::make_shared<const Scene>(explanation, scenario));
    QImage image(1600, 900, QImage::Format_ARGB32_Premultiplied);
    const double end = explanation->timeline.end_cycles();
    int zoom = 0;
    for (auto _ : state) {
        selection.setVisible({0, end * (1.0 + 0.0001 * (++zoom % 50))});
        view.render(&image);
    }
}

// From the edit of a parameter until every view has been painted with the answer, through the real window.
void BM_EditToAllViewsRefreshed(benchmark::State& state) {
    QTemporaryDir folder;
    MainWindow window(engine(), UserFolders{folder.path().toStdString(), folder.filePath(QStringLiteral("recovery"))});
    window.resize(1600, 1000);
    window.show();
    // 64 x 64 tiles, 320 x 320 of them: 102,400 CTAs.
    window.document().setScenario(scenario_of("gemm", "A100", {"m=20480", "n=20480", "k=512", "tile_m=64", "tile_n=64", "split_k=1"}), QStringLiteral("benchmark"));
    const auto wait_for_answer = [&window] {
        QEventLoop loop;
        QObject::connect(&window, &MainWindow::predicted, &loop, &QEventLoop::quit);
        loop.exec();
        QCoreApplication::processEvents();  // the paints that the answer asked for
    };
    wait_for_answer();
    std::vector<double> milliseconds;
    std::int64_t k = 512;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        k = k == 512 ? 1024 : k == 1024 ? 1536 : 512;
        window.document().setParam(param_index(window.document().scenario().family->schema(), "k"), k);
        wait_for_answer();
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        state.SetIterationTime(elapsed.count());
        milliseconds.push_back(1e3 * elapsed.count());
    }
    state.counters["p95_ms"] = percentile(milliseconds, 0.95);
    state.counters["median_ms"] = percentile(milliseconds, 0.5);
}

// The program itself, from the start of the process; what it prints with --time-startup.
void BM_ProgramStart(benchmark::State& state) {
    std::vector<double> paints, memory;
    for (auto _ : state) {
        QProcess program;
        program.start(QStringLiteral(SYNPERF_EXPLORER), {QStringLiteral("--time-startup"), QStringLiteral("--size"), QStringLiteral("1600x1000")});
        if (!program.waitForFinished(60'000)) return state.SkipWithError("the program did not start");
        const QString output = QString::fromUtf8(program.readAllStandardOutput());
        const auto number = [&output](const char* pattern) {
            return QRegularExpression(QString::fromLatin1(pattern)).match(output).captured(1).toDouble();
        };
        paints.push_back(number("first paint after (\\d+) ms"));
        memory.push_back(number("resident memory (\\d+) MiB"));
        state.SetIterationTime(1e-3 * paints.back());
    }
    state.counters["first_paint_ms"] = percentile(paints, 0.5);
    state.counters["resident_MiB"] = percentile(memory, 0.5);
}

BENCHMARK(BM_TimelinePaintMillionCtas)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_EditToAllViewsRefreshed)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(200);
BENCHMARK(BM_ProgramStart)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(5);

}  // namespace

void prepare_window_benchmarks() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("synperf-benchmark"));
    QCoreApplication::setApplicationName(QStringLiteral("synperf-benchmark"));
    Theme::instance().install();
}
