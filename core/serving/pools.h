// Prefill and decode on GPUs of their own: one pool computes prompts, hands their caches over a link, and the other makes the tokens.
#pragma once

#include <string>

#include "serving/plan.h"

namespace synperf {

/// What joins the pools: a topology of specs/topologies, whose outermost level carries the caches, or numbers.
struct PoolLink {
    std::string topology;  ///< an id; empty: the numbers
    double gbps = 0;       ///< GB/s of one GPU in one direction
    double latency_us = 0;

    /// An id, or "50GB/s" or "50GB/s,10us".
    [[nodiscard]] static Result<PoolLink> parse(const std::string& text);
};

struct PoolPlan {
    LlmConfig config;
    Deployment prefill, decode;  ///< count is a multiple of tp x pp: copies of the model
    PoolLink link;
    RequestShape shape;          ///< batch: most requests that decode at a time
};

/// "H100:4:2" or "H100:8:4:2": a GPU, their count, tp and pp, into a deployment that has all else.
[[nodiscard]] Result<Deployment> parse_pool(const std::string& text, const GpuCatalogue& gpus, Deployment base, const std::string& option);

/// Rates in requests a second of a whole pool that never waits for the other.
struct PoolResult {
    MemoryFit memory;            ///< of the fullest GPU
    std::int64_t batch = 0;      ///< prompts, or decoding requests, of one copy at a time
    Estimate step;               ///< prefill of such a batch; a decode step in the middle
    double requests_per_s = 0;
    StepTime parts;
};

/// The steady state: a request that is done makes room for the next one.
struct PoolsResult {
    PoolResult prefill, decode;
    double kv_bytes = 0;         ///< of one request's cache, over all ranks
    Seconds transfer;            ///< of one request's cache, copies of the ranks side by side
    double transfers_per_s = 0;  ///< that the link carries
    std::string link;            ///< what answered
    Estimate ttft;               ///< prefill of its batch and the transfer: the decode pool sends the first token
    Estimate tpot;               ///< mean decode step over the output
    Estimate total;              ///< of one request
    double decoding = 0;         ///< requests in the decode pool at a time: fewer than the batch where prompts come too slowly
    double requests_per_s = 0;   ///< of the pair: the slowest of pool, link, pool
    std::string limit;           ///< "prefill", "transfer" or "decode"
    double balance = 0;          ///< GPUs in prefill for each in decode that would keep both busy
    double output_tokens_per_s = 0;
};

/// Fails where a deployment is impossible, a pool does not fit in memory (with the sum), or the link can not be.
[[nodiscard]] Result<PoolsResult> serve_pools(const Engine& engine, const CollectiveModel& collectives, const PoolPlan& plan, const std::stop_token& stop = {});

}  // namespace synperf
