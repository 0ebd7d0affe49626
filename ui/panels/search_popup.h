// Type to narrow a list, Enter to take the first: the GPU picker and the command palette.
#pragma once

#include <QFrame>
#include <QModelIndex>

class QAbstractItemModel;
class QLineEdit;
class QListView;

namespace synperf::ui {

class FuzzyFilter;

class SearchPopup : public QFrame {
    Q_OBJECT
public:
    /// Rows are matched by `search_role` and show `second_role` faint at the right.
    SearchPopup(QAbstractItemModel* model, int search_role, int second_role, const QString& placeholder,
                QWidget* parent);

    /// Opens with its top left corner at `at` (global), moved where it would leave the screen.
    void openAt(const QPoint& at, int width);
    [[nodiscard]] QLineEdit* searchField() const { return search_; }
    [[nodiscard]] QListView* list() const { return list_; }

signals:
    void chosen(const QModelIndex& source_index);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void choose(const QModelIndex& index);
    void selectFirst();

    QLineEdit* search_;
    QListView* list_;
    FuzzyFilter* filter_;
};

}  // namespace synperf::ui
