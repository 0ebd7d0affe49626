#include "data/gpu_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "data/foreign_gpu.h"
#include "hardware/architecture.h"
#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"

namespace synperf {

namespace {

using Words = std::set<std::string>;

// Lower-case words of a name without the maker's: "NVIDIA_A10-PCIe" -> a10, pcie.
std::vector<std::string> words_of(std::string_view name) {
    static const Words kMakers{"nvidia", "amd", "tesla", "geforce", "radeon", "instinct"};
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            words.back() += folded({&c, 1});
        else if (!words.back().empty())
            words.emplace_back();
    }
    std::erase_if(words, [](const std::string& word) { return word.empty() || kMakers.contains(word); });
    return words;
}

// The catalogue's GPU that a file means. Names of other tools carry form factor and memory size in their own ways, so
// words are dropped from the end until one matches; of several matches the one with the nearest memory size is meant.
const GpuSpec* same_gpu(const ForeignGpu& foreign, const GpuCatalogue& known) {
    if (const Result<const GpuSpec*> exact = known.find(foreign.name)) return *exact;
    std::vector<std::string> wanted = words_of(foreign.name);
    const auto memory = foreign.values.find(GpuField::memory_gb);
    for (; !wanted.empty(); wanted.pop_back()) {
        std::string joined;
        for (const std::string& word : wanted) joined += word;
        if (const Result<const GpuSpec*> exact = known.find(joined)) return *exact;
        const GpuSpec* best = nullptr;
        double best_distance = 0;
        for (const GpuSpec& gpu : known.gpus()) {
            Words words;
            for (const std::string& word : words_of(gpu.id)) words.insert(word);
            for (const std::string& alias : gpu.aliases)
                for (const std::string& word : words_of(alias)) words.insert(word);
            if (!std::ranges::all_of(wanted, [&](const std::string& word) { return words.contains(word); })) continue;
            const double distance =
                memory == foreign.values.end() ? 0 : std::abs(gpu[GpuField::memory_gb] - memory->second);
            if (best == nullptr || distance < best_distance) {
                best = &gpu;
                best_distance = distance;
            }
        }
        if (best != nullptr) return best;
    }
    return nullptr;
}

// An id of our own beside the catalogue's, so that an import never replaces a shipped GPU unasked.
std::string id_for(const ForeignGpu& foreign) {
    std::string id;
    for (const char c : foreign.name + "-" + foreign.format) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
        if (plain && static_cast<unsigned char>(c) < 0x80)
            id += c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    constexpr std::size_t kLongest = 64;
    if (id.size() > kLongest) id.erase(0, id.size() - kLongest);
    return is_gpu_id(id) ? id : "imported-" + foreign.format;
}

bool is_tensor_rate(GpuField field) {
    using enum GpuField;
    return field == bf16_tflops || field == fp16_tflops || field == tf32_tflops || field == fp8_tflops ||
           field == fp4_tflops || field == int8_tops;
}

// The steps of one import, in order; each adds to the spec and says what it decided.
class Import {
public:
    Import(ForeignGpu foreign, std::string file, const GpuSpec* same)
        : foreign_(std::move(foreign)),
          file_(std::move(file)),
          same_(same),
          decisions_(std::move(foreign_.decisions)) {}

    Result<ImportedGpu> run() {
        name_it();
        label_the_memory();
        for (const auto& [field, value] : foreign_.values) take(field, value);
        settle_clocks();
        fill_from_catalogue(/*rates=*/false);
        rates_from_clocks();
        halve_sparse();
        fill_from_catalogue(/*rates=*/true);
        fill_limits_by_rule();
        fill_derived(spec_);
        fill_fp32_by_rule();
        say_what_rules_filled();
        return finish();
    }

private:
    void decide(std::string text) { decisions_.push_back(std::move(text)); }

    FieldFact fact_of_file() const {
        return FieldFact{.provenance = Provenance::user,
                         .source = foreign_.format + " file",
                         .reason = {},
                         .exception = {},
                         .others = {}};
    }

