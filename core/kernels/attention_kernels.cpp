#include "kernels/attention_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hardware/architecture.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

using nlohmann::json;

// Reads one object's fields; the first thing that is wrong is kept, with the field's name.
class Fields {
public:
    Fields(const json& object, std::string where, std::string& problem) : object_(object), where_(std::move(where)), problem_(problem) {}

    double number(const char* key, double fallback, double least, double most) {
        const auto at = object_.find(key);
        if (at == object_.end()) return fallback;
        if (!at->is_number()) return fail(key, "a number is needed"), fallback;
        const double value = at->get<double>();
        if (!(value >= least && value <= most)) return fail(key, fmt::format("{} is out of range, {} to {}", value, least, most)), fallback;
        return value;
    }
    int integer(const char* key, int fallback, int least, int most) { return static_cast<int>(std::lround(number(key, fallback, least, most))); }
    bool flag(const char* key) {
        const auto at = object_.find(key);
        if (at == object_.end()) return false;
        if (!at->is_boolean()) fail(key, "true or false is needed");
        return at->is_boolean() && at->get<bool>();
    }
    int tristate(const char* key) { return object_.contains(key) ? (flag(key) ? 1 : 0) : -1; }
    std::string text(const char* key) {
        const auto at = object_.find(key);
        if (at == object_.end()) return {};
        if (!at->is_string()) return fail(key, "a text is needed"), std::string{};
        return at->get<std::string>();
    }
    template <std::size_t N>
    std::size_t choice(const char* key, const std::array<std::string_view, N>& names) {
        const std::string value = text(key);
        const auto at = std::find(names.begin(), names.end(), value);
        if (at == names.end()) return fail(key, fmt::format("\"{}\" is none of {}", value.substr(0, 40), fmt::join(names, ", "))), 0;
        return static_cast<std::size_t>(at - names.begin());
    }
    ByGeneration by_generation(const char* key, double fallback, double least, double most) {
        std::map<std::string, double, std::less<>> values{{"any", fallback}};
        const auto at = object_.find(key);
        if (at == object_.end()) return ByGeneration(values);
        if (at->is_number()) {
            values["any"] = number(key, fallback, least, most);
        } else if (at->is_object()) {
            Fields inner(*at, where_ + "." + key, problem_);
            for (const auto& [name, value] : at->items()) values[name] = inner.number(name.c_str(), fallback, least, most);
        } else {
            fail(key, "a number, or one for each kernel generation, is needed");
        }
        return ByGeneration(std::move(values));
    }
    void fail(const char* key, const std::string& what) {
        if (problem_.empty()) problem_ = fmt::format("{}.{}: {}", where_, key, what);
    }

private:
    const json& object_;
    std::string where_;
    std::string& problem_;
};

AttentionTileRule read_tile(const json& entry, const std::string& where, std::string& problem) {
    Fields fields(entry, where, problem);
    AttentionTileRule rule;
    rule.most_head_dim = fields.integer("most_head_dim", 576, 1, 1024);
    rule.causal = fields.tristate("causal");
    rule.paged = fields.tristate("paged");
    rule.most_rows = fields.integer("most_rows", 0, 0, 1024);
    rule.q = fields.integer("q", 0, 1, 1024);
    rule.kv = fields.integer("kv", 0, 1, 1024);
    if (rule.q == 0 || rule.kv == 0) fields.fail("q", "q and kv are needed");
    return rule;
}

AttentionKernel read_kernel(const json& entry, std::size_t index, std::string& problem) {
    constexpr std::array<std::string_view, 4> kPacks{"always", "short_q", "decode", "never"};
    constexpr std::array<std::string_view, 4> kSplits{"none", "flashinfer", "efficiency", "fill"};
    constexpr std::array<std::string_view, 3> kSchedulers{"hardware", "least_loaded", "round_robin"};
    const std::string where = fmt::format("kernels[{}]", index);
    Fields fields(entry, where, problem);
    AttentionKernel kernel;
    kernel.id = fields.text("id");
    kernel.title = fields.text("title");
    if (kernel.id.empty()) fields.fail("id", "a text is needed");
    const json generations = entry.value("generations", json::array());
    for (const json& generation : generations) {
        if (generation.is_string()) kernel.generations.push_back(generation.get<std::string>());
    }
    kernel.most_head_dim = fields.integer("most_head_dim", 576, 1, 1024);
    const json tiles = entry.value("tiles", json::array());
    for (const json& tile : tiles) kernel.tiles.push_back(read_tile(tile, where + ".tiles", problem));
    kernel.pack = static_cast<PackHeads>(fields.choice("pack", kPacks));
    kernel.split = static_cast<SplitRule>(fields.choice("split", kSplits));
    kernel.most_splits = fields.integer("most_splits", 1, 1, 4096);
    kernel.least_chunk = fields.integer("least_chunk", 1, 1, 1 << 20);
    kernel.split_needs_packing = fields.flag("split_needs_packing");
    kernel.window_unpacks = fields.flag("window_unpacks");
    kernel.scheduler = static_cast<AttentionScheduler>(fields.choice("scheduler", kSchedulers));
    kernel.heads_innermost = fields.flag("heads_innermost");
    kernel.longest_request_first = fields.flag("longest_request_first");
    kernel.visits_whole_window = fields.flag("visits_whole_window");
    kernel.last_tile_first = fields.flag("last_tile_first");
    kernel.merge_kernel = fields.tristate("merge_kernel") != 0;
    kernel.q_in_registers = fields.flag("q_in_registers");
    kernel.warp_groups = fields.flag("warp_groups");
    kernel.stages = fields.integer("stages", 1, 1, 16);
    kernel.threads = fields.integer("threads", 128, 32, 1024);
    kernel.registers = fields.integer("registers", 128, 16, 255);
    kernel.xu_rescale = fields.number("xu_rescale", 4, 0, 100);
    kernel.xu_iteration = fields.number("xu_iteration", 0, 0, 100);
    kernel.xu_row = fields.number("xu_row", 8, 0, 100);
    kernel.xu_output = fields.number("xu_output", 0, 0, 100);
    kernel.setup_steps = fields.by_generation("setup_steps", 1, 0, 100);
    kernel.decode_setup_steps = fields.by_generation("decode_setup_steps", kernel.setup_steps.at("any"), 0, 100);
    kernel.key_step = fields.by_generation("key_step", 128, 1, 1e6);
    kernel.tensor_share = fields.by_generation("tensor_share", 1, 1e-3, 1.2);
    kernel.xu_share = fields.by_generation("xu_share", 0, 0, 2);
    kernel.softmax_share = fields.by_generation("softmax_share", 1, 0, 2);
    kernel.fp8_share = fields.by_generation("fp8_share", 1, 1e-3, 1.2);
    kernel.dram_share = fields.by_generation("dram_share", 1, 1e-2, 1.2);
    kernel.page1_dram_share = fields.by_generation("page1_dram_share", kernel.dram_share.at("any"), 1e-2, 1.2);
    return kernel;
}

