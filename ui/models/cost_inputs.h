// What the Cost workspace is asked: candidate GPUs, limits and prices. The model and its requests are those of the Serving workspace.
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "economics/price_book.h"

namespace synperf {
struct FrameworkProfile;
struct GpuCatalogue;
struct RankingRequest;
}  // namespace synperf

namespace synperf::ui {

struct ServingInputs;

struct CostCandidate {
    std::string gpu;  ///< id in the catalogue
    bool on = true;   ///< is ranked

    friend bool operator==(const CostCandidate&, const CostCandidate&) = default;
};

using PriceBooks = std::vector<PriceBook>;

struct CostInputs {
    std::vector<CostCandidate> gpus{};  ///< at most kMostListed
    double ttft_ms = 0, tpot_ms = 0;    ///< limits; 0: none
    int most_gpus = 8;                  ///< of one deployment
    PriceKind kind = PriceKind::on_demand;
    std::string currency = "USD";
    double target_qps = 0;              ///< 0: no fleet is asked for
    std::shared_ptr<const PriceBooks> own{};  ///< the user's own books, which stand over the shipped ones; null: none

    static constexpr std::size_t kMostListed = 64;
    static constexpr int kMostGpus = 1024;

    [[nodiscard]] const PriceBooks& own_books() const;
    friend bool operator==(const CostInputs& a, const CostInputs& b);
};

/// What a fresh start ranks, with the user's price books of `user_specs`; files that can not be read are told in `problems`.
[[nodiscard]] CostInputs default_cost(const std::filesystem::path& user_specs, std::vector<Error>* problems = nullptr);

/// The request of the engine, as of `today`. With a table of requests a query is their mean. Fails where no model is chosen, with the command line's option as the field.
[[nodiscard]] Result<RankingRequest> ranking_request(const CostInputs& inputs, const ServingInputs& serving, const std::vector<FrameworkProfile>& frameworks, const Date& today);
/// "synperf cost --model ...": the same question for a terminal.
[[nodiscard]] QString cost_command_line(const CostInputs& inputs, const ServingInputs& serving, bool analytical);

}  // namespace synperf::ui
