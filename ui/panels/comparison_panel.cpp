#include "panels/comparison_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "models/model_tables.h"
#include "theme/theme.h"
#include "views/error_bars.h"
#include "views/table_window.h"

namespace synperf::ui {

ComparisonPanel::ComparisonPanel(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel(this)),
      figures_(panelTable(tr("New model and model in use"), [this] { return bars_->table(); }, this)),
      bars_(new ErrorBars(this)),
      state_(new QLabel(this)),
      session_(new QPushButton(tr("Use for this session"), this)),
      good_(new QPushButton(tr("Use for good"), this)),
      worst_(new QPushButton(tr("Worst rows…"), this)) {
    const Theme& theme = Theme::instance();
    for (QLabel* label : {summary_, state_}) {
        label->setWordWrap(true);
        label->setProperty("look", "second");
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    figures_->setObjectName(QStringLiteral("figures"));
    figures_->setMinimumHeight(theme.px(110));
    figures_->horizontalHeader()->setStretchLastSection(false);
    session_->setToolTip(tr("Answers with the new model until the program ends; undo goes back"));
    good_->setToolTip(tr("Writes it among your models, so that later starts use it too; undo goes back"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(8));
    column->addWidget(summary_);
    column->addWidget(figures_, 1);
    column->addWidget(bars_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(session_);
    buttons->addWidget(good_);
    buttons->addWidget(worst_);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addWidget(state_);
    column->addStretch();
    connect(session_, &QPushButton::clicked, this, [this] { emit adoptRequested(false); });
    connect(good_, &QPushButton::clicked, this, [this] { emit adoptRequested(true); });
    connect(worst_, &QPushButton::clicked, this, &ComparisonPanel::worstRequested);
    setTrained(nullptr);
}

void ComparisonPanel::setTrained(std::shared_ptr<const Retrained> trained) {
    trained_ = std::move(trained);
    for (QWidget* widget : {static_cast<QWidget*>(figures_), static_cast<QWidget*>(bars_), static_cast<QWidget*>(session_), static_cast<QWidget*>(good_), static_cast<QWidget*>(worst_)})
        widget->setVisible(trained_ != nullptr);
    state_->clear();
    if (!trained_) {
        summary_->setText(tr("After a training, the new model stands here beside the one in use: their errors on rows that the new one did not learn from."));
        return;
    }
    const ModelComparison& comparison = trained_->comparison;
    const QLocale locale;
    const auto percent = [&](double share) { return locale.toString(100 * share, 'f', 1); };
    const auto number = [&](std::size_t n) { return locale.toString(static_cast<qlonglong>(n)); };
    const QString name = QString::fromStdString(trained_->model->name);
    const QString text = comparison.used_is_analytical
                             ? tr("%1: mean error %2 %, median %3 %; the analysis alone, as there is no model in use: %4 %, %5 %. On %6 rows kept out of training.")
                             : tr("%1: mean error %2 %, median %3 %; the model in use: %4 %, %5 %. On %6 rows kept out of training, which the model in use may have learned from.");
    summary_->setText(text.arg(name, percent(comparison.trained.mean_error), percent(comparison.trained.median_error), percent(comparison.used.mean_error),
                               percent(comparison.used.median_error), number(comparison.trained.rows)));
    bars_->setComparison(comparison, name);
    showTable(*figures_, bars_->table());
}

void ComparisonPanel::setInUse(bool in_use) {
    session_->setEnabled(!in_use);
    state_->setText(in_use ? tr("The new model is in use. Undo goes back to the one before.") : QString());
    state_->setVisible(in_use);
}

QString ComparisonPanel::summary() const { return summary_->text(); }

}  // namespace synperf::ui
