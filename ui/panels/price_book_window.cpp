#include "panels/price_book_window.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>

#include "models/cost_text.h"
#include "panels/price_entry_dialog.h"
#include "theme/theme.h"
#include "views/table_window.h"

namespace synperf::ui {

namespace {

// What the list holds, with the names of a table that can be imported again.
TableData fileTable(const PriceListModel& prices) {
    TableData table;
    table.title = PriceBookWindow::tr("Price book");
    table.columns = {QStringLiteral("gpu"), QStringLiteral("kind"), QStringLiteral("price_low"), QStringLiteral("price_median"), QStringLiteral("price_high"), QStringLiteral("currency"), QStringLiteral("source"), QStringLiteral("date")};
    table.headers = table.columns;
    auto rows = std::make_shared<std::vector<PriceEntry>>();
    for (int at = 0; at < prices.rowCount(); ++at) rows->push_back(prices.row(at).entry);
    table.rows = static_cast<qint64>(rows->size());
    table.cell = [rows](qint64 row, int column) -> QVariant {
        const PriceEntry& entry = (*rows)[static_cast<std::size_t>(row)];
        const std::string_view kind = name(entry.price.kind);
        switch (column) {
            case 0: return QString::fromStdString(entry.price.gpu);
            case 1: return QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
            case 2: return entry.price.amount.low;
            case 3: return entry.price.amount.median;
            case 4: return entry.price.amount.high;
            case 5: return QString::fromStdString(entry.currency);
            case 6: return QString::fromStdString(entry.source);
            default: return entry.date ? QString::fromStdString(format_date(*entry.date)) : QStringLiteral("unknown");
        }
    };
    return table;
}

}  // namespace

PriceBookWindow::PriceBookWindow(Document& document, const CostWorker& worker, QWidget* parent)
    : QDialog(parent),
      document_(document),
      prices_(new PriceListModel(document, worker, this)),
      sorted_(new QSortFilterProxyModel(this)),
      table_(panelTable(tr("Prices"), [this] { return fileTable(*prices_); })),
      filter_(new QLineEdit),
      note_(new QLabel),
      edit_(new QPushButton(tr("Edit…"))),
      remove_(new QPushButton(tr("Remove"))) {
    setWindowTitle(tr("Price book"));
    setObjectName(QStringLiteral("priceBook"));
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    filter_->setPlaceholderText(tr("Show prices with this text"));
    filter_->setAccessibleName(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    column->addWidget(filter_);
    sorted_->setSourceModel(prices_);
    sorted_->setSortRole(PriceListModel::kSortRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(filter_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
    table_->setModel(sorted_);
    table_->setObjectName(QStringLiteral("prices"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    column->addWidget(table_, 1);
    note_->setProperty("look", "second");
    note_->setObjectName(QStringLiteral("priceNote"));
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    column->addWidget(note_);
    auto* row = new QHBoxLayout;
    auto* add = new QPushButton(tr("Add…"));
    auto* import = new QPushButton(tr("Import a CSV…"));
    add->setObjectName(QStringLiteral("addPrice"));
    edit_->setObjectName(QStringLiteral("editPrice"));
    remove_->setObjectName(QStringLiteral("removePrice"));
    remove_->setToolTip(tr("Prices of your own can be removed; one of the shipped books is replaced by editing it"));
    for (QPushButton* button : {add, edit_, remove_, import}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    row->addWidget(close);
    column->addLayout(row);
    connect(add, &QPushButton::clicked, this, &PriceBookWindow::addPrice);
    connect(edit_, &QPushButton::clicked, this, &PriceBookWindow::editPrice);
    connect(remove_, &QPushButton::clicked, this, &PriceBookWindow::removePrice);
    connect(import, &QPushButton::clicked, this, &PriceBookWindow::chooseImport);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &PriceBookWindow::follow);
    connect(prices_, &QAbstractItemModel::modelReset, this, &PriceBookWindow::follow);
    connect(prices_, &PriceListModel::refused, this, [this](const QString& why) { note_->setText(why); });
    // The session's undo works here, too.
    QAction* undo = document_.undoStack().createUndoAction(this);
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = document_.undoStack().createRedoAction(this);
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    addActions({undo, redo});
    resize(theme.px(960), theme.px(560));
    table_->resizeColumnsToContents();
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setColumnWidth(PriceListModel::state, table_->fontMetrics().horizontalAdvance(tr("in use, yours, stale")) + theme.px(16));
    table_->setFocus();
    follow();
}

QString PriceBookWindow::note() const { return note_->text(); }

int PriceBookWindow::currentRow() const {
    const QModelIndex now = sorted_->mapToSource(table_->currentIndex());
    return now.isValid() ? now.row() : -1;
}

void PriceBookWindow::follow() {
    const int row = currentRow();
    edit_->setEnabled(row >= 0);
    remove_->setEnabled(row >= 0 && prices_->row(row).own);
    PriceAges ages;
    const Date now = today();
    for (int at = 0; at < prices_->rowCount(); ++at) {
        const PriceEntry& entry = prices_->row(at).entry;
        ++ages.entries;
        if (!entry.date) ++ages.unknown;
        if (entry.date) ages.oldest_days = std::max(ages.oldest_days.value_or(0), days_between(*entry.date, now));
    }
    note_->setText(tr("%1. Type over a number to make it yours; your own stand over the shipped ones.").arg(priceAgeText(ages)));
    note_->setProperty("look", ages.stale() ? "hint" : "second");
    note_->style()->unpolish(note_);
    note_->style()->polish(note_);
}

void PriceBookWindow::showRow(const std::string& gpu, PriceKind kind) {
    const QModelIndex at = sorted_->mapFromSource(prices_->index(std::max(0, prices_->rowOf(gpu, kind)), PriceListModel::median));
    if (!at.isValid()) return;
    table_->setCurrentIndex(at);
    table_->scrollTo(at);
}

void PriceBookWindow::addPrice() {
    auto* dialog = new PriceEntryDialog(document_.engine(), *prices_, nullptr, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void PriceBookWindow::editPrice() {
    const int row = currentRow();
    if (row < 0) return;
    const PriceListModel::Row before = prices_->row(row);
    auto* dialog = new PriceEntryDialog(document_.engine(), *prices_, &before, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, before] { showRow(before.entry.price.gpu, before.entry.price.kind); });
    dialog->open();
}

void PriceBookWindow::removePrice() { prices_->remove(currentRow()); }

void PriceBookWindow::chooseImport() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Import prices"), {}, tr("Tables of prices (*.csv *.json);;All files (*)"));
    if (!file.isEmpty()) emit importRequested(file);
}

}  // namespace synperf::ui
