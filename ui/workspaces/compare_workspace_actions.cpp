// What the Compare workspace does when its buttons, sliders, headers and menu entries are used: every edit goes through the document.
#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/core_text.h"
#include "panels/comparison_table.h"
#include "panels/design_panel.h"
#include "panels/search_popup.h"
#include "views/operator_bars.h"
#include "views/tornado_view.h"
#include "workspaces/compare_workspace.h"
#include "workspaces/comparison_board.h"

namespace synperf::ui {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

}  // namespace

void CompareWorkspace::connectAll() {
    connect(&document_, &Document::compareChanged, this, [this] {
        CompareInputs before = shown_;
        showInputs();
        before.words = shown_.words;
        if (!(before == shown_) || stale_) request();  // a filter asks nothing
    });
    connect(&document_, &Document::scenarioChanged, this, [this] {
        const bool same_models = asked_ && asked_->scenario.analytical == document_.scenario().analytical;
        if (!document_.compare().workload || stale_ || !same_models) request();
    });
    connect(&document_, &Document::servingChanged, this, [this] {
        if (document_.compare().workload) request();
    });
    const auto edited = [this](auto change, const QString& what) {
        CompareInputs inputs = document_.compare();
        change(inputs);
        document_.setCompare(inputs, what);
    };
    connect(kernel_, &QToolButton::clicked, this, [edited] { edited([](CompareInputs& inputs) { inputs.workload = false; }, tr("compare the kernel")); });
    connect(workload_, &QToolButton::clicked, this, [edited] { edited([](CompareInputs& inputs) { inputs.workload = true; }, tr("compare the LLM workload")); });
    connect(schedule_, &QToolButton::clicked, this, [edited] { edited([](CompareInputs& inputs) { inputs.pipes = false; }, tr("timelines")); });
    connect(pipes_, &QToolButton::clicked, this, [edited] { edited([](CompareInputs& inputs) { inputs.pipes = true; }, tr("heat maps")); });
    connect(edit_, &QPushButton::clicked, this, &CompareWorkspace::editRequested);
    connect(add_, &QPushButton::clicked, this, &CompareWorkspace::openPicker);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (!worker_.comparing()) return;
        worker_.cancel();
        fail(tr("Cancelled: what is shown is the last finished comparison"));
    });
    connect(picker_, &SearchPopup::chosen, this, [this](const QModelIndex& index) { addGpu({gpus_.gpu(index.row()), {}}); });
    // What is shown may be older than the document: a GPU is looked up by its id, and nothing is done where it is gone.
    connect(board_, &ComparisonBoard::pinRequested, this, [this](const std::string& id) { document_.setCompare(with_baseline(document_.compare(), id), tr("pin %1").arg(nameOf(id))); });
    connect(board_, &ComparisonBoard::removeRequested, this, [this](const std::string& id) { document_.setCompare(without_compared(document_.compare(), id), tr("remove %1").arg(nameOf(id))); });
    connect(board_, &ComparisonBoard::moveRequested, this, [this](const std::string& id, int by) { document_.setCompare(with_moved(document_.compare(), id, by), tr("move %1").arg(nameOf(id))); });
    connect(design_, &DesignPanel::gpuChosen, this, [edited](std::size_t index) {
        edited([index](CompareInputs& inputs) {
            inputs.designed = index;
            inputs.change = {};
        }, tr("what if: another GPU"));
    });
    connect(design_, &DesignPanel::factorChosen, this, [this](DesignKnob knob, double factor) {
        CompareInputs inputs = document_.compare();
        inputs.change[knob] = factor;
        document_.setCompare(inputs, tr("what if: %1 x%2").arg(coreText(label(knob)), QLocale().toString(factor, 'f', 2)), static_cast<int>(knob));
    });
    connect(design_, &DesignPanel::keepRequested, this, &CompareWorkspace::keepDesign);
    connect(design_, &DesignPanel::resetRequested, this, [edited] { edited([](CompareInputs& inputs) { inputs.change = {}; }, tr("what if: reset")); });
    connect(&worker_, &CompareWorker::compared, this, &CompareWorkspace::take);
    connect(&worker_, &CompareWorker::failed, this, &CompareWorkspace::fail);
    connect(&worker_, &CompareWorker::designed, this, [this](const std::shared_ptr<const DesignAnswer>& answer) { design_->setAnswer(*answer); });
    connect(&worker_, &CompareWorker::designFailed, design_, [this](const QString& message) { design_->setError(coreText(message.toStdString())); });
    connect(&worker_, &CompareWorker::progressed, this, [this](double share) {
        progress_->setVisible(share >= 0);
        cancel_->setVisible(share >= 0);
        if (share >= 0) progress_->setValue(static_cast<int>(std::lround(1000 * share)));
    });
}

QString CompareWorkspace::nameOf(const std::string& id) const {
    const auto place = place_of(document_.compare(), id);
    return place ? text(document_.compare().gpus[*place].gpu.name) : QString();
}

void CompareWorkspace::addGpu(const ComparedGpu& gpu) {
    if (document_.compare().gpus.size() >= kMostCompared) return emit refused(tr("%1 GPUs are compared, which is the most; remove one first").arg(kMostCompared));
    const auto& gpus = document_.compare().gpus;
    const auto there = std::ranges::find_if(gpus, [&gpu](const ComparedGpu& other) { return same_gpu(other.gpu, gpu.gpu); });
    if (there != gpus.end()) return emit refused(tr("%1 is already compared").arg(text(gpu.gpu.name)));
    document_.setCompare(with_compared(document_.compare(), gpu), tr("add %1").arg(text(gpu.gpu.name)));
}

