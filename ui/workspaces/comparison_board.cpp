#include "workspaces/comparison_board.h"

#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QVBoxLayout>
#include <algorithm>

#include "models/core_text.h"
#include "panels/compare_card.h"
#include "panels/comparison_table.h"
#include "theme/theme.h"
#include "views/lane_view.h"

namespace synperf::ui {

namespace {

constexpr double kAir = 1.03;           // after the longest
constexpr double kRoom = 1.2;           // of a latency, at most, that the axis leaves for the end of its interval
constexpr double kWorthABar = 0.01;     // of any GPU's latency
constexpr std::size_t kMostNamed = 5;   // parameters in a title

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

}  // namespace

QString callTitle(const KernelFamily& family, const Params& params) {
    const std::vector<ParamSchema>& schema = family.schema();
    QStringList parts;
    const auto at = [&schema](const char* name) { return param_index(schema, name); };
    const bool product = at("m") < schema.size() && at("n") < schema.size() && at("k") < schema.size();
    QString title = coreText(family.title());
    if (product) title += QStringLiteral(" %1 \u00d7 %2 \u00d7 %3").arg(text(to_text(params.values[at("m")])), text(to_text(params.values[at("n")])), text(to_text(params.values[at("k")])));
    for (std::size_t i = 0; i < schema.size() && static_cast<std::size_t>(parts.size()) < kMostNamed; ++i) {
        const ParamSchema& param = schema[i];
        if (param.group != "Shape" || (product && (i == at("m") || i == at("n") || i == at("k")))) continue;
        const QString value = text(to_text(params.values[i])).left(24);
        if (param.kind == ParamKind::choice) {
            if (param.name == "dtype") parts << value;
        } else if (param.kind == ParamKind::integer && (!product || params.values[i] != param.initial)) {
            parts << QStringLiteral("%1 %2").arg(text(param.label.empty() ? param.name : param.label), value);
        }
    }
    return parts.isEmpty() ? title : title + QStringLiteral(", ") + parts.join(QStringLiteral(", "));
}

ComparisonBoard::ComparisonBoard(QWidget* parent) : PictureView(parent), column_(new QVBoxLayout(this)), axis_(new LaneAxis) {
    setFocusPolicy(Qt::NoFocus);  // its lanes and buttons have it
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(Theme::instance().px(8));
    column_->addWidget(axis_);
}

CompareCard* ComparisonBoard::makeCard() {
    auto* card = new CompareCard;
    const std::size_t index = cards_.size();
    const auto id = [this, index] { return comparison_->inputs.gpus[index].gpu.id; };
    connect(card, &CompareCard::pinRequested, this, [this, id] { emit pinRequested(id()); });
    connect(card, &CompareCard::removeRequested, this, [this, id] { emit removeRequested(id()); });
    connect(card, &CompareCard::moveRequested, this, [this, id](int by) { emit moveRequested(id(), by); });
    column_->insertWidget(static_cast<int>(index), card, 1);
    cards_.push_back(card);
    return card;
}

void ComparisonBoard::setComparison(ComparisonPtr comparison) {
    comparison_ = std::move(comparison);
    count_ = comparison_->size();
    while (cards_.size() < count_) makeCard();
    std::vector<Pipe> shown;
    double longest = 0;
    for (std::size_t i = 0; i < count_; ++i)
        if (const auto latency = comparison_->latency(i)) longest = std::max({longest, latency->value.value, std::min(latency->upper.value, kRoom * latency->value.value)});
    for (const Pipe pipe : kPipes) {
        const bool always = pipe == Pipe::tensor || pipe == Pipe::smem || pipe == Pipe::l2 || pipe == Pipe::dram;
        const bool busy = !comparison_->workload() && std::ranges::any_of(comparison_->kernels.kernels, [pipe](const ComparedKernel& kernel) { return kernel.busy[pipe] > kWorthABar; });
        if (always || busy) shown.push_back(pipe);
    }
    end_ = Seconds{longest > 0 ? longest * kAir : 1};
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        cards_[i]->setVisible(i < count_);
        if (i >= count_) continue;
        cards_[i]->lane().setEnd(end_);
        cards_[i]->lane().setPipes(comparison_->inputs.pipes);
        cards_[i]->setGpu(*comparison_, i, shown);
        cards_[i]->setPlace(i, count_, i == comparison_->inputs.baseline);
    }
    axis_->setLegend(comparison_->inputs.pipes && !comparison_->workload());
    setNarrow(narrow_);
    placeAxis();
    announce();
}

void ComparisonBoard::setNarrow(bool narrow) {
    narrow_ = narrow;
    for (CompareCard* card : cards_) card->setNarrow(narrow);
}

QString ComparisonBoard::title() const {
    if (!comparison_) return tr("GPUs side by side");
    if (!comparison_->workload()) return callTitle(*comparison_->scenario.family, comparison_->scenario.params);
    const RankingRequest& request = comparison_->request;
    return tr("%1: %2 tokens in, %3 out, %4 at a time").arg(text(request.config.id)).arg(request.shape.prompt).arg(request.shape.output).arg(request.shape.batch);
}

QString ComparisonBoard::caption() const {
    if (!comparison_) return {};
    return tr("%1 GPUs, baseline %2 (pinned). One time axis for all.").arg(count_).arg(comparedName(*comparison_, comparison_->inputs.baseline));
}

void ComparisonBoard::drawPicture(QPainter& painter, QSize /*size*/, bool /*vector*/) { render(&painter, QPoint(), QRegion(), DrawChildren); }

TableData ComparisonBoard::table() const {
    TableData table;
    table.title = title();
    if (!comparison_) return table;
    auto model = std::make_shared<ComparisonTable>();
    model->setComparison(comparison_);
    table.headers << tr("Measure");
    table.columns << QStringLiteral("measure");
    for (std::size_t i = 0; i < count_; ++i) {
        table.headers << comparedName(*comparison_, i);
        table.columns << text(comparison_->inputs.gpus[i].gpu.id);
    }
    table.rows = model->rowCount();
    table.cell = [model](qint64 row, int column) -> QVariant {
        if (column == 0) return model->headerData(static_cast<int>(row), Qt::Vertical, Qt::DisplayRole);
        return model->index(static_cast<int>(row), column - 1).data();
    };
    return table;
}

void ComparisonBoard::setDimmed(bool dimmed) {
    for (CompareCard* card : cards_) {
        if (!dimmed) {
            card->setGraphicsEffect(nullptr);
            continue;
        }
        auto* faded = new QGraphicsOpacityEffect(card);
        faded->setOpacity(kDimmedOpacity);
        card->setGraphicsEffect(faded);
    }
}

void ComparisonBoard::placeAxis() {
    if (count_ == 0 || cards_.empty()) return;
    LaneView& lane = cards_.front()->lane();
    const QRect plot = lane.plot(lane.size());
    axis_->setScale(lane.mapTo(this, plot.topLeft()).x() - axis_->x(), plot.width(), end_);
}

void ComparisonBoard::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    placeAxis();
}

bool ComparisonBoard::event(QEvent* event) {
    const bool done = PictureView::event(event);
    if (event->type() == QEvent::LayoutRequest) QMetaObject::invokeMethod(this, &ComparisonBoard::placeAxis, Qt::QueuedConnection);
    return done;
}

void ComparisonBoard::paintEvent(QPaintEvent* /*event*/) { placeAxis(); }

}  // namespace synperf::ui