    void name_it() {
        spec_.origin = SpecOrigin::user;
        spec_.id = id_for(foreign_);
        spec_.name = foreign_.name + " (" + foreign_.format + ")";
        spec_.compute_capability = foreign_.compute_capability;
        spec_.arch = foreign_.arch;
        decide(fmt::format("id: {}, so that no other GPU is replaced", spec_.id));
        if (same_ == nullptr) {
            decide(fmt::format("no GPU of the catalogue is called '{}'", foreign_.name));
            return;
        }
        decide(fmt::format("compared with {} of the catalogue", same_->id));
        spec_.vendor = same_->vendor;
        spec_.arch = same_->arch;
        spec_.memory_type = same_->memory_type;
        if (spec_.compute_capability.empty())
            spec_.compute_capability = same_->compute_capability;
        else if (spec_.compute_capability != same_->compute_capability)
            decide(fmt::format("compute_capability: the file says {}, the catalogue {}; kept as in the file",
                               spec_.compute_capability, same_->compute_capability));
    }

    // Programs see some percent less than the label, in GiB.
    void label_the_memory() {
        const auto memory = foreign_.values.find(GpuField::memory_gb);
        if (!foreign_.memory_is_visible_bytes || memory == foreign_.values.end()) return;
        constexpr double kHidden = 0.09;
        const double label = same_ != nullptr ? (*same_)[GpuField::memory_gb] : std::ceil(memory->second - 0.01);
        if (std::abs(memory->second / label - 1) > kHidden) return;
        if (memory->second != label)
            decide(fmt::format("mem_gb_label: {:.4g} GiB are visible, the label is {:.4g} GB", memory->second, label));
        memory->second = label;
    }

    // A value of the file, unless the catalogue already records it as another source's mistake.
    void take(GpuField field, double value) {
        const std::string_view key = info(field).key;
        FieldFact fact = fact_of_file();
        if (same_ != nullptr && same_->knows(field)) {
            const double ours = (*same_)[field];
            const FieldFact* known = same_->fact(field);
            constexpr double kSame = 0.001, kRounding = 0.03;
            const bool recorded = known != nullptr && std::ranges::any_of(known->others, [&](const OtherValue& other) {
                                      return std::abs(value / other.value - 1) <= 0.002;
                                  });
            const double difference = value / ours - 1;
            const bool judged = recorded && (info(field).integer ? value != ours : std::abs(difference) > kRounding);
            if (judged) {
                decide(fmt::format(
                    "{}: the file says {:.6g}, a known disagreement ({}); {:.6g} {} of the catalogue is used", key,
                    value, known->reason, ours, info(field).unit));
                fact = *known;
                fact.source = "catalogue, " + same_->id + ": " + known->source;
                value = ours;
            } else if (std::abs(difference) > kSame) {
                decide(fmt::format("{}: the file says {:.6g}, the catalogue {:.6g} {} ({:+.1f} %); kept as in the file",
                                   key, value, ours, info(field).unit, 100 * difference));
                fact.others.push_back({ours, "catalogue, " + same_->id});
            }
        }
        set_field(spec_, field, value, std::move(fact));
    }

    // Formats state one clock: the one of their rates. The other clocks come from the catalogue, or are that one.
    void settle_clocks() {
        using enum GpuField;
        if (spec_.knows(boost_mhz) || !spec_.knows(tensor_clock_mhz)) return;
        if (same_ != nullptr && (*same_)[boost_mhz] >= spec_[tensor_clock_mhz]) return;
        FieldFact fact = fact_of_file();
        fact.provenance = Provenance::derived;
        fact.reason = "the file's only clock";
        set_field(spec_, boost_mhz, spec_[tensor_clock_mhz], std::move(fact));
        decide(fmt::format("boost_mhz: {:.6g} MHz, the file's only clock", spec_[boost_mhz]));
    }

