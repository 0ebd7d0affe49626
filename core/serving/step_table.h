// Step times for simulations of many thousand steps: predicted on a grid, interpolated between.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>

#include "serving/step_time.h"

namespace synperf {

/// A value on a grid of sizes, predicted where it is first needed. Neighbouring sizes are a factor of sqrt(2) apart (whole numbers),
/// between them the value is linear in the size.
template <std::size_t kSizes>
class SizeGrid {
public:
    using Sizes = std::array<std::int64_t, kSizes>;
    using Predict = std::function<Result<Estimate>(const Sizes&)>;

    explicit SizeGrid(Predict predict) : predict_(std::move(predict)) {}
    /// Sizes of 1 or more.
    [[nodiscard]] Result<Estimate> at(const std::array<double, kSizes>& sizes);

private:
    Predict predict_;
    std::map<Sizes, Estimate> known_;
};

/// What one step of continuous batching does.
struct MixedStep {
    std::int64_t decodes = 0;       ///< requests that add one token
    double decode_kv = 0;           ///< mean tokens that they see
    std::int64_t chunks = 0;        ///< requests with several new tokens
    double chunk_q = 0, chunk_kv = 0;  ///< mean new tokens, and mean tokens that they see
    std::int64_t sampled = 0;
};

/// All tokens of a step run through one product of each layer; attention of decodes and of chunks are kernels of their own.
class StepTable {
public:
    explicit StepTable(StepTimer& timer);
    [[nodiscard]] Result<Estimate> time(const MixedStep& step);

private:
    StepTimer& timer_;
    SizeGrid<1> body_, decode_body_, head_;
    SizeGrid<2> decode_attention_;
    SizeGrid<3> chunk_attention_;
};

}  // namespace synperf
