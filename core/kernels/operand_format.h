// How the operands of a matrix product are stored and multiplied: plain formats, scaled ones and weights narrower than activations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/dtype.h"
#include "hardware/error.h"

namespace synperf {

/// Kernels that bring the scales of both operands into the layout that the product on sm100 reads, ahead of each call.
struct ScalePacking {
    std::string framework;           ///< whose calls bring scales as fp32
    int threads = 0;                 ///< of a CTA that packs
    double rows_per_cta = 0;         ///< whose scales along k it packs
    double elements_per_load = 0;    ///< of one of its threads
    int elementwise_threads = 0;     ///< of a CTA that repeats scales
    double elements_per_thread = 0;  ///< of one of its threads
};

/// One row of specs/calibration/operand_formats.json. Bytes include the scales that lie beside the elements.
struct OperandFormat {
    std::string id;                 ///< "bf16", "fp8_block", "w4a16_mxfp4", as in the measured tables
    std::string title;              ///< for people
    DType math = DType::bf16;       ///< input format of the pipe
    double activation_bytes = 2;    ///< an element of A as the product reads it, scales included
    double weight_bytes = 2;        ///< an element of B, scales included
    double output_bytes = 2;        ///< an element of C
    double source_bytes = 2;        ///< an element of A before it is quantised
    int quantize_group = 0;         ///< elements of A that share a scale; -1 a whole row; 0 A is not quantised on the way
    double dequantize_ops = 0;      ///< FMA-pipe operations that unpack and scale one weight before the product; 0 where the pipe reads it

    std::optional<ScalePacking> scale_packing;

    std::int64_t most_split_k = 0;  ///< slices of k that the libraries' kernels of this format offer; 0 no bound

    [[nodiscard]] bool quantizes() const { return quantize_group != 0; }
};

/// A kernel that finds the scales of A and writes it in a narrower format.
struct Quantizer {
    std::string id;                    ///< "vector", "row_block"
    int threads = 256;
    int registers_per_thread = 32;
    double elements_per_load = 8;      ///< of one thread
    double other_rounds = 0;           ///< waits beside the loads: block-wide maximum, scale write
    double fma_ops = 3;                ///< an element: running maximum, scaling, conversion
};

class OperandFormats {
public:
    [[nodiscard]] static Result<OperandFormats> read(const std::filesystem::path& file);

    [[nodiscard]] const std::vector<OperandFormat>& all() const { return formats_; }
    [[nodiscard]] std::vector<std::string> ids() const;
    [[nodiscard]] std::vector<std::string> quantizer_ids() const;
    /// nullptr where there is none of this id.
    [[nodiscard]] const OperandFormat* find(std::string_view id) const;

    [[nodiscard]] const Quantizer* find_quantizer(std::string_view id) const;

private:
    std::vector<OperandFormat> formats_;
    std::vector<Quantizer> quantizers_;
};

}  // namespace synperf
