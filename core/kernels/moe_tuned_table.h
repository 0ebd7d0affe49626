// Tuned tiles of Triton's fused MoE, in the files that vLLM ships and its tuner writes: "E=8,N=7168,device_name=NVIDIA_H100_80GB_HBM3.json".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "kernels/moe_rules.h"

namespace synperf {

/// What such a file's name says.
struct MoeTunedName {
    std::int64_t experts = 0;   ///< E: experts of one rank
    std::int64_t columns = 0;   ///< N: expert width of one rank
    std::string device;         ///< as CUDA names the GPU, blanks as underscores
    std::string dtype;          ///< "fp8_w8a8", "int8_w8a16", ...; empty for 16 bit
    std::string block_shape;    ///< "[128,128]" or empty

    friend bool operator==(const MoeTunedName&, const MoeTunedName&) = default;
};
/// Fails where the name is not of this form.
[[nodiscard]] Result<MoeTunedName> parse_tuned_name(std::string_view file_name);

/// Tiles by token count, ascending.
struct MoeTunedTable {
    struct Entry {
        std::int64_t tokens = 0;
        MoeTile tile;
    };
    std::vector<Entry> entries;

    /// Of the nearest token count, as vLLM takes it; of two equally near ones the smaller.
    [[nodiscard]] const MoeTile& nearest(std::int64_t num_tokens) const;
};
/// The text of a file: an object by token count of BLOCK_SIZE_M, _N, _K, GROUP_SIZE_M, num_warps and num_stages; what else an entry has
/// (and a "triton_version") is skipped. Errors name the file, its line, the field and what is possible.
[[nodiscard]] Result<MoeTunedTable> parse_tuned_table(std::string_view text, const std::string& file);

/// All files of the folders that are there; in a later folder a file of the same name takes the place of an earlier one.
class MoeTunedTables {
public:
    struct Found {
        MoeTunedName name;
        std::string file_name;
        Result<MoeTunedTable> table;  ///< a file that can not be used keeps its reason
    };

    [[nodiscard]] static MoeTunedTables load(const std::vector<std::filesystem::path>& folders);

    /// nullptr where there is none for this GPU (by id, name or alias), rank and format ("fp8_block", ...).
    [[nodiscard]] const Found* find(std::int64_t experts, std::int64_t columns, const GpuSpec& gpu, std::string_view format) const;
    [[nodiscard]] std::size_t size() const { return files_.size(); }

private:
    std::vector<Found> files_;
};

}  // namespace synperf
