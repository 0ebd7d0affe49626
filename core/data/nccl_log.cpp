#include "data/nccl_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr std::size_t kMostRows = 1000000;

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view kBlank = " \t\r";
    constexpr std::size_t kMostWords = 32;  // the widest table has 14
    for (std::size_t begin = line.find_first_not_of(kBlank); begin != std::string_view::npos && words.size() < kMostWords;) {
        const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(kBlank, end);
    }
    return words;
}

// mpirun --tag-output puts "[1,0]<stdout>:" before every line.
std::string_view without_prefix(std::string_view line) {
    constexpr std::string_view kTag = "<stdout>:";
    const std::size_t tag = line.find(kTag);
    return line.starts_with('[') && tag != std::string_view::npos && tag < 64 ? line.substr(tag + kTag.size()) : line;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Place of the out-of-place time in a row, from the header "#  size  count  type  redop  root  time  algbw ..."; 0 where this is none.
std::size_t time_place(const std::vector<std::string_view>& words) {
    if (words.size() < 5 || words[0] != "#" || words[1] != "size" || words[2] != "count") return 0;
    const auto found = std::ranges::find(words, "time");
    return found == words.end() ? 0 : static_cast<std::size_t>(found - words.begin()) - 1;
}

struct Reader {
    NcclLog log;
    std::string file;
    int line = 0;
    std::size_t time_at = 0;
    std::map<std::string, int, std::less<>> hosts;

    [[nodiscard]] tl::unexpected<Error> fail(std::string message) const { return tl::unexpected<Error>(Error{std::move(message), {}, file, line}); }

    // "#  Rank  0 Group  0 Pid 112424 on localhost device  0 [0x00] NVIDIA A100-SXM4-40GB"
    Result<void> rank(const std::vector<std::string_view>& words, std::string_view text) {
        const auto on = std::ranges::find(words, "on");
        const std::size_t bracket = text.find(']');
        if (on == words.end() || on + 1 == words.end() || bracket == std::string_view::npos) return {};
        std::string gpu;
        for (const std::string_view word : words_of(text.substr(bracket + 1))) {
            if (word != "NVIDIA") gpu += (gpu.empty() ? "" : " ") + std::string(word);
        }
        gpu = gpu.substr(0, 64);
        if (!log.gpu.empty() && gpu != log.gpu) return fail(fmt::format("ranks run on {} and on {}; a curve is of one kind of GPU", shown(log.gpu), shown(gpu)));
        log.gpu = std::move(gpu);
        if (++log.ranks > kMostCollectiveGpus) return fail(fmt::format("has more than {} ranks", kMostCollectiveGpus));
        log.ranks_per_node = std::max(log.ranks_per_node, ++hosts[std::string(on[1])]);
        return {};
    }

    void remark(const std::vector<std::string_view>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string_view word = words[i];
            if (!log.op && word.ends_with("_perf")) log.op = op_in_name(word);
            if (word == "graph:" && i + 1 < words.size()) log.graph = words[i + 1] != "0";
            constexpr std::string_view kLibrary = "nccl-library=";
            if (word.starts_with(kLibrary)) log.version = word.substr(kLibrary.size(), 32);
        }
    }

    Result<void> row(const std::vector<std::string_view>& words) {
        const auto bytes = number<std::int64_t>(words[0]);
        if (!bytes || words.size() <= time_at) return {};  // another line of the log
        const auto us = number<double>(words[time_at]);
        if (*bytes == 0 || words[time_at] == "N/A") {
            ++log.skipped;
            return {};
        }
        if (*bytes < 0 || *bytes > kMostCollectiveBytes || !us || !(*us > 0) || !(*us < kMostCollectiveUs)) {
            return fail(fmt::format("\"{}\" bytes in \"{}\" us is no size and time", shown(words[0]), shown(words[time_at])));
        }
        if (log.rows.size() >= kMostRows) return fail(fmt::format("has more than {} rows", kMostRows));
        log.rows.emplace_back(*bytes, *us);
        return {};
    }

    Result<void> read(std::string_view text) {
        text = without_prefix(text);
        const std::vector<std::string_view> words = words_of(text);
        if (words.empty()) return {};
        if (const std::size_t place = time_place(words); place > 0) {
            time_at = place;
            return {};
        }
        if (words[0] == "#" && words.size() > 2 && words[1] == "Rank") return rank(words, text);
        if (words[0] == "#" || text.find("_perf") != std::string_view::npos) {
            remark(words);
            return {};
        }
        return time_at > 0 ? row(words) : Result<void>{};
    }
};

template <class Take>
Result<void> each_line(std::string_view text, const Take& take) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (auto done = take(text.substr(begin, end - begin)); !done) return done;
        begin = end + 1;
    }
    return {};
}

}  // namespace

std::optional<CollectiveOp> op_in_name(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if (std::isalpha(static_cast<unsigned char>(c))) letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    static constexpr std::array<std::pair<std::string_view, CollectiveOp>, 5> kNames{{{"allreduce", CollectiveOp::all_reduce},
                                                                                      {"allgather", CollectiveOp::all_gather},
                                                                                      {"reducescatter", CollectiveOp::reduce_scatter},
                                                                                      {"alltoall", CollectiveOp::all_to_all},
                                                                                      {"sendrecv", CollectiveOp::send_recv}}};
    std::optional<CollectiveOp> found;
    for (const auto& [word, op] : kNames) {
        if (letters.find(word) == std::string::npos) continue;
        if (found) return std::nullopt;
        found = op;
    }
    return found;
}

bool is_nccl_log(std::string_view text) {
    bool found = false;
    const auto done = each_line(text.substr(0, kMostNcclLogBytes), [&found](std::string_view line) -> Result<void> {
        found = found || time_place(words_of(without_prefix(line))) > 0;
        return {};
    });
    return done && found;
}

Result<NcclLog> parse_nccl_log(std::string_view text, const std::string& file) {
    if (text.size() > kMostNcclLogBytes) return tl::unexpected<Error>(Error{fmt::format("is larger than {} MiB", kMostNcclLogBytes >> 20), {}, file});
    Reader reader;
    reader.file = file;
    const auto done = each_line(text, [&reader](std::string_view line) {
        ++reader.line;
        return reader.read(line);
    });
    if (!done) return tl::unexpected(done.error());
    if (reader.log.rows.empty()) {
        return tl::unexpected<Error>(Error{reader.time_at == 0 ? "has no table of nccl-tests (a line \"# size count type ... time\")" : "has no row with a size and a time", {}, file});
    }
    return reader.log;
}

}  // namespace synperf
