#include "data/foreign_gpu.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "hardware/gpu_json.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxKeys = 1000;

struct Unit {
    std::string_view name;
    double factor;               ///< to the field's unit
    std::string_view becomes{};  ///< name of the result where it is not the field's unit
};
using Units = std::initializer_list<Unit>;

// Units that files of these tools use, the documented one first where a reader names it first.
constexpr Unit kGigabytesPerSecond{"GB/s", 1}, kTerabytesPerSecond{"TB/s", 1e3}, kBytesPerSecond{"B/s", 1e-9};
constexpr Unit kMegahertz{"MHz", 1}, kGigahertz{"GHz", 1e3}, kKilohertz{"kHz", 1e-3}, kHertz{"Hz", 1e-6};
constexpr Unit kGigabytes{"GB", 1}, kBytesAsGib{"bytes", 1.0 / 1073741824.0, "GiB"};
constexpr Unit kTeraflops{"TFLOP/s", 1}, kGigaflops{"GFLOP/s", 1e-3}, kFlops{"FLOP/s", 1e-12};
constexpr Unit kPlain{"", 1};

// Top-level and second-level scalars of one file, "gpu.mem_bw" for the latter.
using Keys = std::map<std::string, json>;

class ForeignReader {
public:
    ForeignReader(Keys keys, std::string file) : keys_(std::move(keys)), file_(std::move(file)) {}

    [[nodiscard]] bool has(const std::string& key) const { return keys_.contains(key); }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    ForeignGpu gpu;

    std::string text(const std::string& key) {
        used_.insert(key);
        const auto found = keys_.find(key);
        if (found == keys_.end() || !found->second.is_string()) return {};
        return shown(found->second.get<std::string>());
    }

    std::optional<double> number(const std::string& key) {
        used_.insert(key);
        const auto found = keys_.find(key);
        if (found == keys_.end()) return std::nullopt;
        if (!found->second.is_number() || !std::isfinite(found->second.get<double>())) {
            refuse(key, "is " + shown_json(found->second) + ", a number is needed");
            return std::nullopt;
        }
        return found->second.get<double>();
    }

    /// Takes `key` over as `field`, in the first of `units` that gives a possible value.
    void take(const std::string& key, GpuField field, Units units, double scale = 1, std::string_view why = {}) {
        const std::optional<double> value = number(key);
        if (!value) return;
        for (const Unit& unit : units) {
            const double meant = *value * unit.factor * scale;
            if (!check_value(field, meant).empty()) continue;
            gpu.values[field] = meant;
            const bool converted = meant != *value;
            gpu.decisions.push_back(fmt::format(
                "{}: {} = {:.15g}{}{}{}{}{}", info(field).key, key, *value, unit.name.empty() ? "" : " read as ",
                unit.name,
                converted ? fmt::format(" = {:.6g} {}", meant, unit.becomes.empty() ? info(field).unit : unit.becomes)
                          : "",
                why.empty() ? "" : ", ", why));
            return;
        }
        refuse(key, check_value(field, *value * units.begin()->factor * scale));
    }

    /// Takes a per-clock rate over, with the physical value where the file's was computed back from a rounded
    /// datasheet.
    void take_rate(const std::string& key, GpuField field) {
        const std::optional<double> value = number(key);
        if (!value || *value == 0) return;  // a tool's 0 means "not known"
        constexpr double kMost = 1 << 20;
        if (*value < 1 || *value > kMost)
            return refuse(key, fmt::format("is {:.15g}, 1 to {:.0f} per clock and SM is possible", *value, kMost));
        const double power = std::exp2(std::round(std::log2(*value)));
        constexpr double kRounding = 0.015;
        double rate = *value;
        if (rate != power && std::abs(rate / power - 1) <= kRounding) {
            gpu.decisions.push_back(
                fmt::format("{}: {} = {:.15g} FLOP/clk/SM was computed back from a rounded datasheet rate; the "
                            "physical value {:.0f} is used",
                            info(field).key, key, rate, power));
            rate = power;
        } else {
            gpu.decisions.push_back(fmt::format("{}: {} = {:.15g} read as {}/clk/SM", info(field).key, key, rate,
                                                field == GpuField::fp32_tflops ? "FMA" : "dense FLOP"));
        }
        gpu.rates_per_clock[field] = rate;
    }

    void leave_out(const std::string& key, std::string_view why) {
        if (!has(key)) return;
        used_.insert(key);
        gpu.decisions.push_back(fmt::format("{} left out: {}", key, why));
    }

    void refuse(const std::string& key, std::string message) {
        if (!error_) error_ = Error{std::move(message), shown(key), file_};
    }

    /// Says which keys no rule above asked for.
    void list_unused() {
        std::string names;
        std::size_t count = 0;
        for (const auto& [key, value] : keys_) {
            if (used_.contains(key)) continue;
            constexpr std::size_t kNamed = 12;
            if (count++ < kNamed) names += (names.empty() ? "" : ", ") + shown(key);
        }
        if (count > 0)
            gpu.decisions.push_back(
                fmt::format("left out, nothing in a GPU spec corresponds: {}{}", names, count > 12 ? ", ..." : ""));
    }

private:
    Keys keys_;
    std::string file_;
    std::set<std::string> used_;
    std::optional<Error> error_;
};