    void fill_from_catalogue(bool rates) {
        if (same_ == nullptr) return;
        std::string filled;
        for (const GpuFieldInfo& about : gpu_fields()) {
            const GpuField field = about.field;
            const bool is_rate = is_tensor_rate(field) || field == GpuField::fp32_tflops;
            if (field == GpuField::bf16_tflops && spec_.knows(GpuField::fp16_tflops)) continue;
            if (is_rate != rates || spec_.knows(field) || !same_->knows(field) ||
                foreign_.rates_per_clock.contains(field))
                continue;
            const FieldFact* known = same_->fact(field);
            // Rates that follow from another one are derived from the file's, not copied.
            const bool follows = known != nullptr && known->provenance == Provenance::derived &&
                                 is_tensor_rate(field) &&
                                 (spec_.knows(GpuField::bf16_tflops) || spec_.knows(GpuField::fp16_tflops));
            if (follows || (known != nullptr && known->source == kRuleSource)) continue;
            if (field == GpuField::base_mhz && spec_.knows(GpuField::boost_mhz) &&
                (*same_)[field] > spec_[GpuField::boost_mhz])
                continue;
            FieldFact fact = known == nullptr ? FieldFact{} : *known;
            fact.source = "catalogue, " + same_->id + ": " + fact.source;
            double value = (*same_)[field];
            std::string scaled;
            if (is_rate) {
                const double share = speed(field) / speed(field, *same_);
                constexpr double kSame = 0.002;
                if (std::abs(share - 1) > kSame) {
                    scaled = fmt::format(" x {:.3g} for the file's SMs and clock", share);
                    fact.provenance = Provenance::derived;
                    fact.reason = "scaled with SMs and clock from " + same_->id;
                    value *= share;
                }
            }
            filled += fmt::format("{}{} {:.6g}{}", filled.empty() ? "" : ", ", about.key, value, scaled);
            set_field(spec_, field, value, std::move(fact));
        }
        if (!filled.empty()) decide(fmt::format("from {} of the catalogue: {}", same_->id, filled));
    }

    // SMs x clock that a rate scales with.
    static double speed(GpuField field, const GpuSpec& gpu) {
        return gpu.sms() * (is_tensor_rate(field) ? gpu.tensor_clock() : gpu.boost_clock()).value;
    }
    double speed(GpuField field) const { return speed(field, spec_); }

    void rates_from_clocks() {
        for (const auto& [field, rate] : foreign_.rates_per_clock) {
            if (!spec_.knows(GpuField::sm_count) || !spec_.knows(GpuField::boost_mhz)) continue;
            const double flop = is_tensor_rate(field) ? rate : 2 * rate;  // an FMA is 2 FLOP
            take(field, flop * speed(field) * 1e-12);
        }
    }

    void halve_sparse() {
        for (const GpuField field :
             {GpuField::bf16_tflops, GpuField::fp16_tflops, GpuField::fp8_tflops, GpuField::fp4_tflops}) {
            if (!spec_.knows(field) || !spec_.knows(GpuField::sm_count) || !spec_.knows(GpuField::boost_mhz)) continue;
            if (!looks_sparse(spec_, field)) continue;
            FieldFact fact = fact_of_file();
            fact.reason = "half of the file's rate, which counts structured sparsity";
            decide(fmt::format("{}: {:.6g} counts structured sparsity, {:.6g} dense is used", info(field).key,
                               spec_[field], spec_[field] / 2));
            set_field(spec_, field, spec_[field] / 2, std::move(fact));
        }
    }

