#include "data/csv.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr std::size_t kMaxFieldBytes = std::size_t{1} << 20;

tl::unexpected<Error> fail(const std::string& file, int line, std::string message) {
    return tl::unexpected<Error>(Error{std::move(message), {}, file, line});
}

// Splits one table into fields. Plain fields are cut at the next separator; only quoted ones are copied byte by byte.
class Splitter {
public:
    Splitter(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] int line() const { return line_; }

    /// Reads the next row into `fields`, which keeps its storage. False and `error` on a mistake.
    bool next(std::vector<std::string>& fields, Error& error) {
        std::size_t count = 0;
        const int first_line = line_;
        for (;;) {
            if (count == fields.size()) {
                if (count > kMaxCsvColumns) {
                    error = {fmt::format("more than {} columns", kMaxCsvColumns), {}, file_, first_line};
                    return false;
                }
                fields.emplace_back();
            }
            std::string& field = fields[count++];
            field.clear();
            if (at_ < text_.size() && text_[at_] == '"') {
                if (!read_quoted(field, error)) return false;
            } else {
                const std::size_t end = end_of_plain();
                field.assign(text_.substr(at_, end - at_));
                at_ = end;
                if (field.find('"') != std::string::npos) {
                    error = {fmt::format(
                                 "a quote inside the unquoted field '{}'; quote the whole field and double the quote",
                                 shown(field)),
                             {},
                             file_,
                             line_};
                    return false;
                }
            }
            if (field.size() > kMaxFieldBytes) {
                error = {fmt::format("a field of more than {} bytes", kMaxFieldBytes), {}, file_, line_};
                return false;
            }
            if (at_ < text_.size() && text_[at_] == ',') {
                ++at_;
                continue;
            }
            end_line();
            fields.resize(count);
            return true;
        }
    }

private:
    [[nodiscard]] std::size_t end_of_plain() const {
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != ',' && text_[end] != '\n' && text_[end] != '\r') ++end;
        return end;
    }

    void end_line() {
        if (at_ < text_.size() && text_[at_] == '\r') ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++at_;
        ++line_;
    }

    bool read_quoted(std::string& field, Error& error) {
        const int first_line = line_;
        ++at_;
        for (;;) {
            const std::size_t quote = text_.find('"', at_);
            if (quote == std::string_view::npos) {
                error = {"a quoted field never ends", {}, file_, first_line};
                return false;
            }
            const std::string_view part = text_.substr(at_, quote - at_);
            field.append(part);
            line_ += static_cast<int>(std::ranges::count(part, '\n'));
            at_ = quote + 1;
            if (at_ < text_.size() && text_[at_] == '"') {
                field += '"';
                ++at_;
                continue;
            }
            if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
                error = {"text after the closing quote of a field", {}, file_, line_};
                return false;
            }
            return true;
        }
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    int line_ = 1;
};

struct InflateEnd {
    void operator()(z_stream* stream) const {
        inflateEnd(stream);
        delete stream;
    }
};

// A gzip file of one or more members, inflated up to kMaxCsvBytes.
Result<std::string> gunzip(std::string_view packed, const std::string& file) {
    constexpr int kGzip = 15 + 16;  // largest window, gzip header
    constexpr std::size_t kChunk = std::size_t{1} << 18;
    std::unique_ptr<z_stream, InflateEnd> stream(new z_stream{});
    if (inflateInit2(stream.get(), kGzip) != Z_OK) return fail(file, 0, "no memory to inflate the gzip file");
    std::string text;
    std::vector<char> chunk(kChunk);
    std::size_t fed = 0;
    for (;;) {
        if (stream->avail_in == 0) {
            const std::size_t part = std::min(packed.size() - fed, kChunk);
            // zlib's interface is not const-correct; it only reads the input.
            stream->next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data() + fed));
            stream->avail_in = static_cast<uInt>(part);
            fed += part;
        }
        stream->next_out = reinterpret_cast<Bytef*>(chunk.data());
        stream->avail_out = static_cast<uInt>(chunk.size());
        const int status = inflate(stream.get(), Z_NO_FLUSH);
        const std::size_t made = chunk.size() - stream->avail_out;
        if (text.size() + made > kMaxCsvBytes)
            return fail(file, 0, fmt::format("inflates to more than {} bytes, refused", kMaxCsvBytes));
        text.append(chunk.data(), made);
        if (status == Z_STREAM_END) {
            const bool more = stream->avail_in > 0 || fed < packed.size();
            if (!more) return text;
            if (inflateReset(stream.get()) != Z_OK) return fail(file, 0, "the gzip file is damaged");
        } else if (status == Z_BUF_ERROR ||
                   (status == Z_OK && stream->avail_in == 0 && fed == packed.size() && made == 0)) {
            return fail(file, 0, "the gzip file is cut off");
        } else if (status != Z_OK) {
            return fail(file, 0, "the gzip file is damaged");
        }
    }
}

