// The implementations of a fused MoE layer that serving frameworks choose from. Read from specs/calibration/moe.json.
#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hardware/error.h"
#include "kernels/gemm.h"
#include "kernels/moe_rules.h"
#include "kernels/operand_format.h"

namespace synperf {

/// A tile that a backend takes where no tuned table has one: the first whose conditions hold.
struct MoeTileRule {
    std::vector<std::string> formats;  ///< of weights; empty: any
    std::vector<std::string> generations;  ///< of kernels, "sm90"; empty: any
    double most_tokens = std::numeric_limits<double>::infinity();
    double most_tokens_an_expert = std::numeric_limits<double>::infinity();  ///< tokens over the experts of this rank
    MoeTile tile;

    [[nodiscard]] bool holds(std::string_view format, std::string_view generation, double tokens, double experts) const;
};

struct MoeBackend {
    std::string id;                      ///< "triton", "trtllm", ...
    std::vector<std::int64_t> block_m;   ///< row blocks that it has, ascending: the first that holds an expert's mean rows is used
    MoeTile tile;                        ///< the rest of its tile, before stages are reduced to what fits
    std::vector<MoeTileRule> tiles;      ///< go before block_m and tile
    std::array<double, 3> tensor_share{1, 1, 1};  ///< of the tensor rate that its main loop reaches, by GemmRule
    std::vector<std::pair<std::string, double>> format_share;  ///< the same, of formats whose scales or unpacking slow it down
    double routing_rounds = 0;           ///< dependent loads of its sorting kernels, in a row
    double rows_a_round = 8192;          ///< token-expert pairs that the sort reads in one of them
    bool fuses_activation = false;       ///< the activation (and quantisation) is the first product's epilogue
    bool expands_rows = false;           ///< copies every token once an expert before the first product
    bool stores_all_pairs = false;       ///< with expert parallelism rows of other ranks' pairs are zeroed after the second product and summed
    bool sizes_by_all_pairs = false;     ///< the row block is chosen by the pairs of all ranks over the experts of this one
    bool activates_all_pairs = false;    ///< the activation runs over the rows of other ranks' pairs too
    bool whole_tokens = false;           ///< with expert parallelism a token that comes to this rank is multiplied by all its experts, not only by those here
    bool visits_all_blocks = false;      ///< its grids hold the row blocks of other ranks' experts too, whose CTAs find nothing to multiply
    bool zeroes_first_product = false;   ///< and the first product sets them to zero before
    bool tuned_tables = false;           ///< takes its tile from a tuned table where there is one
    bool always_gates = false;           ///< experts without a gate are run as if they had one: w13 is twice as wide
    bool splits_depth = false;           ///< few tiles are cut along the depth so that every SM has work

    /// `rows` is an expert's mean.
    [[nodiscard]] MoeTile tile_for(std::string_view format, GemmRule rule, double tokens, double experts, double rows) const;
    /// The id without the release that it ends in: "sglang_triton" of "sglang_triton_0_5_10".
    [[nodiscard]] static std::string_view without_release(std::string_view id) { return id.substr(0, id.find("_0_")); }
    [[nodiscard]] double tensor_share_of(GemmRule rule, std::string_view format) const;
};

class MoeBackends {
public:
    [[nodiscard]] static Result<MoeBackends> read(const std::filesystem::path& file);

    [[nodiscard]] std::vector<std::string> ids() const;
    [[nodiscard]] const MoeBackend* find(std::string_view id) const;
    /// Of random routings, how many take turns in a measurement: their experts' weights all lie between two uses.
    [[nodiscard]] double routings_in_turn() const { return routings_in_turn_; }

private:
    std::vector<MoeBackend> backends_;
    double routings_in_turn_ = 1;
};

}  // namespace synperf
