#include "views/table_window.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "theme/theme.h"
#include "views/export.h"

namespace synperf::ui {

namespace {

// Asks for no more than it needs at least: the panel around it shares its height out.
class PanelTable : public QTableView {
public:
    using QTableView::QTableView;
    [[nodiscard]] QSize sizeHint() const override { return {QTableView::sizeHint().width(), std::max(minimumHeight(), Theme::instance().px(60))}; }
};

void fitColumns(QTableView& view) {
    // The last column gives up its stretch for its contents' width, and takes it up again.
    QHeaderView& header = *view.horizontalHeader();
    const bool stretch = header.stretchLastSection();
    header.setStretchLastSection(false);
    view.resizeColumnsToContents();
    // A header asks for less than its padding at larger scales.
    for (int column = 0; column < header.count(); ++column) header.resizeSection(column, header.sectionSize(column) + Theme::instance().px(8));
    header.setStretchLastSection(stretch);
}

}  // namespace

QString tableText(const QTableView& view, qint64 most) {
    const QAbstractItemModel& model = *view.model();
    QStringList headers;
    for (int column = 0; column < model.columnCount(); ++column)
        headers << model.headerData(column, Qt::Horizontal).toString();
    QString text = headers.join(QLatin1Char('\t')) + QLatin1Char('\n');
    const auto add = [&](int row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    qint64 copied = 0;
    const QItemSelection chosen = view.selectionModel()->selection();
    for (const QItemSelectionRange& range : chosen) {
        for (int row = range.top(); row <= range.bottom() && copied < most; ++row, ++copied) add(row);
    }
    if (chosen.isEmpty()) {
        for (int row = 0; row < model.rowCount() && copied < most; ++row, ++copied) add(row);
    }
    return text;
}

QTableView* panelTable(const QString& name, std::function<TableData()> file, QWidget* parent) {
    auto* view = new PanelTable(parent);
    view->setAccessibleName(name);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setWordWrap(false);
    view->setTabKeyNavigation(false);  // Tab goes on to the next field
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->verticalHeader()->setDefaultSectionSize(Theme::instance().px(24));
    view->verticalHeader()->hide();
    view->horizontalHeader()->setStretchLastSection(true);
    view->horizontalHeader()->setHighlightSections(false);
    auto* copy = new QAction(TableWindow::tr("Copy"), view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, view, [view] { QGuiApplication::clipboard()->setText(tableText(*view, TableWindow::kMostCopiedRows)); });
    auto* save = new QAction(TableWindow::tr("Save as CSV..."), view);
    QObject::connect(save, &QAction::triggered, view, [view, file = std::move(file)] { askAndSaveCsv(file(), view); });
    view->addActions({copy, save});
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(&Theme::instance(), &Theme::changed, view, [view] {
        view->verticalHeader()->setDefaultSectionSize(Theme::instance().px(24));
        if (view->model() != nullptr) fitColumns(*view);
        view->updateGeometry();
    });
    return view;
}

void showTable(QTableView& view, TableData table) {
    QAbstractItemModel* const model_before = view.model();
    QItemSelectionModel* const selection_before = view.selectionModel();
    view.setModel(new TableModel(std::move(table), &view));
    delete selection_before;
    if (model_before != nullptr && model_before->parent() == &view) delete model_before;
    fitColumns(view);
}

TableWindow::TableWindow(TableData table, QWidget* parent) : TableWindow(table.title, parent) {
    setTable(std::move(table));
}

TableWindow::TableWindow(const QString& title, QWidget* parent)
    : QDialog(parent), note_(new QLabel(this)), view_(new QTableView(this)), above_(new QHBoxLayout), buttons_(new QHBoxLayout) {
    const Theme& theme = Theme::instance();
    setWindowTitle(title);
    resize(theme.px(760), theme.px(520));
    view_->setAccessibleName(title);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setWordWrap(false);
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    view_->verticalHeader()->hide();
    view_->horizontalHeader()->setStretchLastSection(true);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setResizeContentsPrecision(64);

    auto* copy = new QAction(tr("Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    connect(copy, &QAction::triggered, this, &TableWindow::copy);
    view_->addAction(copy);
    auto* save = new QAction(tr("Save as CSV..."), this);
    connect(save, &QAction::triggered, this, [this] { askAndSaveCsv(fileTable(), this); });
    view_->addAction(save);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);

    note_->setProperty("look", "second");
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    auto* copy_button = new QPushButton(tr("Copy"), this);
    connect(copy_button, &QPushButton::clicked, copy, &QAction::trigger);
    auto* save_button = new QPushButton(tr("Save as CSV..."), this);
    connect(save_button, &QPushButton::clicked, save, &QAction::trigger);
    // Enter belongs to the table's rows.
    for (QPushButton* button : {copy_button, save_button}) button->setAutoDefault(false);
    buttons_->addWidget(note_, 1);
    buttons_->addWidget(copy_button);
    buttons_->addWidget(save_button);
    auto* column = new QVBoxLayout(this);
    column->addLayout(above_);
    column->addWidget(view_);
    column->addLayout(buttons_);
}

void TableWindow::setTable(TableData table) {
    table_ = std::move(table);
    setModel(new TableModel(table_, this));
    setNote(tr("%1 rows").arg(QLocale().toString(static_cast<qlonglong>(table_.rows))));
}

void TableWindow::setModel(QAbstractItemModel* model) {
    QAbstractItemModel* const model_before = view_->model();
    QItemSelectionModel* const selection_before = view_->selectionModel();
    view_->setModel(model);
    delete selection_before;
    if (model_before != nullptr && model_before->parent() == this) delete model_before;
    view_->resizeColumnsToContents();
}

qint64 TableWindow::selectedRows() const {
    const QItemSelection chosen = view_->selectionModel()->selection();
    qint64 rows = chosen.isEmpty() ? view_->model()->rowCount() : 0;
    for (const QItemSelectionRange& range : chosen) rows += range.height();
    return rows;
}

void TableWindow::copy() {
    QGuiApplication::clipboard()->setText(selectedText());
    const QLocale locale;
    const qint64 rows = selectedRows();
    note_->setText(rows > kMostCopiedRows ? tr("Copied the first %1 of %2 rows; \"Save as CSV\" writes them all")
                                                .arg(locale.toString(kMostCopiedRows), locale.toString(rows))
                                          : tr("Copied %1 rows").arg(locale.toString(rows)));
}

QString TableWindow::selectedText() const { return tableText(*view_, kMostCopiedRows); }

}  // namespace synperf::ui