// "8" and "9" of compute capability 8.9, which files keep in two numbers or as 89.
std::string compute_capability(double major, double minor) {
    const bool fine = major >= 1 && major < 100 && minor >= 0 && minor < 10 && major == std::floor(major) &&
                      minor == std::floor(minor);
    return fine ? fmt::format("{:.0f}.{:.0f}", major, minor) : std::string();
}

void read_pipeweave(ForeignReader& in) {
    using enum GpuField;
    in.gpu.format = "PipeWeave";
    in.gpu.name = in.text("name");
    in.gpu.arch = in.text("architecture");
    const std::optional<double> major = in.number("computeMajor"), minor = in.number("computeMinor");
    if (major && minor) in.gpu.compute_capability = compute_capability(*major, *minor);
    in.take("numSms", sm_count, {kPlain});
    in.take("smFreq", tensor_clock_mhz, {kMegahertz, kGigahertz, kKilohertz}, 1,
            "the clock at which the tensor rates hold");
    in.take("memBandwidth", bandwidth_gbps, {kGigabytesPerSecond, kTerabytesPerSecond, kBytesPerSecond}, 1,
            "decimal GB");
    in.take("l2CacheBandwidth", l2_bandwidth_gbps, {kGigabytesPerSecond, kTerabytesPerSecond, kBytesPerSecond}, 1,
            "decimal GB");
    in.take("l2CacheSize", l2_mib, {{"KiB", 1.0 / 1024}, {"bytes", 1.0 / 1048576}});
    in.take("sharedMemorySize", smem_per_sm_kib, {{"KiB", 1}, {"bytes", 1.0 / 1024}});
    in.take("sharedMemoryBandwidth", smem_bytes_per_clk_per_sm, {{"B/clk/SM", 1}});
    in.take("registerFileSize", regs32_per_sm, {{"KiB", 256}, {"bytes", 0.25}}, 1, "4 bytes a register");
    in.take("xuFp32", xu_per_clk_per_sm, {{"op/clk/SM", 1}});
    in.take("totalGlobalMem", memory_gb, {kBytesAsGib, kGigabytes}, 1, "what programs see");
    in.gpu.memory_is_visible_bytes = true;
    in.take_rate("tcBf16", bf16_tflops);
    in.take_rate("tcFp8", fp8_tflops);
    in.take_rate("FmaFp32", fp32_tflops);
    in.leave_out("l1CacheSize", "the model has no L1 size");
}

void read_neusight(ForeignReader& in) {
    using enum GpuField;
    in.gpu.format = "NeuSight";
    in.gpu.name = in.text("Device");
    in.take("Num_Sm", sm_count, {kPlain});
    in.take("Freq", boost_mhz, {kMegahertz, kGigahertz, kKilohertz});
    in.take("Mem_Bw", bandwidth_gbps, {kGigabytesPerSecond, kTerabytesPerSecond, kBytesPerSecond});
    in.take("Dev_Mem", memory_gb, {kGigabytes, {"MB", 1e-3}, {"bytes", 1e-9}});
    in.take("L2Cache", l2_mib, {{"MiB", 1}, {"KiB", 1.0 / 1024}, {"bytes", 1.0 / 1048576}});
    in.take("SingleFLOPs", fp32_tflops, {kGigaflops, kTeraflops, kFlops});
    if (const std::optional<double> cores = in.number("Core_Per_SM"))
        in.gpu.decisions.push_back(
            fmt::format("Core_Per_SM = {:.15g} not needed: the FP32 rate says the same", *cores));
}

void read_llm_analysis(ForeignReader& in) {
    using enum GpuField;
    in.gpu.format = "llm-analysis";
    in.gpu.name = in.text("name");
    in.take("mem_per_GPU_in_GB", memory_gb, {kGigabytes});
    in.take("hbm_bandwidth_in_GB_per_sec", bandwidth_gbps, {kGigabytesPerSecond});
    in.take("peak_fp16_TFLOPS", fp16_tflops, {kTeraflops});
    in.take("peak_bf16_TFLOPS", bf16_tflops, {kTeraflops});
    in.take("peak_fp8_TFLOPS", fp8_tflops, {kTeraflops});
    in.take("peak_fp32_TFLOPS", fp32_tflops, {kTeraflops});
    in.take("peak_i8_TFLOPS", int8_tops, {{"TOP/s", 1}});
    in.leave_out("peak_i4_TFLOPS", "the model has no INT4");
    in.leave_out("intra_node_bandwidth_in_GB_per_sec", "the file does not say whether this is NVLink or PCIe");
}

