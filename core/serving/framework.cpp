#include "serving/framework.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr std::size_t kMostBytes = 1 << 16;

struct Number {
    const char* key;
    double least, most;
    double* value;
};

Result<FrameworkProfile> parse(std::string_view text, const std::string& file) {
    const auto document = parse_strict_json(text, file);
    if (!document) return tl::unexpected(document.error());
    if (!document->is_object()) return tl::unexpected(Error{"a framework is one JSON object", {}, file, 1});
    FrameworkProfile profile;
    profile.id = std::filesystem::path(file).stem().string();
    double prefill_us = 0, decode_us = 0, budget = static_cast<double>(profile.token_budget), sequences = static_cast<double>(profile.most_sequences);
    const std::vector<Number> numbers{{"prefill_step_us", 0, 1e6, &prefill_us},
                                      {"decode_step_us", 0, 1e6, &decode_us},
                                      {"overlap", 0, 1, &profile.overlap},
                                      {"warm_loss", 0, 0.5, &profile.warm_loss},
                                      {"uncertainty", 0, 1, &profile.uncertainty},
                                      {"memory_share", 0.1, 1, &profile.memory_share},
                                      {"workspace_gib", 0, 64, &profile.workspace_gib},
                                      {"communicator_gib", 0, 16, &profile.communicator_gib},
                                      {"token_budget", 1, 1e7, &budget},
                                      {"most_sequences", 1, 65536, &sequences}};
    for (const auto& [key, value] : document->items()) {
        const auto wrong = [&, k = key](std::string message) { return tl::unexpected(Error{std::move(message), shown(k), file, line_of_key(text, k)}); };
        if (key == "$schema") continue;
        if (key == "fitted") {
            if (!value.is_boolean()) return wrong("true or false is needed");
            profile.fitted = value.get<bool>();
            continue;
        }
        bool known = false;
        for (const auto& [name, target] : {std::pair("id", &profile.id), std::pair("name", &profile.name), std::pair("source", &profile.source), std::pair("kernels", &profile.kernels),
                                           std::pair("decode_attention", &profile.decode_attention)}) {
            if (key != name) continue;
            known = true;
            if (!value.is_string()) return wrong("a text is needed");
            *target = value.get<std::string>();
            if (name == std::string_view("id") && *target != std::filesystem::path(file).stem()) return wrong(fmt::format("{} is not the file's name, {}: give both the same", shown_json(value), std::filesystem::path(file).stem().string()));
        }
        for (const Number& number : numbers) {
            if (key != number.key) continue;
            known = true;
            if (!value.is_number() || !(value.get<double>() >= number.least && value.get<double>() <= number.most))
                return wrong(fmt::format("{} is not a number from {} to {}", shown_json(value), number.least, number.most));
            *number.value = value.get<double>();
        }
        if (!known) return wrong("unknown field");
    }
    if (profile.kernels != "vllm" && profile.kernels != "sglang") return tl::unexpected(Error{"must be vllm or sglang", "kernels", file, line_of_key(text, "kernels")});
    profile.prefill_step = microseconds(prefill_us);
    profile.decode_step = microseconds(decode_us);
    profile.token_budget = std::llround(budget);
    profile.most_sequences = std::llround(sequences);
    if (profile.name.empty()) profile.name = profile.id;
    return profile;
}

}  // namespace

std::vector<std::string> framework_ids(const std::filesystem::path& specs, const std::filesystem::path& user_specs) {
    std::vector<std::string> ids;
    std::vector<Error> problems;
    for (const auto& folder : {specs, user_specs}) {
        if (folder.empty()) continue;
        for (const auto& file : list_json_files(folder / "frameworks", problems)) ids.push_back(file.stem().string());
    }
    std::ranges::sort(ids);
    const auto repeated = std::ranges::unique(ids);
    ids.erase(repeated.begin(), repeated.end());
    return ids;
}

Result<FrameworkProfile> read_framework(std::string_view id, const std::filesystem::path& specs, const std::filesystem::path& user_specs) {
    std::vector<std::string> known;
    std::vector<Error> problems;
    std::vector<std::filesystem::path> folders;
    if (!user_specs.empty()) folders.push_back(user_specs / "frameworks");
    folders.push_back(specs / "frameworks");
    for (const auto& folder : folders) {
        for (const auto& file : list_json_files(folder, problems)) {
            known.push_back(file.stem().string());
            if (known.back() != id) continue;
            const auto text = read_text_file(file, kMostBytes);
            if (!text) return tl::unexpected(text.error());
            return parse(*text, file.string());
        }
    }
    return failure(fmt::format("unknown framework \"{}\", there is {}{}", id.substr(0, 40), fmt::join(known, ", "), did_you_mean(id, known)), "--framework");
}

}  // namespace synperf
