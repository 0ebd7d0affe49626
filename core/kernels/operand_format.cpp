#include "kernels/operand_format.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

Result<ScalePacking> scale_packing(const nlohmann::json& entry) {
    ScalePacking packing;
    try {
        packing.framework = entry.at("framework").get<std::string>();
        packing.threads = entry.at("threads").get<int>();
        packing.rows_per_cta = entry.at("rows_per_cta").get<double>();
        packing.elements_per_load = entry.at("elements_per_load").get<double>();
        packing.elementwise_threads = entry.at("elementwise_threads").get<int>();
        packing.elements_per_thread = entry.at("elements_per_thread").get<double>();
    } catch (const nlohmann::json::exception& problem) {
        return failure(problem.what());
    }
    const auto fits = [](int threads) { return threads >= 1 && threads <= 1024; };
    if (!fits(packing.threads) || !fits(packing.elementwise_threads)) return failure("threads in 1 to 1024 are needed");
    if (!(packing.rows_per_cta >= 1) || !(packing.elements_per_load >= 1) || !(packing.elements_per_thread >= 1)) return failure("rows and elements of at least 1 are needed");
    return packing;
}

}  // namespace

Result<OperandFormats> OperandFormats::read(const std::filesystem::path& file) {
    const auto fail = [&file](std::string message, std::string field = {}) {
        return tl::unexpected<Error>(Error{std::move(message), std::move(field), file.string()});
    };
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const nlohmann::json& json = *read;
    if (!json.is_object() || !json.contains("formats") || !json["formats"].is_array()) return fail("an array of formats is needed", "formats");
    OperandFormats formats;
    for (const nlohmann::json& entry : json["formats"]) {
        if (!entry.is_object()) return fail("an entry is not an object", "formats");
        OperandFormat format;
        format.id = entry.value("id", "");
        if (format.id.empty()) return fail("an entry has no id", "id");
        const auto number = [&](const char* key) {
            const auto at = entry.find(key);
            return at != entry.end() && at->is_number() ? at->get<double>() : -1.0;
        };
        format.title = entry.value("title", format.id);
        const auto math = parse_dtype(entry.value("math", ""));
        if (!math) return fail(fmt::format("{}: \"{}\" is no number format", format.id, entry.value("math", "")), "math");
        format.math = *math;
        struct Bytes {
            const char* key;
            double OperandFormat::*member;
        };
        for (const auto& [key, member] : {Bytes{"activation_bytes", &OperandFormat::activation_bytes}, Bytes{"weight_bytes", &OperandFormat::weight_bytes},
                                          Bytes{"output_bytes", &OperandFormat::output_bytes}, Bytes{"source_bytes", &OperandFormat::source_bytes}}) {
            format.*member = number(key);
            if (!(format.*member > 0 && format.*member <= 8)) return fail(fmt::format("{}: bytes an element in (0, 8] are needed", format.id), key);
        }
        format.quantize_group = entry.value("quantize_group", 0);
        format.most_split_k = entry.value("most_split_k", std::int64_t{0});
        format.dequantize_ops = entry.value("dequantize_ops", 0.0);
        if (entry.contains("scale_packing")) {
            auto packing = scale_packing(entry["scale_packing"]);
            if (!packing) return fail(fmt::format("{}: {}", format.id, packing.error().message), "scale_packing");
            format.scale_packing = std::move(*packing);
        }
        formats.formats_.push_back(std::move(format));
    }
    for (const nlohmann::json& entry : json.value("quantizers", nlohmann::json::array())) {
        Quantizer quantizer;
        try {
            quantizer.id = entry.at("id").get<std::string>();
            quantizer.threads = entry.at("threads").get<int>();
            quantizer.registers_per_thread = entry.at("registers_per_thread").get<int>();
            quantizer.elements_per_load = entry.at("elements_per_load").get<double>();
            quantizer.other_rounds = entry.at("other_rounds").get<double>();
            quantizer.fma_ops = entry.at("fma_ops").get<double>();
        } catch (const nlohmann::json::exception& problem) {
            return fail(problem.what(), "quantizers");
        }
        if (quantizer.threads < 1 || quantizer.threads > 1024 || quantizer.elements_per_load < 1) {
            return fail("threads in 1 to 1024 and elements_per_load of at least 1 are needed", "quantizers");
        }
        formats.quantizers_.push_back(std::move(quantizer));
    }
    if (formats.quantizers_.empty()) return fail("at least one is needed", "quantizers");
    return formats;
}

std::vector<std::string> OperandFormats::quantizer_ids() const {
    std::vector<std::string> ids;
    for (const Quantizer& quantizer : quantizers_) ids.push_back(quantizer.id);
    return ids;
}

const Quantizer* OperandFormats::find_quantizer(std::string_view id) const {
    for (const Quantizer& quantizer : quantizers_) {
        if (quantizer.id == id) return &quantizer;
    }
    return nullptr;
}

std::vector<std::string> OperandFormats::ids() const {
    std::vector<std::string> ids;
    for (const OperandFormat& format : formats_) ids.push_back(format.id);
    return ids;
}

const OperandFormat* OperandFormats::find(std::string_view id) const {
    for (const OperandFormat& format : formats_) {
        if (format.id == id) return &format;
    }
    return nullptr;
}

}  // namespace synperf
