#include "models/typed_number.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace synperf::ui {

namespace {

class TypedNumber {
    Q_DECLARE_TR_FUNCTIONS(TypedNumber)
};

constexpr int kLongestShown = 20;

bool is_separator(QChar c) { return c == QLatin1Char('.') || c == QLatin1Char(',') || c == QLatin1Char('\'') || c == QChar(0x2019) || c.isSpace(); }

// "30.000", "1,234": three digits behind the only separator and one to three before it, the first no zero.
bool like_thousands(const QString& text, qsizetype separator) {
    const qsizetype first = text.startsWith(QLatin1Char('-')) || text.startsWith(QLatin1Char('+')) ? 1 : 0;
    const auto digits = [&text](qsizetype from, qsizetype to) {
        for (qsizetype i = from; i < to; ++i)
            if (!text[i].isDigit()) return false;
        return true;
    };
    const qsizetype before = separator - first;
    return before >= 1 && before <= 3 && text[first] != QLatin1Char('0') && text.size() - separator == 4 && digits(first, separator) && digits(separator + 1, text.size());
}

}  // namespace

Result<double> typed_number(const QString& typed) {
    const QString text = typed.trimmed();
    const QString shown = text.left(kLongestShown), point = QLocale().decimalPoint();
    qsizetype at = -1, count = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!is_separator(text[i])) continue;
        at = i;
        ++count;
    }
    QString plain = text;
    if (count == 1) {
        const bool users = QString(text[at]) == point, is_point = text[at] == QLatin1Char('.');
        if ((!users && like_thousands(text, at)) || (!users && !is_point))
            return failure(TypedNumber::tr("\"%1\": does \"%2\" stand between thousands? Write the number without it, with \"%3\" before decimals").arg(shown, QString(text[at]), point).toStdString());
        plain[at] = QLatin1Char('.');
    }
    bool is_number = false;
    const double value = plain.toDouble(&is_number);
    if (count > 1) return failure(TypedNumber::tr("\"%1\": write it without anything between thousands, with \"%2\" before decimals").arg(shown, point).toStdString());
    if (!is_number || !std::isfinite(value)) return failure(TypedNumber::tr("\"%1\" is not a number").arg(shown).toStdString());
    return value;
}

QString number_to_edit(double value, int digits) {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::OmitLeadingZeroInExponent);
    return locale.toString(value, 'g', digits);
}

}  // namespace synperf::ui
