#include "cli/files.h"

#include <fstream>
#include <system_error>

namespace synperf::cli {

namespace fs = std::filesystem;

Result<void> write_file(const fs::path& file, std::string_view text) {
    const auto fail = [&](std::string message) {
        return tl::unexpected<Error>(Error{std::move(message), {}, file.string()});
    };
    std::error_code error;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
    if (error) return fail("the folder can not be made: " + error.message());
    // A device or pipe is written as it is; a rename would replace it.
    const bool special = fs::exists(file, error) && !fs::is_regular_file(file, error);
    fs::path target = file;
    if (!special) target += ".part";
    {
        std::ofstream out(target, std::ios::binary | std::ios::trunc);
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        out.flush();
        if (!out) {
            if (!special) fs::remove(target, error);
            return fail("can not be written");
        }
    }
    if (special) return {};
    fs::rename(target, file, error);
    if (error) {
        const std::string message = error.message();
        fs::remove(target, error);
        return fail("can not be written: " + message);
    }
    return {};
}

}  // namespace synperf::cli
