#include "workspaces/cost_workspace.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "data/csv.h"
#include "economics/cost_report.h"
#include "models/core_text.h"
#include "models/cost_table_model.h"
#include "models/cost_text.h"
#include "panels/cost_answer.h"
#include "panels/cost_form.h"
#include "panels/cost_summary.h"
#include "theme/theme.h"
#include "views/card.h"
#include "views/cost_cell.h"
#include "views/cost_chart_view.h"
#include "views/cost_report_file.h"
#include "views/export.h"
#include "views/table_window.h"

namespace synperf::ui {

namespace {

constexpr int kNarrow = 760, kOneColumn = 1180;  // below, the inputs stand over the pictures; below, those under each other
constexpr int kFormWidth = 256, kStackedHeight = 330, kStackedRanking = 396;  // of the last, six plans
constexpr int kProgressSteps = 1000;

// The CSV of `synperf cost` as a table to save: all plans in the order of the ranking, whatever is shown.
TableData fileTable(const CostOutcomePtr& outcome, const QString& title) {
    TableData data;
    data.title = title;
    if (!outcome) return data;
    const auto parsed = parse_csv(cost_csv(outcome->ranking), "cost.csv");
    if (!parsed) return data;
    const auto table = std::make_shared<const CsvTable>(*parsed);
    for (const std::string& column : table->columns) data.columns << QString::fromStdString(column);
    data.headers = data.columns;
    data.rows = static_cast<qint64>(table->rows.size());
    data.cell = [table](qint64 row, int column) -> QVariant { return QString::fromStdString(table->rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]); };
    return data;
}

}  // namespace

CostWorkspace::CostWorkspace(Document& document, std::filesystem::path user_specs, QWidget* parent)
    : QWidget(parent),
      document_(document),
      worker_(document.engine(), std::move(user_specs), this),
      form_(new CostForm(document)),
      chart_(new CostChartView),
      rows_(new CostTableModel(this)),
      sorted_(new CostOrder(this)),
      table_(panelTable(tr("Ranking"), [this] { return fileTable(outcome_, tr("Ranking")); })),
      answer_(new CostAnswer),
      summary_(new CostSummary),
      title_(new ElidedLabel(QStringLiteral("key"))),
      details_(new ElidedLabel(QStringLiteral("second"))),
      problem_(new QLabel),
      filter_(new QLineEdit),
      progress_(new QProgressBar),
      cancel_(new QPushButton(tr("Cancel"))),
      scroll_(new QScrollArea),
      board_(new QBoxLayout(QBoxLayout::LeftToRight)),
      pictures_(new QBoxLayout(QBoxLayout::LeftToRight)),
      beside_(new QVBoxLayout) {
    setAccessibleName(tr("Cost"));
    const int gap = Theme::instance().px(kGap);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(gap, gap, gap, gap);
    column->setSpacing(gap);
    column->addWidget(buildHead());
    QWidget* page = buildPage();
    page->setProperty("look", "page");
    scroll_->setWidget(page);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    column->addWidget(scroll_, 1);

    connect(&document_, &Document::costChanged, this, &CostWorkspace::request);
    connect(&document_, &Document::servingChanged, this, &CostWorkspace::request);
    connect(&document_, &Document::scenarioChanged, this, [this] {
        // Of the scenario only the switch of the models matters here, and a GPU that is a candidate while it is edited.
        const Scenario& now = document_.scenario();
        const bool candidate = std::ranges::any_of(document_.cost().gpus, [&now](const CostCandidate& one) { return one.gpu == now.gpu.id; });
        if (now.analytical != analytical_ || (candidate && !now.edited_from.empty())) request();
    });
    connect(&worker_, &CostWorker::answered, this, &CostWorkspace::take);
    connect(&worker_, &CostWorker::failed, this, &CostWorkspace::fail);
    connect(&worker_, &CostWorker::progressed, this, [this](double share) {
        progress_->setVisible(share >= 0);
        cancel_->setVisible(share >= 0);
        progress_->setValue(static_cast<int>(std::lround(std::max(share, 0.0) * kProgressSteps)));
    });
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (!worker_.busy()) return;
        worker_.cancel();
        failure_ = tr("Cancelled: the numbers are those of the last finished ranking");
        showProblem();
    });
    connect(form_, &CostForm::inputErrorChanged, this, &CostWorkspace::showProblem);
    connect(form_, &CostForm::pricesRequested, this, &CostWorkspace::pricesRequested);
    connect(summary_, &CostSummary::pricesRequested, this, &CostWorkspace::pricesRequested);
    connect(summary_, &CostSummary::reportRequested, this, &CostWorkspace::askAndSaveReport);
    connect(chart_, &CostChartView::planChosen, this, &CostWorkspace::chooseRow);
    reflow();
}