void read_aiconfigurator(ForeignReader& in) {
    using enum GpuField;
    in.gpu.format = "AIConfigurator";
    const std::string folder = in.text("data_dir");
    in.gpu.name = folder.substr(folder.find_last_of('/') + 1);
    if (const std::optional<double> version = in.number("gpu.sm_version"))
        in.gpu.compute_capability =
            compute_capability(std::floor(*version / 10), *version - 10 * std::floor(*version / 10));
    in.take("gpu.mem_bw", bandwidth_gbps, {kBytesPerSecond, kGigabytesPerSecond});
    in.take("gpu.mem_capacity", memory_gb, {kBytesAsGib, kGigabytes});
    in.gpu.memory_is_visible_bytes = true;
    in.take("gpu.bfloat16_tc_flops", bf16_tflops, {kFlops, kTeraflops});
    in.take("gpu.float16_tc_flops", fp16_tflops, {kFlops, kTeraflops});
    in.take("gpu.fp8_tc_flops", fp8_tflops, {kFlops, kTeraflops});
    in.take("gpu.fp4_tc_flops", fp4_tflops, {kFlops, kTeraflops});
    in.take("gpu.int8_tc_flops", int8_tops, {{"OP/s", 1e-12}, {"TOP/s", 1}});
    in.take("gpu.power", tdp_w, {{"W", 1}});
    in.take("node.intra_node_bw", nvlink_gbps_bidir, {kBytesPerSecond, kGigabytesPerSecond}, 2,
            "one direction, doubled");
    in.leave_out("gpu.mem_bw_empirical_scaling_factor", "a correction for that tool's own model");
    in.leave_out("gpu.mem_empirical_constant_latency", "a correction for that tool's own model");
}

Result<Keys> json_keys(std::string_view text, const std::string& file) {
    const Result<json> document = parse_strict_json(text, file);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object()) return tl::unexpected<Error>(Error{"is no JSON object", {}, file});
    Keys keys;
    for (const auto& [key, value] : document->items()) keys[key] = value;
    return keys;
}

json yaml_scalar(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // A quoted '90' is text to YAML ("!"), and to us.
    if (error == std::errc() && end == text.data() + text.size() && node.Tag() != "!") return value;
    return text;
}

Result<Keys> yaml_keys(const std::string& text, const std::string& file) {
    const auto fail = [&](std::string message, int line = 0) {
        return tl::unexpected<Error>(Error{std::move(message), {}, file, line});
    };
    try {
        const YAML::Node root = YAML::Load(text);
        if (!root.IsMap()) return fail("neither a JSON object nor a YAML map");
        Keys keys;
        for (const auto& top : root) {
            if (keys.size() > kMaxKeys) return fail(fmt::format("more than {} keys", kMaxKeys));
            if (!top.first.IsScalar()) continue;
            const std::string& name = top.first.Scalar();
            if (top.second.IsScalar()) keys[name] = yaml_scalar(top.second);
            if (!top.second.IsMap()) continue;
            for (const auto& inner : top.second) {
                if (keys.size() > kMaxKeys) return fail(fmt::format("more than {} keys", kMaxKeys));
                if (!inner.first.IsScalar()) continue;
                const std::string key = name + "." + inner.first.Scalar();
                if (keys.contains(key))
                    return fail("the key '" + shown(key) + "' is there twice", inner.first.Mark().line + 1);
                keys[key] = inner.second.IsScalar() ? yaml_scalar(inner.second) : json("a list or a map");
            }
        }
        return keys;
    } catch (const YAML::Exception& error) {
        return fail("not valid YAML: " + shown(error.msg), error.mark.line + 1);
    }
}

}  // namespace

Result<ForeignGpu> read_foreign_gpu(const std::filesystem::path& file) {
    const std::string path = file.string();
    const Result<std::string> text = read_text_file(file, kMaxSpecFileBytes);
    if (!text) return tl::unexpected<Error>(text.error());
    const std::size_t first = text->find_first_not_of("\xEF\xBB\xBF \t\r\n");
    const bool is_json = first != std::string::npos && ((*text)[first] == '{' || (*text)[first] == '[');
    Result<Keys> keys = is_json ? json_keys(*text, path) : yaml_keys(*text, path);
    if (!keys) return tl::unexpected<Error>(keys.error());

    ForeignReader reader(std::move(*keys), path);
    if (reader.has("numSms") && reader.has("memBandwidth"))
        read_pipeweave(reader);
    else if (reader.has("Num_Sm") && reader.has("Mem_Bw"))
        read_neusight(reader);
    else if (reader.has("mem_per_GPU_in_GB") && reader.has("hbm_bandwidth_in_GB_per_sec"))
        read_llm_analysis(reader);
    else if (reader.has("gpu.mem_bw") && reader.has("gpu.mem_capacity"))
        read_aiconfigurator(reader);
    else
        return tl::unexpected<Error>(Error{
            "no known GPU spec; PipeWeave JSON (numSms, memBandwidth, ...), NeuSight JSON (Num_Sm, Mem_Bw, ...), "
            "llm-analysis JSON (mem_per_GPU_in_GB, ...) and AIConfigurator YAML (gpu: mem_bw, ...) can be imported",
            {},
            path});
    if (reader.error()) return tl::unexpected<Error>(*reader.error());
    reader.list_unused();
    if (reader.gpu.name.empty()) reader.gpu.name = shown(file.stem().string());
    return std::move(reader.gpu);
}

}  // namespace synperf
