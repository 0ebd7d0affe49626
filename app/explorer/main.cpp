// The desktop explorer: loads the engine, opens the window.
#include <fmt/format.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QTimer>
#include <QTranslator>
#include <cstdio>
#include <fstream>
#include <map>

#include "hardware/spec_paths.h"
#include "main_window.h"
#include "prediction/memory_policy.h"
#include "theme/theme.h"

namespace {

using namespace synperf;

int fail(const std::string& message, int code = 1) {
    fmt::print(stderr, "synperf-explorer: {}\n", message);
    return code;
}

// "1600x1000"; an empty size where the text is none.
QSize parse_size(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    if (parts.size() != 2) return {};
    const QSize size(parts[0].toInt(), parts[1].toInt());
    return size.width() >= 320 && size.height() >= 240 && size.width() <= 16384 && size.height() <= 16384 ? size
                                                                                                          : QSize();
}

struct Options {
    QString session, screenshot, language, theme, workspace;
    QSize size;
    double scale = 0;
    bool time_startup = false;
};

const std::map<QString, ui::MainWindow::Workspace>& workspace_names() {
    static const std::map<QString, ui::MainWindow::Workspace> names{
        {QStringLiteral("kernel"), ui::MainWindow::Workspace::kernel},
        {QStringLiteral("compare"), ui::MainWindow::Workspace::compare},
        {QStringLiteral("serving"), ui::MainWindow::Workspace::serving},
        {QStringLiteral("cost"), ui::MainWindow::Workspace::cost},
        {QStringLiteral("models"), ui::MainWindow::Workspace::models},
    };
    return names;
}

QString listed_workspaces() {
    QStringList names;
    for (const auto& [name, workspace] : workspace_names()) names << name;
    return names.join(QStringLiteral(", "));
}

void add_options(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral(
        "Predicts GPU kernel latency and shows why.\n\nExamples:\n"
        "  synperf-explorer\n"
        "  synperf-explorer --session study.synperf\n"
        "  synperf-explorer kernels.csv.gz\n"
        "  synperf-explorer --session study.synperf --screenshot study.png --size 1600x1000 --theme dark"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions(
        {{QStringLiteral("session"), QStringLiteral("Open this session (or another file that the window opens)."), QStringLiteral("FILE")},
         {QStringLiteral("screenshot"), QStringLiteral("Write a picture of the window to FILE and quit."),
          QStringLiteral("FILE")},
         {QStringLiteral("size"), QStringLiteral("Size of the window, for example 1600x1000."), QStringLiteral("WxH")},
         {QStringLiteral("workspace"), QStringLiteral("Start in this workspace: %1.").arg(listed_workspaces()), QStringLiteral("NAME")},
         {QStringLiteral("theme"), QStringLiteral("system, light or dark, for this run."), QStringLiteral("NAME")},
         {QStringLiteral("scale"), QStringLiteral("Scale of fonts and spacing, 0.75 to 3, for this run."),
          QStringLiteral("FACTOR")},
         {QStringLiteral("language"), QStringLiteral("Language of the window, for example en or zh_CN."),
          QStringLiteral("CODE")},
         {QStringLiteral("time-startup"),
          QStringLiteral(
              "Print the time to the first paint and to the first prediction and the memory in use, and quit.")}});
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("A session, a GPU spec, a language model's config.json, a table of kernels or requests, or a model to open."),
                                 QStringLiteral("[file]"));
}

// Reads the options; on a mistake returns what is wrong.
QString read_options(const QCommandLineParser& parser, Options& options) {
    options.session = parser.value(QStringLiteral("session"));
    if (options.session.isEmpty() && !parser.positionalArguments().isEmpty())
        options.session = parser.positionalArguments().constFirst();
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    options.language = parser.value(QStringLiteral("language"));
    options.theme = parser.value(QStringLiteral("theme"));
    options.workspace = parser.value(QStringLiteral("workspace"));
    if (!options.workspace.isEmpty() && !workspace_names().contains(options.workspace))
        return QStringLiteral("--workspace should be one of %1").arg(listed_workspaces());
    options.time_startup = parser.isSet(QStringLiteral("time-startup"));
    if (parser.isSet(QStringLiteral("size"))) {
        options.size = parse_size(parser.value(QStringLiteral("size")));
        if (options.size.isEmpty())
            return QStringLiteral("--size should be WxH from 320x240 to 16384x16384, for example 1600x1000");
    }
    if (parser.isSet(QStringLiteral("scale"))) {
        options.scale = parser.value(QStringLiteral("scale")).toDouble();
        if (!(options.scale >= 0.75 && options.scale <= 3)) return QStringLiteral("--scale should be from 0.75 to 3");
    }
    if (!options.theme.isEmpty() &&
        !QStringList{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")}.contains(options.theme))
        return QStringLiteral("--theme should be system, light or dark");
    return {};
}

void load_translations(QApplication& app, const QString& language) {
    const QLocale locale = language.isEmpty() ? QLocale() : QLocale(language);
    if (!language.isEmpty()) QLocale::setDefault(locale);
    auto* own = new QTranslator(&app);
    if (own->load(locale, QStringLiteral("synperf"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QCoreApplication::installTranslator(own);
    auto* qt = new QTranslator(&app);
    if (qt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qt);
}

void apply_look(ui::MainWindow& window, const Options& options) {
    std::optional<ui::ThemeChoice> theme;
    if (options.theme == QLatin1String("light")) theme = ui::ThemeChoice::light;
    if (options.theme == QLatin1String("dark")) theme = ui::ThemeChoice::dark;
    if (options.theme == QLatin1String("system")) theme = ui::ThemeChoice::follow_system;
    window.setLookForThisRun(theme, options.scale > 0 ? std::optional(options.scale) : std::nullopt);
}

// --help and --version answer anywhere.
bool needs_display(const QStringList& arguments) {
    for (const char* option : {"--help", "-h", "--help-all", "--version", "-v"}) {
        if (arguments.contains(QLatin1String(option))) return false;
    }
    return true;
}

bool has_display() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

// Of this process now; 0 where the system does not tell.
long resident_mib() {
    std::ifstream statm("/proc/self/statm");
    long total = 0;
    long resident = 0;
    statm >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE) / (1L << 20);
}

// Quits once the first prediction is on screen, after writing what was asked for.
void finish_after_first_prediction(QApplication& app, ui::MainWindow& window, const Options& options,
                                   const QElapsedTimer& clock) {
    const auto finish = [&app, &window, &options, &clock] {
        if (options.time_startup) {
            fmt::print("first prediction shown after {} ms\n", clock.elapsed());
            fmt::print("resident memory {} MiB\n", resident_mib());
        }
        const bool fine = options.screenshot.isEmpty() || window.grab().save(options.screenshot);
        if (!fine)
            fmt::print(stderr, "synperf-explorer: {}: can not be written as a picture\n",
                       options.screenshot.toStdString());
        app.exit(fine ? 0 : 1);
    };
    // What would change it comes after the prediction; a picture waits for both.
    QObject::connect(&window, &ui::MainWindow::settled, &window,
                     [finish, &window] { QTimer::singleShot(200, &window, finish); });
}

// Reports the first paint of the window.
class FirstPaint : public QObject {
public:
    FirstPaint(const QElapsedTimer& clock, QObject* parent) : QObject(parent), clock_(clock) {}
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && !seen_) {
            seen_ = true;
            QTimer::singleShot(0, this, [this] { fmt::print("first paint after {} ms\n", clock_.elapsed()); });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    const QElapsedTimer& clock_;
    bool seen_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    QElapsedTimer clock;
    clock.start();
    keep_freed_memory();
    // Before Qt, which takes --session for its own session management.
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    if (!needs_display(arguments)) {
        QCoreApplication app(argc, argv);
        QCoreApplication::setApplicationName(QStringLiteral("synperf-explorer"));
        QCoreApplication::setApplicationVersion(QStringLiteral(SYNPERF_VERSION));
        QCommandLineParser parser;
        add_options(parser);
        parser.process(arguments);
        return 0;
    }
    if (!has_display()) return fail("there is no display: use the synperf command, or QT_QPA_PLATFORM=offscreen with --screenshot");
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("synperf-explorer"));
    QCoreApplication::setOrganizationName(QStringLiteral("synperf"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SYNPERF_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("synperf-explorer"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/theme/app.svg")));

    QCommandLineParser parser;
    add_options(parser);
    parser.process(arguments);
    Options options;
    if (const QString wrong = read_options(parser, options); !wrong.isEmpty()) return fail(wrong.toStdString(), 2);

    const auto specs = find_specs_folder();
    if (!specs) return fail("the specs folder was not found: set SYNPERF_SPECS to it");
    Result<Engine> engine = Engine::load(*specs, user_specs_folder(), model_folders(*specs));
    if (!engine) return fail(engine.error().to_string());

    load_translations(app, options.language);
    ui::Theme::instance().install();
    ui::MainWindow window(*engine, {user_specs_folder(), ui::Autosave::defaultFolder(), user_models_folder()});
    apply_look(window, options);
    if (!options.size.isEmpty()) window.resize(options.size);

    const bool picture_run = !options.screenshot.isEmpty() || options.time_startup;
    if (options.time_startup) window.installEventFilter(new FirstPaint(clock, &window));
    window.show();
    if (const auto workspace = workspace_names().find(options.workspace); workspace != workspace_names().end()) window.showWorkspace(workspace->second);
    if (!options.session.isEmpty() && !window.openAnyFile(options.session) && picture_run)
        return fail(window.message().toStdString());
    if (picture_run) {
        finish_after_first_prediction(app, window, options, clock);
    } else {
        QTimer::singleShot(0, &window, &ui::MainWindow::offerRecovery);
    }
    return QApplication::exec();
}
