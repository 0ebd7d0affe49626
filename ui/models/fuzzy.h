// Search as one types: every letter in order, better where letters stand together or start a word.
#pragma once

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>

namespace synperf::ui {

/// 0 = does not match; larger = matches better. An empty pattern matches everything equally. Words may come in any
/// order.
[[nodiscard]] int fuzzy_score(const QString& pattern, const QString& text);

/// Rows whose `role` text matches, best first, ties in source order.
class FuzzyFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    FuzzyFilter(int role, QObject* parent);
    void setPattern(const QString& pattern);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    int role_;
    QString pattern_;
};

}  // namespace synperf::ui
