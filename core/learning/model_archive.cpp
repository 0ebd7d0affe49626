#include "learning/model_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace synperf {

static_assert(std::endian::native == std::endian::little, "model files are read as they lie in memory");

namespace {

constexpr std::string_view kMagic = "SYNPERFM";
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::uint32_t kMostHeaderBytes = 4U << 20U;
constexpr std::uint32_t kMostNameBytes = 100;
constexpr std::uint32_t kMostArrays = 256;

template <class T>
void put(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Takes what is asked for from the front, or fails for good.
class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] std::string_view take(std::size_t count) {
        if (count > bytes_.size()) {
            failed_ = true;
            bytes_ = {};
            return {};
        }
        const std::string_view taken = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return taken;
    }
    template <class T>
    [[nodiscard]] T number() {
        T value{};
        const std::string_view raw = take(sizeof value);
        if (!failed_) std::memcpy(&value, raw.data(), sizeof value);
        return value;
    }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] std::size_t left() const { return bytes_.size(); }

private:
    std::string_view bytes_;
    bool failed_ = false;
};

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// nlohmann's parser is recursive: a hostile header may not be deep.
bool too_deep(std::string_view text) {
    constexpr int kDeepest = 32;
    int depth = 0;
    for (const char letter : text) {
        if (letter == '{' || letter == '[') ++depth;
        if (letter == '}' || letter == ']') --depth;
        if (depth > kDeepest) return true;
    }
    return false;
}

}  // namespace

std::string archive_bytes(const ModelArchive& archive) {
    std::string bytes(kMagic);
    // A name that is no UTF-8 loses its odd bytes rather than the model.
    const std::string header = archive.header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    put(bytes, kFormatVersion);
    put(bytes, static_cast<std::uint32_t>(header.size()));
    bytes += header;
    put(bytes, static_cast<std::uint32_t>(archive.arrays.size()));
    for (const auto& [name, array] : archive.arrays) {
        put(bytes, static_cast<std::uint32_t>(name.size()));
        bytes += name;
        put(bytes, static_cast<std::uint8_t>(array.half ? 1 : 0));
        put(bytes, static_cast<std::uint64_t>(array.values.size()));
        if (!array.half) {
            bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(float));
            continue;
        }
        for (const float value : array.values) put(bytes, Eigen::half(value).x);
    }
    put(bytes, checksum(bytes));
    return bytes;
}

Result<void> write_archive(const ModelArchive& archive, const std::filesystem::path& file) {
    // Beside it first: a crash while writing leaves the old file whole.
    const std::filesystem::path beside = file.string() + ".new";
    const auto fail = [&](const std::string& why) { return tl::unexpected<Error>(Error{why, {}, file.string()}); };
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        const std::string bytes = archive_bytes(archive);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!out.flush()) return fail("can not be written");
    }
    std::error_code error;
    std::filesystem::rename(beside, file, error);
    if (error) return fail(fmt::format("can not be written: {}", error.message()));
    return {};
}

Result<ModelArchive> read_archive(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) return tl::unexpected(Error{"can not be read", {}, file.string()});
    const std::streamoff size = in.tellg();
    if (size < 0 || static_cast<std::size_t>(size) > kMostArchiveBytes) return tl::unexpected(Error{fmt::format("is no model file: {} bytes", static_cast<long long>(size)), {}, file.string()});
    in.seekg(0);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    in.read(bytes.data(), size);
    if (!in) return tl::unexpected(Error{"can not be read", {}, file.string()});
    return parse_archive(bytes, file.string());
}

Result<ModelArchive> parse_archive(std::string_view bytes, const std::string& file) {
    const auto fail = [&file](std::string why) { return tl::unexpected<Error>(Error{std::move(why), {}, file}); };
    if (!bytes.starts_with(kMagic)) return fail("is no model file of this program");
    constexpr std::size_t kChecksumBytes = sizeof(std::uint32_t);
    if (bytes.size() < kMagic.size() + 2 * sizeof(std::uint32_t) + kChecksumBytes) return fail("is cut off");
    Reader reader(bytes.substr(kMagic.size(), bytes.size() - kMagic.size() - kChecksumBytes));
    if (const auto version = reader.number<std::uint32_t>(); version != kFormatVersion) {
        return fail(fmt::format("is a model file of format {}, this program reads format {}", version, kFormatVersion));
    }
    std::uint32_t stated = 0;
    std::memcpy(&stated, bytes.data() + bytes.size() - kChecksumBytes, kChecksumBytes);
    if (checksum(bytes.substr(0, bytes.size() - kChecksumBytes)) != stated) return fail("is cut off or damaged: its checksum is wrong");
    ModelArchive archive;
    const auto header_bytes = reader.number<std::uint32_t>();
    if (header_bytes > kMostHeaderBytes) return fail(fmt::format("has a header of {} bytes, at most {} are read", header_bytes, kMostHeaderBytes));
    const std::string_view header = reader.take(header_bytes);
    if (!too_deep(header)) archive.header = nlohmann::json::parse(header, nullptr, false);
    if (reader.failed() || !archive.header.is_object()) return fail("is damaged: its header is no JSON object");
    const auto arrays = reader.number<std::uint32_t>();
    if (reader.failed()) return fail("is cut off");
    if (arrays > kMostArrays) return fail(fmt::format("has {} arrays, at most {} are read", arrays, kMostArrays));
    for (std::uint32_t i = 0; i < arrays; ++i) {
        const auto name_bytes = reader.number<std::uint32_t>();
        if (name_bytes > kMostNameBytes) return fail("is damaged: the name of an array is too long");
        const std::string name(reader.take(name_bytes));
        if (std::ranges::any_of(name, [](char letter) { return letter < ' ' || letter > '~'; })) return fail("is damaged: the name of an array is no plain text");
        ArchiveArray array;
        array.half = reader.number<std::uint8_t>() != 0;
        const auto count = reader.number<std::uint64_t>();
        const std::size_t each = array.half ? 2 : 4;
        if (reader.failed() || count > reader.left() / each) return fail("is cut off");
        const std::string_view raw = reader.take(static_cast<std::size_t>(count) * each);
        array.values.resize(static_cast<std::size_t>(count));
        if (array.half) {
            for (std::size_t k = 0; k < array.values.size(); ++k) {
                std::uint16_t bits = 0;
                std::memcpy(&bits, raw.data() + 2 * k, 2);
                array.values[k] = Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
            }
        } else if (count > 0) {
            std::memcpy(array.values.data(), raw.data(), raw.size());
        }
        if (!archive.arrays.emplace(name, std::move(array)).second) return fail(fmt::format("has the array \"{}\" twice", name));
    }
    if (reader.left() > 0) return fail(fmt::format("has {} bytes after its end", reader.left()));
    return archive;
}

}  // namespace synperf
