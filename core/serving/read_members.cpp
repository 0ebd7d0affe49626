#include "serving/read_members.h"

#include <fmt/format.h>

namespace synperf {

namespace {
constexpr std::size_t kLongestText = 400;
}

tl::unexpected<Error> Members::fail(std::string message, std::string_view key) const {
    return tl::unexpected<Error>(Error{std::move(message), std::string(key), file_, lines_->line(key.empty() ? path_ : json_path(path_, key))});
}

Result<void> Members::read(std::initializer_list<Text> texts, std::initializer_list<Number> numbers) const {
    if (!json_->is_object()) return fail("is not an object", "");
    for (const Text& text : texts) {
        const auto found = json_->find(text.key);
        if (found == json_->end() || !found->is_string()) return fail("is missing, a text is needed", text.key);
        *text.value = found->get<std::string>();
        if (text.value->empty() || text.value->size() > kLongestText) return fail(fmt::format("needs 1 to {} characters", kLongestText), text.key);
    }
    for (const Number& number : numbers) {
        const auto found = json_->find(number.key);
        if (found == json_->end() || !found->is_number()) return fail("is missing, a number is needed", number.key);
        *number.value = found->get<double>();
        if (!(*number.value >= number.least && *number.value <= number.most)) {
            return fail(fmt::format("is {}, {} to {} is allowed", *number.value, number.least, number.most), number.key);
        }
    }
    return {};
}

std::string Members::text_or(std::string_view key, std::string_view fallback) const {
    const auto found = json_->find(key);
    return found != json_->end() && found->is_string() ? found->get<std::string>().substr(0, kLongestText) : std::string(fallback);
}

double Members::number_or(std::string_view key, double fallback) const {
    const auto found = json_->find(key);
    return found != json_->end() && found->is_number() ? found->get<double>() : fallback;
}

Result<const nlohmann::json*> Members::array(std::string_view key, std::size_t most) const {
    if (!json_->is_object()) return fail("is not an object", "");
    const auto found = json_->find(key);
    if (found == json_->end() || !found->is_array()) return fail("is missing, a list is needed", key);
    if (found->size() > most) return fail(fmt::format("has {} entries, at most {} are allowed", found->size(), most), key);
    return &*found;
}

Result<Members> Members::entry(std::string_view key, std::size_t index) const {
    const std::string path = json_path(json_path(path_, key), index);
    const nlohmann::json& one = (*json_)[std::string(key)][index];
    if (!one.is_object()) return tl::unexpected<Error>(Error{"is not an object", std::string(key), file_, lines_->line(path)});
    return Members(one, *lines_, path, file_);
}

Result<Members> Members::object(std::string_view key) const {
    if (!json_->is_object()) return fail("is not an object", "");
    const auto found = json_->find(key);
    if (found == json_->end() || !found->is_object()) return fail("is missing, an object is needed", key);
    return Members(*found, *lines_, json_path(path_, key), file_);
}

}  // namespace synperf
