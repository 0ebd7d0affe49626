#include "views/rows_window.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kWidestColumn = 260;  // at scale 1; a longer text is cut and shows all in its tooltip

}  // namespace

RowsWindow::RowsWindow(const QString& title, QWidget* parent)
    : TableWindow(title, parent), filter_(new QLineEdit(this)), open_(nullptr), open_action_(new QAction(tr("Open in the Kernel workspace"), this)) {
    // A window of its own: it may lie behind the main one and be as large.
    setWindowFlag(Qt::Window);
    const Theme& theme = Theme::instance();
    resize(theme.px(1080), theme.px(620));
    filter_->setPlaceholderText(tr("Show rows with these words"));
    filter_->setAccessibleName(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    above()->addWidget(filter_);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (model_ == nullptr) return;
        model_->setFilter(text);
        refreshNote();
    });
    auto* find = new QAction(tr("Filter"), this);
    find->setShortcut(QKeySequence::Find);
    connect(find, &QAction::triggered, filter_, [this] {
        filter_->setFocus();
        filter_->selectAll();
    });
    auto* sort = new QAction(tr("Sort by this column"), this);
    sort->setShortcut(Qt::CTRL | Qt::Key_R);
    connect(sort, &QAction::triggered, this, &RowsWindow::sortByCurrent);
    view()->installEventFilter(this);  // Enter, which is no shortcut: the filter field has it too
    connect(open_action_, &QAction::triggered, this, &RowsWindow::openCurrent);
    view()->insertActions(view()->actions().value(0), {open_action_, sort, find});
    connect(view(), &QTableView::doubleClicked, this, [this] { openCurrent(); });
    view()->setSortingEnabled(true);
    view()->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view()->horizontalHeader()->setStretchLastSection(false);
    open_ = addButton(tr("Open in the Kernel workspace"));
    connect(open_, &QPushButton::clicked, this, &RowsWindow::openCurrent);
}

QPushButton* RowsWindow::addButton(const QString& text) {
    auto* button = new QPushButton(text, this);
    button->setAutoDefault(false);
    buttons()->insertWidget(1, button);
    return button;
}

void RowsWindow::setCanOpen(bool can) {
    open_->setVisible(can);
    open_action_->setEnabled(can);
}

void RowsWindow::setRows(std::shared_ptr<const Rows> rows, const QString& note) {
    rows_note_ = note;
    view()->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    model_ = new RowsModel(std::move(rows), this);
    model_->setFilter(filter_->text());
    setModel(model_);
    const int widest = Theme::instance().px(kWidestColumn);
    for (int column = 0; column < model_->columnCount(); ++column)
        if (view()->columnWidth(column) > widest) view()->setColumnWidth(column, widest);
    // Where keys start; nothing is selected, so that copying copies all.
    view()->selectionModel()->setCurrentIndex(model_->index(0, 0), QItemSelectionModel::NoUpdate);
    view()->setFocus();
    refreshNote();
}

void RowsWindow::refreshNote() {
    const QLocale locale;
    const qlonglong all = static_cast<qlonglong>(model_->rows().table.rows.size()), shown = model_->rowCount();
    QString text = shown == all ? tr("%1 rows").arg(locale.toString(all)) : tr("%1 of %2 rows").arg(locale.toString(shown), locale.toString(all));
    if (!rows_note_.isEmpty()) text += QStringLiteral(". ") + rows_note_;
    setNote(text);
}

bool RowsWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view() && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openCurrent();
            return true;
        }
    }
    return TableWindow::eventFilter(watched, event);
}

void RowsWindow::openCurrent() {
    const QModelIndex current = view()->currentIndex();
    if (current.isValid() && model_ != nullptr && open_action_->isEnabled()) emit rowOpened(model_->tableRow(current.row()));
}

// Again turns it round.
void RowsWindow::sortByCurrent() {
    const QModelIndex current = view()->currentIndex();
    if (!current.isValid()) return;
    const QHeaderView& header = *view()->horizontalHeader();
    const bool turn = header.sortIndicatorSection() == current.column() && header.sortIndicatorOrder() == Qt::AscendingOrder;
    view()->sortByColumn(current.column(), turn ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RowsWindow::showProblem(const QString& text) { setNote(text); }

TableData RowsWindow::fileTable() const { return model_ == nullptr ? TableData{} : model_->shownTable(windowTitle()); }

}  // namespace synperf::ui