QWidget* CostWorkspace::buildHead() {
    const Theme& theme = Theme::instance();
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(theme.px(6), 0, 0, 0);
    row->setSpacing(theme.px(10));
    auto* lines = new QVBoxLayout;
    lines->setSpacing(theme.px(2));
    lines->addWidget(title_);
    lines->addWidget(details_);
    problem_->setProperty("look", "error");
    problem_->setObjectName(QStringLiteral("costProblem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->hide();
    lines->addWidget(problem_);
    row->addLayout(lines, 1);
    progress_->setRange(0, kProgressSteps);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(theme.px(120));
    progress_->setAccessibleName(tr("Ranking the candidates"));
    progress_->hide();
    cancel_->setProperty("look", "link");
    cancel_->hide();
    auto* workload = new QPushButton(tr("Edit the workload"));
    workload->setObjectName(QStringLiteral("editWorkload"));
    workload->setToolTip(tr("Model, requests and framework are those of the Serving workspace"));
    workload->setProperty("look", "link");
    connect(workload, &QPushButton::clicked, this, &CostWorkspace::workloadRequested);
    row->addWidget(progress_);
    row->addWidget(cancel_);
    row->addWidget(workload, 0, Qt::AlignTop);
    return head;
}

QWidget* CostWorkspace::buildPage() {
    const int gap = Theme::instance().px(kGap);
    auto* inputs = new Card;
    inputs->setTitle(tr("What is ranked"));
    inputs->body()->addWidget(form_);
    form_card_ = inputs;
    chart_card_ = new Card(chart_);
    ranking_card_ = buildRanking();
    auto* sentence = new Card;
    sentence->setTitle(tr("In one sentence"));
    sentence->body()->addWidget(summary_);
    auto* right = new QVBoxLayout;
    right->setSpacing(gap);
    right->addWidget(ranking_card_, 5);
    right->addWidget(sentence, 2);
    pictures_->setSpacing(gap);
    pictures_->addWidget(chart_card_, 10);
    pictures_->addLayout(right, 10);
    board_->setSpacing(gap);
    board_->setContentsMargins(0, 0, 0, 0);
    board_->addWidget(form_card_);
    beside_->setSpacing(gap);
    beside_->addWidget(answer_);
    beside_->addLayout(pictures_, 1);
    board_->addLayout(beside_, 1);
    auto* page = new QWidget;
    page_ = new QVBoxLayout(page);
    page_->setContentsMargins(0, 0, 0, 0);
    page_->setSpacing(gap);
    page_->addLayout(board_, 1);
    return page;
}

Card* CostWorkspace::buildRanking() {
    auto* card = new Card;
    card->setTitle(tr("Ranking"));
    filter_->setObjectName(QStringLiteral("costFilter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Show plans with these words"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(Theme::instance().px(150));
    card->header()->addWidget(filter_);
    connect(filter_, &QLineEdit::textChanged, sorted_, &CostOrder::setWords);
    sorted_->setSourceModel(rows_);
    table_->setObjectName(QStringLiteral("rankingTable"));
    table_->setModel(sorted_);
    table_->setItemDelegate(new CostCell(table_));
    table_->setShowGrid(false);
    table_->setSortingEnabled(true);
    table_->sortByColumn(CostTableModel::place, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->verticalHeader()->setDefaultSectionSize(Theme::instance().px(CostCell::kRowHeight));
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setProperty("look", "plain");
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CostWorkspace::rowChosen);
    connect(&Theme::instance(), &Theme::changed, table_, [this] {
        table_->verticalHeader()->setDefaultSectionSize(Theme::instance().px(CostCell::kRowHeight));
        fitColumns();
    });
    const auto follow = [this, card] {
        const auto order = table_->horizontalHeader()->sortIndicatorSection();
        card->setCaption(order == CostTableModel::place || order == CostTableModel::cost ? tr("by median cost per query") : tr("sorted by %1").arg(rows_->headerData(order, Qt::Horizontal, Qt::DisplayRole).toString()));
    };
    connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, card, follow);
    follow();
    card->body()->addWidget(table_);
    return card;
}

void CostWorkspace::fitColumns() {
    constexpr int kWidest = 340;  // at scale 1, of the words
    QHeaderView& header = *table_->horizontalHeader();
    header.setStretchLastSection(false);
    table_->resizeColumnsToContents();
    for (int column = 0; column < header.count(); ++column) {
        const int wide = header.sectionSize(column) + Theme::instance().px(4);
        header.resizeSection(column, column == CostTableModel::explained ? std::min(wide, Theme::instance().px(kWidest)) : wide);
    }
    header.setStretchLastSection(true);
    table_->setColumnHidden(CostTableModel::fleet, !(document_.cost().target_qps > 0));
}

void CostWorkspace::request() {
    stale_ = !isVisible();
    analytical_ = document_.scenario().analytical;
    if (!stale_) worker_.request(document_.cost(), document_.serving(), document_.scenario());
}

void CostWorkspace::refresh() {
    form_->catalogueChanged();
    stale_ = true;
    request();
}

void CostWorkspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) request();
}

void CostWorkspace::take(const CostOutcomePtr& outcome) {
    outcome_ = outcome;
    failure_.clear();
    title_->setFullText(workloadTitle(outcome->request));
    details_->setFullText(workloadDetails(outcome->request));
    QStringList codes{QStringLiteral("USD")};
    for (const PriceBook& book : outcome->prices->books)
        if (const QString code = QString::fromStdString(book.currency); !codes.contains(code)) codes << code;
    form_->setCurrencies(codes);
    form_->setError({});
    std::string chosen;
    if (const QModelIndex now = sorted_->mapToSource(table_->currentIndex()); now.isValid() && rows_->outcome()) chosen = rows_->outcome()->ranking.plans[static_cast<std::size_t>(now.row())].gpu.id;
    rows_->setOutcome(outcome);
    chart_->setOutcome(outcome);
    answer_->setOutcome(outcome);
    summary_->setOutcome(outcome);
    fitColumns();
    for (std::size_t i = 0; !chosen.empty() && i < outcome->ranking.plans.size(); ++i)
        if (outcome->ranking.plans[i].gpu.id == chosen) chooseRow(i);
    showProblem();
    emit predicted(outcome->milliseconds);
}

void CostWorkspace::fail(const QString& field, const QString& message) {
    // The window has no dashes.
    const bool ticked = std::ranges::any_of(document_.cost().gpus, &CostCandidate::on);
    failure_ = field == QLatin1String("--gpus") && !ticked ? tr("No candidate is ticked") : coreText(message.toStdString());
    showProblem();
}

void CostWorkspace::showProblem() {
    const QString wrong = form_->inputError();
    const QString shown = wrong.isEmpty() ? failure_ : wrong;
    problem_->setText(shown);
    problem_->setVisible(!shown.isEmpty());
    chart_->setDimmed(!shown.isEmpty());
    answer_->setDimmed(!shown.isEmpty());
    table_->setEnabled(shown.isEmpty());
}

QString CostWorkspace::errorText() const { return problem_->isHidden() ? QString() : problem_->text(); }

void CostWorkspace::chooseRow(std::size_t plan) {
    const QModelIndex row = sorted_->mapFromSource(rows_->index(static_cast<int>(plan), CostTableModel::plan));
    if (row.isValid()) table_->setCurrentIndex(row);
    if (row.isValid()) table_->scrollTo(row);
}

void CostWorkspace::rowChosen() {
    const QModelIndexList chosen = table_->selectionModel()->selectedRows();
    chart_->select(chosen.isEmpty() ? std::nullopt : std::optional(static_cast<std::size_t>(sorted_->mapToSource(chosen.front()).row())));
}

QList<QAction*> CostWorkspace::viewActions() {
    if (!menus_.isEmpty()) return menus_;
    const auto add = [this](const QString& name, auto run) {
        auto* action = new QAction(name, this);
        connect(action, &QAction::triggered, this, [this, run] {
            emit wanted();
            run();
        });
        menus_ << action;
    };
    add(tr("Add a candidate GPU"), [this] { form_->openGpuPicker(); });
    add(tr("Remove the chosen candidate"), [this] { form_->removeCandidate(); });
    add(tr("Price book…"), [this] { emit pricesRequested(); });
    add(tr("Export the cost report…"), [this] { askAndSaveReport(); });
    add(tr("Save the ranking as CSV…"), [this] { askAndSaveCsv(fileTable(outcome_, tr("Ranking")), this); });
    add(tr("Filter the ranking"), [this] { filter_->setFocus(); });
    add(tr("Cancel the ranking"), [this] { cancel_->click(); });
    auto* menu = new QMenu(chart_->title(), this);
    menu->addActions(chart_->pictureActions());
    menus_ << menu->menuAction();
    return menus_;
}

Result<void> CostWorkspace::saveReport(const QString& file) {
    if (!outcome_) return failure("there is no ranking yet");
    return save_cost_report(*outcome_, *chart_, file);
}

void CostWorkspace::askAndSaveReport() {
    if (!outcome_) return;
    QString chosen;
    QString file = QFileDialog::getSaveFileName(this, tr("Export report"), QStringLiteral("cost-report.html"), tr("HTML page (*.html);;PDF (*.pdf);;CSV table (*.csv)"), &chosen);
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty()) file += chosen.contains(QLatin1String("pdf")) ? QStringLiteral(".pdf") : chosen.contains(QLatin1String("csv")) ? QStringLiteral(".csv") : QStringLiteral(".html");
    if (const auto saved = saveReport(file); !saved) {
        emit refused(coreText(saved.error().to_string()));
    } else {
        emit said(tr("The report is written to %1").arg(file));
    }
}

void CostWorkspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    reflow();
}

void CostWorkspace::reflow() {
    const Theme& theme = Theme::instance();
    const bool narrow = width() < theme.px(kNarrow), one = width() < theme.px(kOneColumn);
    (narrow ? page_ : beside_)->insertWidget(0, answer_);  // the answer comes first
    board_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    pictures_->setDirection(one ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    form_card_->setMinimumWidth(narrow ? 0 : theme.px(kFormWidth));
    form_card_->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : theme.px(kFormWidth));
    chart_card_->setMinimumHeight(one ? theme.px(kStackedHeight) : 0);
    ranking_card_->setMinimumHeight(theme.px(one ? kStackedRanking : 220));
}

}  // namespace synperf::ui
