// std::string in Qt Test's comparisons and failure messages.
#pragma once

#include <QString>
#include <string>
#include <string_view>

inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Fails the test function unless `haystack` holds `needle`; the message shows both.
#define VERIFY_CONTAINS(haystack, needle)                                                                            \
    do {                                                                                                             \
        const std::string whole_ = (haystack), part_ = (needle);                                                     \
        QVERIFY2(whole_.find(part_) != std::string::npos, qPrintable(text("'" + part_ + "' is not in: " + whole_))); \
    } while (false)