void CompareWorkspace::filterBy(const QString& words) {
    constexpr int kMerge = static_cast<int>(kDesignKnobs.size());  // after the knobs'
    CompareInputs inputs = document_.compare();
    inputs.words = words.toStdString();
    document_.setCompare(inputs, tr("filter the comparison"), kMerge);
}

void CompareWorkspace::keepDesign() {
    if (document_.compare().change.none()) return;
    const auto kept = with_design_kept(document_.compare(), document_.engine().gpus);
    if (!kept) return emit refused(coreText(kept.error().to_string()));
    document_.setCompare(*kept, tr("keep %1").arg(text(kept->gpus.back().gpu.name)));
}

// The GPUs themselves are put into the order, so that cards and table agree and undo goes back.
void CompareWorkspace::sortBy(int row) {
    if (!comparison_ || row < 0 || row >= model_->rowCount()) return;
    CompareInputs sorted = with_order(document_.compare(), model_->order(row, false));
    if (sorted == document_.compare()) sorted = with_order(document_.compare(), model_->order(row, true));
    document_.setCompare(sorted, tr("order by %1").arg(model_->headerData(row, Qt::Vertical, Qt::DisplayRole).toString()));
}

Result<void> CompareWorkspace::save(const QString& file, bool json) const {
    if (!comparison_) return failure("there is nothing to save yet");
    QSaveFile out(file);
    const QByteArray bytes = QByteArray::fromStdString(json ? comparison_->json() : comparison_->csv());
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit()) return tl::unexpected(Error{"can not be written: " + out.errorString().toStdString(), {}, file.toStdString()});
    return {};
}

void CompareWorkspace::askAndSave(bool json) {
    const QString ending = json ? QStringLiteral(".json") : QStringLiteral(".csv");
    QString file = QFileDialog::getSaveFileName(this, tr("Save the comparison"), tr("comparison") + ending, json ? tr("JSON files (*.json)") : tr("CSV files (*.csv)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(ending, Qt::CaseInsensitive)) file += ending;
    if (const auto saved = save(file, json); !saved) emit refused(coreText(saved.error().to_string()));
}

// Rows as they stand, with the names of the measures; the selected cells' rows and columns, or all that the filter shows.
void CompareWorkspace::copyTable() {
    std::vector<int> rows, columns;
    for (const QModelIndex& index : table_->selectionModel()->selectedIndexes()) {
        if (std::ranges::find(rows, index.row()) == rows.end()) rows.push_back(index.row());
        if (std::ranges::find(columns, index.column()) == columns.end()) columns.push_back(index.column());
    }
    const auto all = [](std::vector<int>& which, int count) {
        if (which.empty()) {
            which.resize(static_cast<std::size_t>(count));
            std::iota(which.begin(), which.end(), 0);
        }
        std::ranges::sort(which);
    };
    all(rows, model_->rowCount());
    all(columns, model_->columnCount());
    std::erase_if(rows, [this](int row) { return table_->isRowHidden(row); });
    std::erase_if(columns, [this](int column) { return table_->isColumnHidden(column); });
    QStringList lines{QString()};
    for (const int column : columns) lines.front() += QLatin1Char('\t') + model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const int row : rows) {
        QString line = model_->headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        for (const int column : columns) line += QLatin1Char('\t') + model_->index(row, column).data(ComparisonTable::kWholeTextRole).toString();
        lines << line;
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

QList<QAction*> CompareWorkspace::viewActions() {
    if (!menus_.isEmpty()) return menus_;
    const auto add = [this](const QString& name, auto run) {
        auto* action = new QAction(name, this);
        connect(action, &QAction::triggered, this, [this, run] {
            emit wanted();
            run();
        });
        menus_ << action;
    };
    add(tr("Add a GPU to the comparison"), [this] { openPicker(); });
    add(tr("Add the Kernel workspace's GPU to the comparison"), [this] { addGpu({document_.scenario().gpu, document_.scenario().edited_from}); });
    add(tr("Compare the kernel"), [this] { kernel_->click(); });
    add(tr("Compare the LLM workload"), [this] { workload_->click(); });
    add(tr("Timelines or heat maps"), [this] { (document_.compare().pipes ? schedule_ : pipes_)->click(); });
    add(tr("Pin the next GPU as the baseline"), [this] {
        CompareInputs inputs = document_.compare();
        inputs.baseline = (inputs.baseline + 1) % inputs.gpus.size();
        document_.setCompare(inputs, tr("pin %1").arg(text(inputs.gpus[inputs.baseline].gpu.name)));
    });
    add(tr("Order the GPUs by latency"), [this] { sortBy(model_->row("latency")); });
    add(tr("Keep the changed GPU"), [this] { keepDesign(); });
    add(tr("Reset the design change"), [this] { design_->resetButton().click(); });
    add(tr("Save the comparison as CSV..."), [this] { askAndSave(false); });
    add(tr("Save the comparison as JSON..."), [this] { askAndSave(true); });
    add(tr("Filter the comparison"), [this] { filter_->setFocus(); });
    add(tr("Cancel the comparison"), [this] { cancel_->click(); });
    for (PictureView* view : {static_cast<PictureView*>(board_), static_cast<PictureView*>(&design_->tornado()), static_cast<PictureView*>(prefill_), static_cast<PictureView*>(decode_)}) {
        auto* menu = new QMenu(view->title(), this);
        menu->addActions(view->pictureActions());
        connect(view, &PictureView::captionChanged, menu, [menu, view] { menu->setTitle(view->title()); });
        menus_ << menu->menuAction();
    }
    return menus_;
}

}  // namespace synperf::ui
