#include "models/fuzzy.h"

#include <QStringList>

namespace synperf::ui {

namespace {

constexpr int kMatch = 1, kAdjacent = 4, kWordStart = 6, kTogether = 12, kWholeName = 1000;

// The best of the greedy matches that start at each occurrence of the first letter.
int word_score(const QString& word, const QString& text) {
    int best = 0;
    for (qsizetype start = text.indexOf(word[0]); start >= 0; start = text.indexOf(word[0], start + 1)) {
        int score = 0;
        qsizetype previous = start - 2, at = start;
        for (const QChar c : word) {
            at = text.indexOf(c, at);
            if (at < 0) return best;  // later starts can not match either
            score += kMatch;
            if (at == previous + 1) score += kAdjacent;
            if (at == 0 || !text[at - 1].isLetterOrNumber()) score += kWordStart;
            previous = at++;
        }
        if (previous - start + 1 == word.size()) score += kTogether;
        best = std::max(best, score);
    }
    return best;
}

}  // namespace

int fuzzy_score(const QString& pattern, const QString& text) {
    int total = 1;
    const QString folded = text.toCaseFolded();
    const QStringList words = pattern.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& word : words) {
        const int score = word_score(word, folded);
        if (score == 0) return 0;
        total += score;
    }
    // A whole name as typed beats every longer one that holds it.
    if (!words.isEmpty() && folded.split(QLatin1Char('\n')).contains(pattern.trimmed().toCaseFolded())) total += kWholeName;
    return total;
}

FuzzyFilter::FuzzyFilter(int role, QObject* parent) : QSortFilterProxyModel(parent), role_(role) {}

void FuzzyFilter::setPattern(const QString& pattern) {
    pattern_ = pattern.left(200);
    invalidate();
    sort(0);
}

bool FuzzyFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    return fuzzy_score(pattern_, sourceModel()->index(row, 0, parent).data(role_).toString()) > 0;
}

bool FuzzyFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const int a = fuzzy_score(pattern_, left.data(role_).toString()),
              b = fuzzy_score(pattern_, right.data(role_).toString());
    return a != b ? a > b : left.row() < right.row();
}

}  // namespace synperf::ui