AttentionLayer read_layer(const json& entry, std::size_t index, std::string& problem) {
    Fields fields(entry, fmt::format("layers[{}]", index), problem);
    AttentionLayer layer;
    layer.framework = fields.text("framework");
    if (layer.framework.empty()) fields.fail("framework", "a text is needed");
    layer.algorithm = fields.text("algorithm");
    layer.generation = fields.text("generation");
    layer.decode = fields.tristate("decode");
    layer.fp8_kv = fields.tristate("fp8_kv");
    layer.us = fields.number("us", 0, 0, 1000);
    layer.operand_passes = fields.number("operand_passes", 0, 0, 10);
    layer.packed_heads_us = fields.number("packed_heads_us", 0, 0, 1000);
    return layer;
}

}  // namespace

double ByGeneration::at(std::string_view generation) const {
    auto found = values_.find(generation);
    if (found == values_.end()) found = values_.find("any");
    return found == values_.end() ? 0 : found->second;
}

const AttentionKernel* AttentionData::find(std::string_view id) const {
    for (const AttentionKernel& kernel : kernels) {
        if (kernel.id == id) return &kernel;
    }
    return nullptr;
}

const AttentionLayer* AttentionData::layer(std::string_view framework, std::string_view algorithm, std::string_view generation, bool decode, bool fp8_kv) const {
    const auto fits = [](int wanted, bool is) { return wanted < 0 || wanted == static_cast<int>(is); };
    for (const AttentionLayer& layer : layers) {
        if (!layer.framework.empty() && layer.framework != framework) continue;
        if (!layer.algorithm.empty() && layer.algorithm != algorithm) continue;
        if (!layer.generation.empty() && layer.generation != generation) continue;
        if (fits(layer.decode, decode) && fits(layer.fp8_kv, fp8_kv)) return &layer;
    }
    return nullptr;
}

std::vector<std::string> AttentionData::frameworks() const {
    std::vector<std::string> names;
    for (const AttentionLayer& layer : layers) {
        if (std::find(names.begin(), names.end(), layer.framework) == names.end()) names.push_back(layer.framework);
    }
    return names;
}

Result<AttentionData> AttentionData::read(const std::filesystem::path& file) {
    const auto fail = [&file](std::string message) { return tl::unexpected<Error>(Error{std::move(message), {}, file.string()}); };
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const json& document = *read;
    if (!document.is_object()) return fail("is not a JSON object");
    AttentionData data;
    std::string problem;
    const auto objects = [&](const char* key) {
        const json list = document.value(key, json::array());
        if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const json& one) { return one.is_object(); })) {
            problem = fmt::format("{}: a list of objects is needed", key);
            return json::array();
        }
        return list;
    };
    const json kernels = objects("kernels");
    for (const json& entry : kernels) data.kernels.push_back(read_kernel(entry, data.kernels.size(), problem));
    const json layers = objects("layers");
    for (const json& entry : layers) data.layers.push_back(read_layer(entry, data.layers.size(), problem));
    const auto constant = [&](const char* key) {
        const json entry = document.value(key, json::object());
        Fields fields(entry, key, problem);
        if (!entry.contains("value")) fields.fail("value", "a number is needed");
        return fields.number("value", 0, 0, 1000);
    };
    data.softmax_cycles = constant("softmax_cycles");
    data.convert_ops = constant("convert_ops");
    for (const char* id : {"fa2", "fa3", "ck", "cutlass"}) {
        if (problem.empty() && data.find(id) == nullptr) problem = fmt::format("kernels: \"{}\" is missing", id);
    }
    if (problem.empty() && data.layers.empty()) problem = "layers: at least one is needed";
    if (!problem.empty()) return fail(problem);
    return data;
}

std::string_view attention_generation(const GpuSpec& gpu) {
    if (gpu.compute_capability.starts_with("gfx")) return "gfx";
    return architecture_of(gpu.compute_capability).kernel_generation;
}

bool exists_on(const AttentionKernel& kernel, const GpuSpec& gpu) {
    const std::string_view generation = attention_generation(gpu);
    return std::find(kernel.generations.begin(), kernel.generations.end(), generation) != kernel.generations.end();
}

}  // namespace synperf
