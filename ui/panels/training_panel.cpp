#include "panels/training_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "theme/theme.h"
#include "views/table_window.h"

namespace synperf::ui {

namespace {

constexpr int kSteps = 1000;

QString time_text(double seconds) {
    if (seconds < 90) return TrainingPanel::tr("about %1 s left").arg(std::max(1, static_cast<int>(std::lround(seconds))));
    return TrainingPanel::tr("about %1 min left").arg(static_cast<int>(std::lround(seconds / 60)));
}

}  // namespace

TrainingPanel::TrainingPanel(TrainingData& measured, QWidget* parent)
    : QWidget(parent),
      data_(measured),
      files_(panelTable(tr("Measured tables"), [this] { return data_.listed(); }, this)),
      hint_(new QLabel(tr("Tables of measured kernels (CSV, plain or gzip) with a column latency_us: add them, or drop them here."), this)),
      add_(new QPushButton(tr("Add tables…"), this)),
      remove_(new QPushButton(tr("Remove"), this)),
      train_(new QPushButton(tr("Train"), this)),
      cancel_(new QPushButton(tr("Cancel"), this)),
      model_(new QComboBox(this)),
      epochs_(spin(tr("Epochs"), 1, 1000, 60, tr("Passes over the rows."))),
      members_(spin(tr("Networks"), 1, 8, 2, tr("Networks of the ensemble; their mean answers."))),
      copies_(spin(tr("Imagined GPUs"), 0, 4, 1, tr("Copies of every row on GPUs that do not exist, around the real one: a model learns to follow a GPU's numbers instead of its name."))),
      seed_(spin(tr("Seed"), 1, 1'000'000'000, 1, tr("The same seed and rows give the same model."))),
      leave_out_(new QCheckBox(tr("Leave GPUs out (several times as long)"), this)),
      progress_(new QProgressBar(this)),
      state_(new QLabel(this)) {
    const Theme& theme = Theme::instance();
    hint_->setProperty("look", "second");
    hint_->setWordWrap(true);
    state_->setWordWrap(true);
    state_->setTextFormat(Qt::PlainText);
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    state_->setAccessibleName(tr("State of the training"));
    model_->setAccessibleName(tr("Model to train"));
    model_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    model_->setMinimumContentsLength(8);
    progress_->setAccessibleName(tr("Progress of the training"));
    progress_->setTextVisible(false);
    files_->setObjectName(QStringLiteral("trainingFiles"));
    files_->setMinimumHeight(theme.px(72));
    train_->setObjectName(QStringLiteral("train"));
    cancel_->setObjectName(QStringLiteral("cancelTraining"));
    auto* remove = new QAction(tr("Remove"), files_);
    leave_out_->setToolTip(tr("Trains brief models without each GPU to learn how far to trust the new one on GPUs that it does not know"));
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    files_->addAction(remove);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(8));
    column->addWidget(hint_);
    column->addWidget(files_, 1);
    auto* data_row = new QHBoxLayout;
    data_row->addWidget(add_);
    data_row->addWidget(remove_);
    data_row->addStretch();
    column->addLayout(data_row);

    auto* recipe = new QGridLayout;
    recipe->setHorizontalSpacing(theme.px(10));
    recipe->setVerticalSpacing(theme.px(4));
    const std::array<std::pair<QString, QWidget*>, 5> fields{{{tr("Model"), model_}, {tr("Epochs"), epochs_}, {tr("Networks"), members_}, {tr("Imagined GPUs"), copies_}, {tr("Seed"), seed_}}};
    // The model's name takes a line of its own: numbers are narrow.
    for (int at = 0; at < static_cast<int>(fields.size()); ++at) {
        const auto& [name, field] = fields[static_cast<std::size_t>(at)];
        auto* label = new QLabel(name, this);
        label->setProperty("look", "faint");
        label->setBuddy(field);
        const int row = at == 0 ? 0 : 2, place = std::max(0, at - 1), span = at == 0 ? 4 : 1;
        recipe->addWidget(label, row, place, 1, span);
        recipe->addWidget(field, row + 1, place, 1, span);
        if (at > 0) recipe->setColumnStretch(place, 1);
        field->installEventFilter(this);
        field->setFocusPolicy(Qt::StrongFocus);
    }
    column->addLayout(recipe);
    column->addWidget(leave_out_);
    auto* run = new QHBoxLayout;
    run->addWidget(train_);
    run->addWidget(cancel_);
    run->addWidget(progress_, 1);
    column->addLayout(run);
    column->addWidget(state_);

    // Tab goes from top to bottom, as the eye does.
    const std::array<QWidget*, 11> order{files_, add_, remove_, model_, epochs_, members_, copies_, seed_, leave_out_, train_, cancel_};
    for (std::size_t at = 1; at < order.size(); ++at) setTabOrder(order[at - 1], order[at]);

    connect(add_, &QPushButton::clicked, this, &TrainingPanel::chooseFiles);
    connect(remove_, &QPushButton::clicked, this, &TrainingPanel::removeSelected);
    connect(remove, &QAction::triggered, this, &TrainingPanel::removeSelected);
    connect(train_, &QPushButton::clicked, this, &TrainingPanel::trainRequested);
    connect(cancel_, &QPushButton::clicked, this, &TrainingPanel::cancelRequested);
    connect(&data_, &TrainingData::changed, this, &TrainingPanel::refresh);
    refresh();
}

QSpinBox* TrainingPanel::spin(const QString& name, int least, int most, int value, const QString& tip) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setValue(value);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setMinimumWidth(Theme::instance().px(64));
    return box;
}

// The wheel scrolls the page; it changes a value only where the keyboard is.
bool TrainingPanel::eventFilter(QObject* watched, QEvent* event) {
    auto* field = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Wheel && field != nullptr && !field->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TrainingPanel::chooseFiles() {
    data_.add(QFileDialog::getOpenFileNames(this, tr("Add measured tables"), {}, tr("Tables (*.csv *.csv.gz);;All files (*)")));
}

void TrainingPanel::removeSelected() {
    const QModelIndex current = files_->currentIndex();
    if (current.isValid() && !training_) data_.remove(static_cast<std::size_t>(current.row()));
}

void TrainingPanel::refresh() {
    showTable(*files_, data_.listed());
    if (!data_.files().empty()) files_->setCurrentIndex(files_->model()->index(static_cast<int>(data_.files().size()) - 1, 0));
    const QString chosen = model_->currentData().toString();
    {
        const QSignalBlocker quiet(model_);
        model_->clear();
        const QLocale locale;
        std::vector<std::pair<std::string, std::size_t>> models;
        for (const auto& one : data_.models()) models.push_back(one);
        std::ranges::stable_sort(models, std::ranges::greater{}, &std::pair<std::string, std::size_t>::second);
        for (const auto& [name, rows] : models) {
            const QString id = QString::fromStdString(name);
            model_->addItem(tr("%1, %2 rows").arg(id, locale.toString(static_cast<qlonglong>(rows))), id);
        }
        model_->setCurrentIndex(std::max(0, model_->findData(chosen)));
    }
    setTraining(training_);
}

void TrainingPanel::setTraining(bool training) {
    training_ = training;
    const bool ready = !data_.files().empty() && !data_.reading();
    train_->setEnabled(ready && !training);
    cancel_->setEnabled(training);
    add_->setEnabled(!training);
    remove_->setEnabled(!training && !data_.files().empty());
    model_->setEnabled(!training && !data_.files().empty());
    for (QWidget* field : {static_cast<QWidget*>(epochs_), static_cast<QWidget*>(members_), static_cast<QWidget*>(copies_), static_cast<QWidget*>(seed_), static_cast<QWidget*>(leave_out_)})
        field->setEnabled(!training);
    QSizePolicy policy = progress_->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(policy);
    progress_->setVisible(training || data_.reading());
    if (!training) progress_->setRange(0, 0);
}

void TrainingPanel::setProgress(const QString& what, double share, double seconds_left) {
    progress_->setRange(0, share < 0 ? 0 : kSteps);
    if (share >= 0) progress_->setValue(static_cast<int>(std::lround(share * kSteps)));
    setOutcome(seconds_left < 0 ? what : tr("%1, %2").arg(what, time_text(seconds_left)), false);
}

void TrainingPanel::setOutcome(const QString& text, bool error) {
    const char* look = error ? "error" : "second";
    if (state_->property("look").toString() != QLatin1String(look)) {
        state_->setProperty("look", look);
        state_->style()->unpolish(state_);
        state_->style()->polish(state_);
    }
    state_->setText(text);
}

QString TrainingPanel::outcome() const { return state_->text(); }

RetrainOptions TrainingPanel::options() const {
    RetrainOptions options;
    options.recipe.network.epochs = epochs_->value();
    options.recipe.members = members_->value();
    options.recipe.network.seed = static_cast<std::uint64_t>(seed_->value());
    options.copies = copies_->value();
    options.leave_out = leave_out_->isChecked();
    options.model = model_->currentData().toString().toStdString();
    return options;
}

}  // namespace synperf::ui
