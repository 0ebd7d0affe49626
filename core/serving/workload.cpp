#include "serving/workload.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "data/csv.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

Result<double> number(const CsvTable& table, std::size_t row, std::size_t column, const std::string& file) {
    const std::string& cell = table.rows[row][column];
    const auto wrong = [&](std::string message) { return tl::unexpected(Error{std::move(message), table.columns[column], file, table.lines[row]}); };
    double value = 0;
    const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty()) return wrong("the cell is empty, a number is needed");
    if (code != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
        if (cell.find(',') != std::string::npos) return wrong(fmt::format("\"{}\" has a decimal comma; numbers are written with a point", shown(cell)));
        return wrong(fmt::format("\"{}\" is not a number", shown(cell)));
    }
    return value;
}

Result<std::int64_t> tokens(const CsvTable& table, std::size_t row, std::size_t column, const std::string& file) {
    const auto value = number(table, row, column, file);
    if (!value) return tl::unexpected(value.error());
    if (*value < 1 || *value > static_cast<double>(kLongestRequest) || *value != std::floor(*value))
        return tl::unexpected(Error{fmt::format("{} is out of range, allowed is a whole number from 1 to {} tokens", *value, kLongestRequest), table.columns[column], file, table.lines[row]});
    return static_cast<std::int64_t>(*value);
}

Result<Workload> requests_of(const CsvTable& table, const std::string& file) {
    const std::size_t prompt = table.column("prompt_tokens"), output = table.column("output_tokens"), arrival = table.column("arrival_s");
    for (const auto& [column, name] : {std::pair(prompt, "prompt_tokens"), std::pair(output, "output_tokens")}) {
        if (column == table.columns.size()) return tl::unexpected(Error{"the column is missing: a table of requests has prompt_tokens, output_tokens and maybe arrival_s", name, file, 1});
    }
    if (table.rows.empty()) return tl::unexpected(Error{"no requests, at least one row is needed", {}, file, 1});
    if (table.rows.size() > kMostRequests) return tl::unexpected(Error{fmt::format("{} requests, at most {} are read", table.rows.size(), kMostRequests), {}, file});
    Workload workload;
    workload.reserve(table.rows.size());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (const std::string wrong = wrong_width(table, row); !wrong.empty()) {
            const bool more = table.rows[row].size() > table.columns.size();
            return tl::unexpected(Error{wrong + (more ? "; a decimal comma makes two fields of a number, which is written with a point" : ""), {}, file, table.lines[row]});
        }
        const auto in = tokens(table, row, prompt, file);
        if (!in) return tl::unexpected(in.error());
        const auto out = tokens(table, row, output, file);
        if (!out) return tl::unexpected(out.error());
        Request request{*in, *out, 0};
        if (arrival < table.columns.size()) {
            const auto at = number(table, row, arrival, file);
            if (!at) return tl::unexpected(at.error());
            if (*at < 0 || *at > 1e9) return tl::unexpected(Error{fmt::format("{} is out of range, allowed is 0 to 1e9 s", *at), "arrival_s", file, table.lines[row]});
            request.arrival = *at;
        }
        workload.push_back(request);
    }
    return workload;
}

}  // namespace

Result<Workload> parse_requests(std::string_view text, const std::string& file) {
    const auto table = parse_csv(text, file, OtherWidth::keep);
    if (!table) return tl::unexpected(table.error());
    return requests_of(*table, file);
}

Result<Workload> read_requests(const std::filesystem::path& file) {
    const auto table = read_csv(file, OtherWidth::keep);
    if (!table) return tl::unexpected(table.error());
    return requests_of(*table, file.string());
}

Result<Workload> equal_requests(std::int64_t batch, std::int64_t prompt, std::int64_t output) {
    if (batch < 1 || batch > static_cast<std::int64_t>(kMostRequests)) return failure(fmt::format("{} is out of range, allowed is 1 to {} requests", batch, kMostRequests), "--batch");
    for (const auto& [value, name] : {std::pair(prompt, "--prompt"), std::pair(output, "--output")}) {
        if (value < 1 || value > kLongestRequest) return failure(fmt::format("{} is out of range, allowed is 1 to {} tokens", value, kLongestRequest), name);
    }
    return Workload(static_cast<std::size_t>(batch), Request{prompt, output, 0});
}

Result<void> check_lengths(const Workload& workload, std::int64_t longest) {
    if (workload.empty()) return failure("no requests, at least one is needed");
    if (longest == 0) return {};
    for (std::size_t i = 0; i < workload.size(); ++i) {
        const std::int64_t length = workload[i].prompt + workload[i].output;
        if (length > longest) return failure(fmt::format("request {} is {} tokens long, the model's context holds {}", i + 1, length, longest));
    }
    return {};
}

}  // namespace synperf
