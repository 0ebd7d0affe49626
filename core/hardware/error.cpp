#include "hardware/error.h"

namespace synperf {

std::string Error::to_string() const {
    std::string text;
    if (!file.empty()) {
        text += file;
        if (line > 0) text += ":" + std::to_string(line);
        text += ": ";
    }
    if (!field.empty()) text += field + ": ";
    text += message;
    // A name or value that is quoted may hold anything; the message stays one line.
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    return text;
}

}  // namespace synperf
