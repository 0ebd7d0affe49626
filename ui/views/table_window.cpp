#include "views/table_window.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "views/export.h"

namespace synperf::ui {

TableWindow::TableWindow(TableData table, QWidget* parent)
    : QDialog(parent),
      note_(new QLabel(this)),
      model_(new TableModel(std::move(table), this)),
      view_(new QTableView(this)) {
    const Theme& theme = Theme::instance();
    setWindowTitle(model_->table().title);
    resize(theme.px(760), theme.px(520));
    view_->setModel(model_);
    view_->setAccessibleName(model_->table().title);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setWordWrap(false);
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    view_->verticalHeader()->hide();
    view_->horizontalHeader()->setStretchLastSection(true);
    view_->horizontalHeader()->setResizeContentsPrecision(64);
    view_->resizeColumnsToContents();

    auto* copy = new QAction(tr("Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    connect(copy, &QAction::triggered, this, &TableWindow::copy);
    view_->addAction(copy);
    auto* save = new QAction(tr("Save as CSV..."), this);
    connect(save, &QAction::triggered, this, [this] { askAndSaveCsv(model_->table(), this); });
    view_->addAction(save);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);

    note_->setText(tr("%1 rows").arg(QLocale().toString(static_cast<qlonglong>(model_->table().rows))));
    note_->setProperty("look", "second");
    note_->setWordWrap(true);
    auto* copy_button = new QPushButton(tr("Copy"), this);
    connect(copy_button, &QPushButton::clicked, copy, &QAction::trigger);
    auto* save_button = new QPushButton(tr("Save as CSV..."), this);
    connect(save_button, &QPushButton::clicked, save, &QAction::trigger);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(note_, 1);
    buttons->addWidget(copy_button);
    buttons->addWidget(save_button);
    auto* column = new QVBoxLayout(this);
    column->addWidget(view_);
    column->addLayout(buttons);
}

qint64 TableWindow::selectedRows() const {
    const QItemSelection chosen = view_->selectionModel()->selection();
    qint64 rows = chosen.isEmpty() ? model_->rowCount() : 0;
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

QString TableWindow::selectedText() const {
    QString text = model_->table().headers.join(QLatin1Char('\t')) + QLatin1Char('\n');
    const auto add = [&](int row) {
        QStringList cells;
        for (int column = 0; column < model_->columnCount(); ++column)
            cells << model_->index(row, column).data().toString();
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    qint64 copied = 0;
    const QItemSelection chosen = view_->selectionModel()->selection();
    for (const QItemSelectionRange& range : chosen) {
        for (int row = range.top(); row <= range.bottom() && copied < kMostCopiedRows; ++row, ++copied) add(row);
    }
    if (chosen.isEmpty()) {
        for (int row = 0; row < model_->rowCount() && copied < kMostCopiedRows; ++row, ++copied) add(row);
    }
    return text;
}

}  // namespace synperf::ui