Result<std::string> read_bytes(const std::filesystem::path& file) {
    const std::string shown_file = file.string();
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (error || !std::filesystem::exists(status)) return fail(shown_file, 0, "no such file");
    if (std::filesystem::is_directory(status)) return fail(shown_file, 0, "a folder, a file is needed");
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail(shown_file, 0, "the file can not be opened");
    // In pieces and with a count of its own: a pipe has no size, and a device has no end.
    std::string bytes;
    constexpr std::size_t kChunk = std::size_t{1} << 20;
    for (;;) {
        const std::size_t have = bytes.size();
        if (have > kMaxCsvBytes) return fail(shown_file, 0, fmt::format("larger than {} bytes, refused", kMaxCsvBytes));
        bytes.resize(have + kChunk);
        in.read(bytes.data() + have, static_cast<std::streamsize>(kChunk));
        bytes.resize(have + static_cast<std::size_t>(in.gcount()));
        if (in.bad()) return fail(shown_file, 0, "the file can not be read");
        if (!in) return bytes;
    }
}

}  // namespace

std::size_t CsvTable::column(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
}

std::string wrong_width(const CsvTable& table, std::size_t row) {
    const std::size_t fields = table.rows[row].size();
    return fields == table.columns.size() ? std::string() : fmt::format("{} fields, the header has {}", fields, table.columns.size());
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& file, OtherWidth other_width) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return fail(file, 1, "UTF-16 text, save it as UTF-8");
    if (text.size() > kMaxCsvBytes) return fail(file, 0, fmt::format("larger than {} bytes, refused", kMaxCsvBytes));
    if (text.find('\0') != std::string_view::npos) return fail(file, 0, "holds a zero byte, a text file is needed");
    Splitter splitter(text, file);
    CsvTable table;
    Error error;
    if (splitter.at_end()) return fail(file, 0, "the file is empty, a header line is needed");
    if (!splitter.next(table.columns, error)) return tl::unexpected<Error>(error);
    if (table.columns.size() > kMaxCsvColumns)
        return fail(file, 1, fmt::format("{} columns, at most {} are allowed", table.columns.size(), kMaxCsvColumns));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].empty()) return fail(file, 1, fmt::format("column {} has no name", i + 1));
        if (table.column(table.columns[i]) != i)
            return fail(file, 1, fmt::format("the column '{}' is there twice", shown(table.columns[i])));
    }
    std::vector<std::string> fields;
    std::size_t all_fields = 0;
    while (!splitter.at_end()) {
        const int line = splitter.line();
        if (!splitter.next(fields, error)) return tl::unexpected<Error>(error);
        // A blank line is no row, except in a table of one column, where it is an empty value only between others.
        if (fields.size() == 1 && fields[0].empty()) continue;
        all_fields += fields.size();
        if (table.rows.size() == kMaxCsvRows || all_fields > kMaxCsvFields)
            return fail(file, line, fmt::format("more than {} rows or {} fields, refused: cut the table in parts", kMaxCsvRows, kMaxCsvFields));
        table.rows.push_back(fields);
        table.lines.push_back(line);
        if (other_width == OtherWidth::keep) continue;
        if (std::string wrong = wrong_width(table, table.rows.size() - 1); !wrong.empty()) return fail(file, line, std::move(wrong));
    }
    return table;
}

Result<CsvTable> read_csv(const std::filesystem::path& file, OtherWidth other_width) {
    Result<std::string> bytes = read_bytes(file);
    if (!bytes) return tl::unexpected<Error>(bytes.error());
    if (bytes->starts_with("\x1f\x8b")) {
        bytes = gunzip(*bytes, file.string());
        if (!bytes) return tl::unexpected<Error>(bytes.error());
    }
    return parse_csv(*bytes, file.string(), other_width);
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) line += ',';
        line += csv_field(fields[i]);
    }
    return line + '\n';
}

}  // namespace synperf