    // What one SM can hold follows from the compute capability.
    void fill_limits_by_rule() {
        using enum GpuField;
        const Architecture& rules = architecture_of(spec_.compute_capability);
        const bool unknown = rules.compute_capability == "any";
        const std::array<std::pair<GpuField, double>, 6> limits{{{smem_per_sm_kib, rules.smem_per_sm_kib},
                                                                 {smem_per_block_max_kib, rules.smem_per_block_max_kib},
                                                                 {regs32_per_sm, rules.regs32_per_sm},
                                                                 {max_threads_per_sm, rules.max_threads_per_sm},
                                                                 {max_warps_per_sm, rules.max_warps_per_sm},
                                                                 {max_ctas_per_sm, rules.max_ctas_per_sm}}};
        std::string filled;
        for (const auto& [field, value] : limits) {
            if (spec_.knows(field)) continue;
            FieldFact fact = fact_of_file();
            fact.provenance = Provenance::derived;
            fact.source = "limits by compute capability";
            fact.reason =
                unknown ? std::string("guess: the file does not say the compute capability")
                        : "limit of compute capability " + rules.compute_capability + " (" + rules.limits_source + ")";
            filled += fmt::format("{}{} {:.6g}", filled.empty() ? "" : ", ", info(field).key, value);
            set_field(spec_, field, value, std::move(fact));
        }
        if (!filled.empty())
            decide(fmt::format("by rule, {}: {}",
                               unknown ? std::string("a guess, the file does not say the compute capability")
                                       : "limits of compute capability " + rules.compute_capability,
                               filled));
    }

    // 128 FMA lanes an SM: every NVIDIA part since Ampere except the A100 and A30.
    void fill_fp32_by_rule() {
        using enum GpuField;
        if (spec_.knows(fp32_tflops) || !spec_.knows(sm_count) || !spec_.knows(boost_mhz)) return;
        constexpr double kLanes = 128;
        FieldFact fact = fact_of_file();
        fact.provenance = Provenance::derived;
        fact.source = "rule";
        fact.reason = "128 FMA/clk/SM x SMs x boost clock";
        set_field(spec_, fp32_tflops, 2 * kLanes * speed(fp32_tflops) * 1e-12, std::move(fact));
        decide(fmt::format("fp32_tflops: {:.4g}, by rule: 128 FMA/clk/SM x SMs x boost clock", spec_[fp32_tflops]));
    }

    void say_what_rules_filled() {
        std::string filled;
        for (const auto& [field, fact] : *spec_.facts)
            if (fact.source == kRuleSource)
                filled += fmt::format("{}{} {:.6g}", filled.empty() ? "" : ", ", info(field).key, spec_[field]);
        if (!filled.empty()) decide("by rule of the architecture: " + filled);
    }

    Result<ImportedGpu> finish() {
        std::string missing;
        for (const GpuFieldInfo& about : gpu_fields())
            if (about.required && !spec_.knows(about.field))
                missing += (missing.empty() ? "" : ", ") + std::string(about.key);
        if (!missing.empty())
            return tl::unexpected<Error>(
                Error{fmt::format("the {} file does not say {}, and no GPU of the catalogue is called '{}'",
                                  foreign_.format, missing, foreign_.name),
                      {},
                      file_});
        // What a file says may contradict what was filled in: the same checks as for any other spec.
        const Result<GpuSpec> checked = parse_gpu_json(write_gpu_json(spec_), file_, SpecOrigin::user);
        if (!checked) return tl::unexpected<Error>(checked.error());
        for (const Hint& hint : check_consistency(*checked))
            decide(fmt::format("doubtful: {}: {}", info(hint.field).key, hint.message));
        ImportedGpu imported{*checked, foreign_.format, std::move(decisions_)};
        imported.spec.file.clear();
        return imported;
    }

    ForeignGpu foreign_;
    std::string file_;
    const GpuSpec* same_;
    GpuSpec spec_;
    std::vector<std::string> decisions_;
};

}  // namespace

Result<ImportedGpu> import_gpu(const std::filesystem::path& file, const GpuCatalogue& known) {
    Result<ForeignGpu> foreign = read_foreign_gpu(file);
    if (!foreign) return tl::unexpected<Error>(foreign.error());
    const GpuSpec* same = same_gpu(*foreign, known);
    return Import(std::move(*foreign), file.string(), same).run();
}

}  // namespace synperf
