#include "economics/price_separators.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "data/csv.h"

namespace synperf {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

char field_separator(std::string_view text) {
    const std::string_view header = text.substr(0, text.find_first_of("\r\n"));
    if (header.find(',') != std::string_view::npos) return ',';
    return header.find(';') != std::string_view::npos ? ';' : header.find('\t') != std::string_view::npos ? '\t' : ',';
}

std::string with_commas(std::string_view text, char separator) {
    if (separator == ',') return std::string(text);
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {  // quoted: kept as it is, to the closing quote
            std::size_t end = text.find('"', at + 1);
            while (end != std::string_view::npos && end + 1 < text.size() && text[end + 1] == '"') end = text.find('"', end + 2);
            end = end == std::string_view::npos ? text.size() : end + 1;
            out += text.substr(at, end - at);
            at = end;
        } else {
            const std::size_t end = std::min(text.find_first_of(std::string{separator, '\r', '\n'}, at), text.size());
            out += csv_field(text.substr(at, end - at));
            at = end;
        }
        if (at < text.size() && text[at] == separator) {
            out += ',';
            ++at;
        }
        for (; at < text.size() && (text[at] == '\r' || text[at] == '\n'); ++at) out += text[at];
    }
    return out;
}

int line_not_utf8(std::string_view text) {
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        if (lead == '\n') ++line;
        const std::size_t more = lead < 0x80 ? 0 : lead >= 0xC2 && lead < 0xE0 ? 1 : lead >= 0xE0 && lead < 0xF0 ? 2 : lead >= 0xF0 && lead < 0xF5 ? 3 : text.size();
        if (at + more >= text.size()) return line;
        for (std::size_t i = 1; i <= more; ++i)
            if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80U) return line;
        at += more + 1;
    }
    return 0;
}

std::optional<ReadNumber> read_number(std::string_view text, char separator) {
    std::string number(trimmed(text));
    ReadNumber read;
    const auto commas = std::ranges::count(number, ',');
    if (commas > 0) {
        const std::size_t comma = number.find(',');
        // In a table with commas between fields a quoted "1,234" may be a thousand.
        if (commas > 1 || number.find('.') != std::string::npos || (separator == ',' && number.size() - comma == 4)) return std::nullopt;
        number[comma] = '.';
        read.decimal_comma = true;
    }
    const char* const end = number.data() + number.size();
    const auto [stop, code] = std::from_chars(number.data(), end, read.value);
    if (code != std::errc{} || stop != end || !std::isfinite(read.value)) return std::nullopt;
    return read;
}

}  // namespace synperf
