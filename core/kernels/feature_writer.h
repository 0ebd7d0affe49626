// Where the numbers that a learned model looks at are written, each beside its name, so that values and names can not part.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synperf {

/// Appends to `values`, and to `names` where it is given (training and the documentation ask for names, a prediction does not).
class FeatureWriter {
public:
    explicit FeatureWriter(std::vector<float>& values, std::vector<std::string>* names = nullptr) : values_(values), names_(names) {}

    /// As it is.
    void number(std::string_view name, double value) {
        values_.push_back(static_cast<float>(value));
        if (names_ != nullptr) names_->emplace_back(name);
    }
    /// A count or size >= 0 on a logarithmic scale: log2(1 + value).
    void size(std::string_view name, double value) { number(name, std::log2(1.0 + value)); }
    /// A share >= 0 of something on a logarithmic scale that ends at 1/1000.
    void share(std::string_view name, double value) { number(name, std::log(value + kLeastShare)); }
    /// A ratio > 0 on a logarithmic scale; 0 and what is not finite count as 1.
    void ratio(std::string_view name, double value) { number(name, value > 0 && std::isfinite(value) ? std::log(value) : 0.0); }
    /// One column a choice: 1 for the one that holds.
    void one_of(std::string_view name, std::span<const std::string> choices, std::string_view chosen) {
        for (const std::string& choice : choices) {
            values_.push_back(choice == chosen ? 1.0F : 0.0F);
            if (names_ != nullptr) names_->push_back(std::string(name) + "=" + choice);
        }
    }
    /// How full the last of the blocks of each size is that cover `value`: kernels are cut into such blocks.
    void fills(std::string_view name, std::int64_t value, std::span<const int> blocks) {
        for (const int block : blocks) {
            const double covered = std::ceil(static_cast<double>(value) / block) * block;
            values_.push_back(static_cast<float>(covered > 0 ? static_cast<double>(value) / covered : 1.0));
            if (names_ != nullptr) names_->push_back(std::string(name) + " of " + std::to_string(block));
        }
    }

private:
    static constexpr double kLeastShare = 1e-3;
    std::vector<float>& values_;
    std::vector<std::string>* names_;
};

}  // namespace synperf
