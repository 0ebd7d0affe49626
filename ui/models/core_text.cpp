#include "models/core_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace synperf::ui {

namespace {

QString translated(const QString& key) { return QCoreApplication::translate("core", key.toUtf8().constData()); }

// Empty where there is no such text.
QString translatedAroundNumbers(const QString& plain) {
    // Numbers that stand alone or end a range ("rows 0-63"), neither part of a name like fp32 nor of one like FlashAttention-2.
    static const QRegularExpression number(QStringLiteral("(?<![\\w.])(?<![A-Za-z]-)\\d+(?:\\.\\d+)?(?![\\w.])"));
    QString key;
    QStringList numbers;
    qsizetype end = 0;
    for (auto match = number.globalMatch(plain); match.hasNext() && numbers.size() < 9;) {
        const QRegularExpressionMatch found = match.next();
        numbers << found.captured();
        key += plain.mid(end, found.capturedStart() - end) + QLatin1Char('%') + QString::number(numbers.size());
        end = found.capturedEnd();
    }
    if (numbers.isEmpty()) return {};
    key += plain.mid(end);
    QString result = translated(key);
    if (result == key) return {};
    for (qsizetype i = numbers.size(); i > 0; --i) result.replace(QLatin1Char('%') + QString::number(i), numbers[i - 1]);
    return result;
}

// "learned model gemm_16bit of 2026-11-30, trained on 118469 measurements on 7 GPUs; ...": a name, a date and numbers, then what this GPU is
// to it. Empty for any other text.
QString translatedProvenance(const QString& plain) {
    static const QRegularExpression learned(
        QStringLiteral("^learned model (\\S+) of ([^,;]+), trained on (\\d+) measurements on (\\d+) GPUs(?:; (.+))?$"));
    const QRegularExpressionMatch found = learned.match(plain);
    if (!found.hasMatch()) return {};
    const QString text = translated(QStringLiteral("learned model %1 of %2, trained on %3 measurements on %4 GPUs"))
                             .arg(found.captured(1), found.captured(2), found.captured(3), found.captured(4));
    return found.captured(5).isEmpty() ? text : text + QStringLiteral("; ") + translated(found.captured(5));
}

}  // namespace

QString coreText(std::string_view text) {
    const QString plain = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    if (const QString exact = translated(plain); exact != plain) return exact;
    if (const QString provenance = translatedProvenance(plain); !provenance.isEmpty()) return provenance;
    if (const QString numbered = translatedAroundNumbers(plain); !numbered.isEmpty()) return numbered;
    // "First: sort by expert", "left out: line 3: ...": the rest by itself.
    for (const QLatin1String head : {QLatin1String("First: "), QLatin1String("Then: "), QLatin1String("left out: ")}) {
        if (!plain.startsWith(head)) continue;
        const std::string rest = plain.mid(head.size()).toStdString();
        return translated(head + QLatin1String("%1")).replace(QLatin1String("%1"), coreText(rest));
    }
    // "1 GPU: the fewest that hold the model; 2 GPUs lack memory": each part by itself.
    const QStringList parts = plain.split(QStringLiteral("; "));
    if (parts.size() < 2) return plain;
    QStringList translated_parts;
    for (const QString& part : parts) translated_parts << coreText(part.toStdString());
    return translated_parts.join(QStringLiteral("; "));
}

}  // namespace synperf::ui
