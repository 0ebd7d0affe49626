// The table of the Compare workspace: its looks, its sizes and its filter.
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QResizeEvent>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "panels/comparison_table.h"
#include "theme/theme.h"
#include "views/card.h"
#include "workspaces/compare_workspace.h"

namespace synperf::ui {

namespace {

constexpr int kColumn = 150, kCompactColumn = 92;  // at least
constexpr int kRowHeight = 24, kSecondLine = 16;
constexpr int kMeasures = 130;                     // names of the measures, with the filter above them
constexpr int kLongestFilter = 200;

// The measures: plain texts on the lines of their rows, which a styled header draws off the middle.
class MeasureHeader : public QHeaderView {
public:
    explicit MeasureHeader(QWidget* parent) : QHeaderView(Qt::Vertical, parent) {}

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const Theme& theme = Theme::instance();
        painter->save();
        painter->setFont(theme.font(FontRole::body));
        painter->setPen(theme.color(Role::text_second));
        painter->drawText(rect.adjusted(theme.px(4), 0, 0, -1), Qt::AlignLeft | Qt::AlignVCenter, model()->headerData(section, Qt::Vertical).toString());
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color(Role::line));
        painter->restore();
    }
};

}  // namespace

Card* CompareWorkspace::buildTable() {
    auto* card = new Card;
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    while (QLayoutItem* item = card->header()->takeAt(0)) {  // the measures are its title
        if (item->widget() != nullptr) item->widget()->hide();
        delete item;
    }
    table_->setObjectName(QStringLiteral("comparisonTable"));
    table_->setAccessibleName(tr("Comparison"));
    table_->setVerticalHeader(new MeasureHeader(table_));
    table_->installEventFilter(this);
    table_->setModel(model_);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    styleTable();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->verticalHeader()->setSectionsClickable(true);
    table_->verticalHeader()->setHighlightSections(false);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->setCornerButtonEnabled(false);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto action = [this](const QString& name, const QKeySequence& key, auto run) {
        auto* made = new QAction(name, table_);
        made->setShortcut(key);
        made->setShortcutContext(Qt::WidgetShortcut);
        connect(made, &QAction::triggered, this, run);
        table_->addAction(made);
    };
    action(tr("Copy"), QKeySequence::Copy, [this] { copyTable(); });
    action(tr("Order the GPUs by this row"), QKeySequence(Qt::Key_Return), [this] {
        if (table_->currentIndex().isValid()) sortBy(table_->currentIndex().row());
    });
    action(tr("Save as CSV..."), {}, [this] { askAndSave(false); });
    action(tr("Save as JSON..."), {}, [this] { askAndSave(true); });
    filter_->setObjectName(QStringLiteral("compareFilter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Show GPUs and measures with these words"));
    filter_->setToolTip(tr("\"h100 b200 cost\": GPUs with one of the words, measures with all that no GPU has"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaxLength(kLongestFilter);
    connect(filter_, &QLineEdit::textEdited, this, &CompareWorkspace::filterBy);
    verdict_->setWordWrap(true);
    verdict_->setObjectName(QStringLiteral("verdict"));
    verdict_->setProperty("look", "heading");
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    card->body()->addWidget(table_);
    card->body()->addWidget(verdict_);
    connect(table_->verticalHeader(), &QHeaderView::sectionClicked, this, &CompareWorkspace::sortBy);
    return card;
}

// Hidden, not taken away: orders and files know all GPUs and measures.
void CompareWorkspace::applyFilter() {
    const ComparisonTable::Shown shown = model_->shown(filter_->text());
    for (std::size_t row = 0; row < shown.rows.size(); ++row) table_->setRowHidden(static_cast<int>(row), !shown.rows[row]);
    for (std::size_t column = 0; column < shown.columns.size(); ++column) table_->setColumnHidden(static_cast<int>(column), !shown.columns[column]);
    fitTable();
}

void CompareWorkspace::styleTable() {
    const Theme& theme = Theme::instance();
    table_->setStyleSheet(QStringLiteral("QTableView { border: none; } QTableView::item { border-bottom: 1px solid %1; } QHeaderView::section { background: transparent; padding: 0 #6px; } QTableCornerButton::section { background: transparent; border: none; border-bottom: 1px solid %1; }").replace(QLatin1Char('#'), QString()).arg(theme.color(Role::line).name()));
}

// What its columns need, as wide as their contents; those that are shown.
std::vector<int> CompareWorkspace::columnWidths(int least) const {
    const Theme& theme = Theme::instance();
    const QAbstractItemView& items = *table_;
    std::vector<int> wide;
    for (int column = 0; column < model_->columnCount(); ++column) {
        const int heading = std::min(theme.px(model_->folded() > 1 ? kCompactColumn : kColumn), QFontMetrics(theme.font(FontRole::body)).horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + theme.px(14));
        wide.push_back(table_->isColumnHidden(column) ? 0 : std::max({theme.px(least), items.sizeHintForColumn(column) + theme.px(model_->folded() > 1 ? 0 : 6), heading}));
    }
    return wide;
}

// As high as its rows: the page scrolls, not the table. Cells are folded before a column is out of sight.
void CompareWorkspace::fitTable() {
    const Theme& theme = Theme::instance();
    table_->horizontalHeader()->setMinimumSectionSize(theme.px(kCompactColumn));
    int widest = theme.px(kMeasures);
    for (int row = 0; row < model_->rowCount(); ++row) widest = std::max(widest, QFontMetrics(theme.font(FontRole::body)).horizontalAdvance(model_->headerData(row, Qt::Vertical, Qt::DisplayRole).toString()) + theme.px(14));
    table_->verticalHeader()->setFixedWidth(widest);
    const int room = table_->width() - widest;
    std::vector<int> wide;
    bool fits = false;
    for (int folded = 0; folded <= ComparisonTable::kMostFolded && !fits; ++folded) {
        model_->setFolded(folded);
        wide = columnWidths(folded > 0 ? kCompactColumn : kColumn);
        fits = std::accumulate(wide.begin(), wide.end(), 0) <= room;
    }
    table_->horizontalHeader()->setSectionResizeMode(fits ? QHeaderView::Stretch : QHeaderView::Interactive);
    for (std::size_t column = 0; !fits && column < wide.size(); ++column)
        if (wide[column] > 0) table_->horizontalHeader()->resizeSection(static_cast<int>(column), wide[column]);
    int high = 0;
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (table_->isRowHidden(row)) continue;
        const int mine = theme.px(kRowHeight) + (model_->lines(row) - 1) * theme.px(kSecondLine);
        table_->verticalHeader()->resizeSection(row, mine);
        high += mine;
    }
    const int header = std::max(table_->horizontalHeader()->sizeHint().height(), theme.px(kRowHeight + 4));
    table_->horizontalHeader()->setFixedHeight(header);
    filter_->setGeometry(0, 0, widest - theme.px(10), header - theme.px(2));
    table_->setFixedHeight(std::max(high, theme.px(kRowHeight)) + header + (fits ? 0 : theme.px(12)) + 1);
}

// The table's columns follow its own width, which may change after this one's.
bool CompareWorkspace::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize && static_cast<QResizeEvent*>(event)->oldSize().width() != table_->width()) QMetaObject::invokeMethod(this, &CompareWorkspace::fitTable, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

}  // namespace synperf::ui
