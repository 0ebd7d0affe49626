// `synperf timeline`: the simulated schedule as a file.
#include <fmt/ostream.h>

#include <cctype>
#include <sstream>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/kernel_call.h"
#include "results/chrome_trace.h"
#include "results/timeline_picture.h"

namespace synperf::cli {

namespace {

struct Options {
    CallOptions call;
    std::string out;
    int width = 1600, height = 900;
};

Result<std::string> timeline_text(const Options& options, const Explanation& explanation) {
    std::string ending = std::filesystem::path(options.out).extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::ostringstream text;
    if (ending == ".json") {
        write_chrome_trace(text, explanation);
    } else if (ending == ".csv") {
        constexpr std::int64_t kMostRows = 5'000'000;
        if (explanation.timeline.task_count() > kMostRows) {
            return failure(fmt::format("{} CTAs are more than the {} rows that are written; .json merges what is too much, .png and .svg aggregate it",
                                       explanation.timeline.task_count(), kMostRows),
                           options.out);
        }
        write_timeline_csv(text, explanation);
    } else if (ending == ".svg") {
        write_timeline_svg(text, explanation, {options.width, options.height});
    } else if (ending == ".png") {
        return timeline_png(explanation, {options.width, options.height});
    } else {
        return failure("the file must end in .json (Chrome trace), .csv, .svg or .png", options.out);
    }
    return text.str();
}

}  // namespace

void add_timeline_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("timeline", "Which CTA runs on which SM, when: as a trace, a table or a picture");
    add_call_options(*command, options->call, true);
    command->add_option("--out", options->out, "File to write; its ending decides: .json opens in ui.perfetto.dev, .csv, .svg, .png")->required();
    command->add_option("--width", options->width, "Pixels of a picture")->check(CLI::Range(200, 8000));
    command->add_option("--height", options->height, "Pixels of a picture")->check(CLI::Range(100, 8000));
    command->footer("Example:\n  synperf timeline gemm --gpu H100-SXM5-80GB -p m=4096 -p n=4096 -p k=4096 --out trace.json");
    command->callback([options, &context] {
        const auto call = read_call(context, options->call);
        if (!call) return context.fail(call.error());
        const auto explanation = call->engine->predictor.explain(*call->family, call->params, call->gpu);
        if (!explanation) return context.fail(explanation.error());
        const auto text = timeline_text(*options, **explanation);
        if (!text) return context.fail(text.error());
        if (auto written = write_file(options->out, *text); !written) return context.fail(written.error());
        fmt::print(context.out(), "{}: {} CTAs, {}\n", options->out, (*explanation)->timeline.task_count(), format_duration((*explanation)->prediction.latency));
    });
}

}  // namespace synperf::cli
