#include "training/model_card.h"

#include <fmt/ostream.h>

#include <cmath>
#include <fstream>

#include "data/statistics.h"

namespace synperf {

namespace {

struct Figures {
    std::vector<double> learned, analytical, roofline;
    std::size_t inside = 0, slower = 0;

    void add(const LeftOutRow& row, const Transfer& transfer, EfficiencyMap map) {
        const auto distance = static_cast<std::size_t>(row.distance);
        const LogLatencies at = log_latencies(row.outputs, map, row.analytical_us, row.ceiling_us, transfer.correction[distance]);
        const BoundOffsets& offsets = transfer.offsets[distance];
        const double measured = std::log(row.latency_us);
        learned.push_back(std::abs(std::exp(at.median - measured) - 1.0));
        analytical.push_back(std::abs(row.analytical_us / row.latency_us - 1.0));
        roofline.push_back(std::abs(row.roofline_us / row.latency_us - 1.0));
        const bool covered = measured >= std::min(at.fast - offsets.interval, at.median - offsets.reach) && measured <= std::max(at.slow + offsets.interval, at.median + offsets.reach);
        inside += covered ? 1U : 0U;
        slower += measured > at.p80 - offsets.p80 ? 1U : 0U;
    }
};

}  // namespace

nlohmann::json left_out_json(const std::vector<LeftOutFold>& folds, const TrainingRows& rows, EfficiencyMap map, int only_table) {
    nlohmann::json lines = nlohmann::json::array();
    for (const LeftOutFold& fold : folds) {
        std::map<std::uint16_t, Figures> by_gpu;
        for (const LeftOutRow& row : fold.rows) {
            if (only_table < 0 || row.table == only_table) by_gpu[row.gpu];
        }
        for (auto& [gpu, figures] : by_gpu) {
            const Transfer transfer = transfer_of(folds, map, gpu);
            GpuDistance distance = GpuDistance::foreign;
            for (const LeftOutRow& row : fold.rows) {
                if (row.gpu != gpu || (only_table >= 0 && row.table != only_table)) continue;
                figures.add(row, transfer, map);
                if (row.distance == GpuDistance::sibling) distance = GpuDistance::sibling;
            }
            const auto count = static_cast<double>(figures.learned.size());
            lines.push_back({{"gpu", rows.gpus[gpu]},
                             {"left_out_together", fold.gpus},
                             {"sibling_known", distance == GpuDistance::sibling},
                             {"rows", figures.learned.size()},
                             {"mean_error", mean(figures.learned)},
                             {"median_error", quantile(figures.learned, 0.5)},
                             {"analytical_mean_error", mean(figures.analytical)},
                             {"roofline_mean_error", mean(figures.roofline)},
                             {"inside_interval", static_cast<double>(figures.inside) / count},
                             {"slower_than_p80", static_cast<double>(figures.slower) / count}});
        }
    }
    return lines;
}

Result<void> write_model_card(const LearnedModel& model, const std::filesystem::path& file) {
    std::ofstream out(file);
    const nlohmann::json& card = model.card;
    fmt::print(out, "# Model card: {}\n\n", model.name);
    fmt::print(out, "Efficiency of {} calls: {} networks of {} features, hidden layers {}, trained {}.\n\n", model.name, model.members.size(), model.features.size(),
               fmt::join(model.members.front().shape.hidden, "-"), card.value("date", "unknown"));
    fmt::print(out, "- Data: {}\n", card.value("source", "not stated"));
    fmt::print(out, "- Rows: {}, of which {} were held back to choose the epoch and to calibrate bounds\n", card.value("rows", 0), card.value("held_back_rows", 0));
    fmt::print(out, "- GPUs: {}\n", fmt::join(model.gpus, ", "));
    fmt::print(out, "- Mean error on held-back rows: {:.2f} %\n", 100 * card.value("held_back_mean_error", 0.0));
    fmt::print(out, "- Share of the correction applied: {} on trained GPUs, {} on siblings, {} elsewhere\n", model.correction[0], model.correction[1], model.correction[2]);
    fmt::print(out, "- Made by: `{}`\n\n", card.value("command", "unknown"));
    const auto written = [&out, &file]() -> Result<void> {
        if (!out.flush()) return tl::unexpected(Error{"can not be written", {}, file.string()});
        return {};
    };
    if (!card.contains("left_out") || card["left_out"].empty()) return written();
    fmt::print(out, "GPUs left out of training (brief recipe; trust and bounds learned from the other GPUs; errors in %):\n\n");
    fmt::print(out, "| GPU | left out together | sibling known | rows | mean | median | analytical | roofline | inside interval | slower than P80 |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const auto& line : card["left_out"]) {
        const auto percent = [&line](const char* key) { return 100 * line.at(key).get<double>(); };
        fmt::print(out, "| {} | {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.0f} | {:.0f} |\n", line.at("gpu").get<std::string>(),
                   fmt::join(line.at("left_out_together").get<std::vector<std::string>>(), ", "), line.at("sibling_known").get<bool>() ? "yes" : "no",
                   line.at("rows").get<std::size_t>(), percent("mean_error"), percent("median_error"), percent("analytical_mean_error"), percent("roofline_mean_error"),
                   percent("inside_interval"), percent("slower_than_p80"));
    }
    return written();
}

}  // namespace synperf
