// Random damage to a file's bytes, the same for the same seed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace synperf::test {

/// Makes the n-th damaged input of `seeds`: a choice of them with bit flips, cuts, repeats, splices and words that
/// parsers trip over. The same n gives the same bytes, so a failure is found again by its number.
class Mutator {
public:
    explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

    [[nodiscard]] std::size_t seed_count() const { return seeds_.size(); }

    /// Below seed_count(): the seed itself, unharmed.
    [[nodiscard]] std::string input(std::uint32_t n) {
        if (n < seeds_.size()) return seeds_[n];
        random_.seed(kSeed + n);
        std::string bytes = seeds_[below(seeds_.size())];
        for (std::size_t steps = 1 + below(4); steps > 0; --steps) damage(bytes);
        return bytes;
    }

private:
    static constexpr std::uint32_t kSeed = 20240229;
    static constexpr std::size_t kMostBytes = std::size_t{1} << 18;
    static constexpr std::array<std::string_view, 26> kWords{"NaN",
                                                             "-inf",
                                                             "1e999",
                                                             "-0",
                                                             "1e-320",
                                                             "99999999999999999999",
                                                             "9223372036854775808",
                                                             "0x10",
                                                             "4294967296",
                                                             "null",
                                                             "{}",
                                                             "[[[[[[[[",
                                                             "]",
                                                             "\"",
                                                             "\"\"",
                                                             "\\u0000",
                                                             "\\ud800",
                                                             ",",
                                                             "\r",
                                                             "\n",
                                                             "\xEF\xBB\xBF",
                                                             "\xFF\xFE",
                                                             "\x1f\x8b",
                                                             "\xC3",
                                                             "x99999999",
                                                             std::string_view("\0", 1)};

    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

    void damage(std::string& bytes) {
        const std::size_t at = below(bytes.size() + 1);
        const std::size_t length = std::min(1 + below(1 + below(64)), bytes.size() - at);
        switch (below(7)) {
            case 0:
                for (std::size_t flips = 1 + below(8); flips > 0 && !bytes.empty(); --flips) {
                    char& byte = bytes[below(bytes.size())];
                    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << below(8)));
                }
                break;
            case 1:
                bytes.resize(at);
                break;
            case 2:
                bytes.erase(at, length);
                break;
            case 3:
                bytes.insert(below(bytes.size() + 1), bytes.substr(at, length));
                break;
            case 4: {
                const std::string& other = seeds_[below(seeds_.size())];
                bytes = bytes.substr(0, at) + other.substr(below(other.size() + 1));
                break;
            }
            case 5:
                bytes.insert(at, kWords[below(kWords.size())]);
                break;
            default:
                bytes.replace(at, length, kWords[below(kWords.size())]);
                break;
        }
        if (bytes.size() > kMostBytes) bytes.resize(kMostBytes);
    }

    std::vector<std::string> seeds_;
    std::mt19937 random_;
};

}  // namespace synperf::test
