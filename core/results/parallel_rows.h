// Rows of a table on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

namespace synperf {

/// Calls `work(i)` once for each i in [0, rows), from several threads; ends early when `stop` is requested. `progress` is called now and
/// then, on the calling thread only, with the rows done so far.
template <std::size_t kChunk, class Work>
void for_each_in_chunks(std::size_t rows, const std::function<void(std::size_t)>& progress, const std::stop_token& stop, const Work& work) {
    constexpr std::size_t kWorthAThread = 4 * kChunk;  // below, another thread costs more than it saves
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const auto run = [&](bool reports) {
        for (std::size_t begin = next.fetch_add(kChunk); begin < rows && !stop.stop_requested(); begin = next.fetch_add(kChunk)) {
            const std::size_t end = std::min(rows, begin + kChunk);
            for (std::size_t i = begin; i < end; ++i) work(i);
            const std::size_t so_far = done.fetch_add(end - begin) + (end - begin);
            if (reports && progress) progress(so_far);
        }
    };
    const std::size_t cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
    const std::size_t helpers = std::min(cores, rows / kWorthAThread + 1) - 1;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back([&run] { run(false); });
        run(true);
    }
    if (progress && !stop.stop_requested()) progress(rows);
}

/// For work of about a microsecond.
template <class Work>
void for_each_row(std::size_t rows, const std::function<void(std::size_t)>& progress, const std::stop_token& stop, const Work& work) {
    for_each_in_chunks<64>(rows, progress, stop, work);
}

/// For work of a millisecond.
template <class Work>
void for_each_block(std::size_t blocks, const std::function<void(std::size_t)>& progress, const std::stop_token& stop, const Work& work) {
    for_each_in_chunks<1>(blocks, progress, stop, work);
}

}  // namespace synperf
