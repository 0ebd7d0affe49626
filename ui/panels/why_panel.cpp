#include "panels/why_panel.h"

#include <QScrollBar>
#include <QFontMetrics>
#include <QFrame>
#include <QPainter>
#include <QPushButton>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/scene.h"
#include "models/core_text.h"

namespace synperf::ui {

namespace {

// Work is the accent, what is lost is amber, what is won back is green, fixed costs are grey.
Role roleOf(PartKind kind, bool wins) {
    if (wins) return Role::gain;
    switch (kind) {
        case PartKind::pipe:
            return Role::accent;
        case PartKind::tail:
        case PartKind::sustained_rate:
        case PartKind::overlap:
        case PartKind::learned:
            return Role::loss;
        case PartKind::fill:
        case PartKind::leader:
        case PartKind::follower:
        case PartKind::launch:
            return Role::text_second;
    }
    return Role::text_second;
}

QString durationText(Seconds time) {
    return QString::fromStdString(format_duration(time));
}

}  // namespace

PartRow::PartRow(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);  // Fixed would forbid the second line
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QFont PartRow::font() const {
    QFont font = Theme::instance().font(FontRole::body);
    if (total_) font.setWeight(QFont::DemiBold);
    return font;
}

int PartRow::labelWidth(int width) const {
    return width - QFontMetrics(font()).horizontalAdvance(time_) - Theme::instance().px(10);
}

QStringList PartRow::shownLabel(int width) const {
    const QFontMetrics metrics(font());
    const int room = labelWidth(width);
    if (room <= 0 || metrics.horizontalAdvance(label_) <= room) return {label_};
    QTextLayout layout(label_, font());
    layout.setTextOption(QTextOption(Qt::AlignLeft));
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(room);
    const QString first = label_.left(line.textLength()).trimmed(), rest = label_.mid(line.textLength()).trimmed();
    layout.endLayout();
    if (rest.isEmpty()) return {metrics.elidedText(label_, Qt::ElideRight, room)};
    return {metrics.elidedText(first, Qt::ElideRight, room), metrics.elidedText(rest, Qt::ElideRight, room)};
}

int PartRow::heightForWidth(int width) const {
    return sizeHint().height() + static_cast<int>(shownLabel(width).size() - 1) * QFontMetrics(font()).height();
}

QSize PartRow::sizeHint() const {
    return {Theme::instance().px(220), Theme::instance().px(total_ ? 26 : 36)};
}

void PartRow::setPart(const Part& part, double share, double full_share, bool total) {
    label_ = coreText(part.label);
    // A part that may lie on either side says which, and how much of the latency it is.
    const bool is_signed = part.kind == PartKind::learned || part.time.value < 0;
    const QString sign = part.time.value < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    time_ = is_signed ? tr("%1%2, %3").arg(sign, durationText(Seconds{std::abs(part.time.value)}), signedPercent(share))
                      : durationText(part.time);
    kind_ = part.kind;
    updateGeometry();  // another name may need another line
    share_ = full_share > 0 ? std::clamp(share / full_share, -1.0, 1.0) : 0.0;
    total_ = total;
    QStringList lines{label_};
    if (!part.detail.empty()) lines << coreText(part.detail);
    if (!total) lines << tr("%1 of the latency").arg(is_signed ? signedPercent(share) : percent(share, 1));
    if (share < 0) lines << tr("It is taken off the other parts, which are the analysis alone.");
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleName(text());
    setAccessibleDescription(lines.mid(1).join(QLatin1Char(' ')));
    update();
}

void PartRow::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics metrics(font());
    painter.setFont(font());
    QRect line(0, total_ ? theme.px(6) : 0, width(), metrics.height() + theme.px(2));
    painter.setPen(theme.color(total_ ? Role::text : Role::text_second));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, time_);
    painter.setPen(theme.color(Role::text));
    const QStringList label = shownLabel(width());
    for (qsizetype at = 0; at < label.size(); ++at) {
        if (at > 0) line.translate(0, metrics.height());
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, label[at]);
    }
    painter.setPen(Qt::NoPen);
    if (total_) {
        painter.fillRect(QRectF(0, 1, width(), 1), theme.color(Role::line));
        return;
    }
    const double height = theme.px(6), top = line.bottom() + theme.px(3);
    painter.setBrush(theme.color(Role::line));
    painter.drawRoundedRect(QRectF(0, top, width(), height), height / 2, height / 2);
    if (share_ == 0) return;
    const double length = std::max(height, std::abs(share_) * width());
    const QRectF bar(share_ < 0 ? width() - length : 0, top, length, height);
    painter.setBrush(theme.color(roleOf(kind_, share_ < 0)));
    painter.drawRoundedRect(bar, height / 2, height / 2);
    if (share_ > 0) return;
    // Not by colour alone: what is taken off is hatched.
    painter.setBrush(QBrush(theme.color(Role::panel), Qt::BDiagPattern));
    painter.drawRoundedRect(bar, height / 2, height / 2);
}

WhyPanel::WhyPanel(QWidget* parent)
    : QScrollArea(parent),
      parts_layout_(new QVBoxLayout),
      divider_(new QFrame(this)),
      changes_heading_(new QLabel(tr("What would change it"), this)),
      changes_layout_(new QVBoxLayout) {
    const Theme& theme = Theme::instance();
    setAccessibleName(tr("Why"));
    changes_heading_->setProperty("look", "heading");
    divider_->setProperty("look", "line");
    parts_layout_->setSpacing(theme.px(4));
    changes_layout_->setSpacing(theme.px(8));
    auto* page = new QWidget;
    page->setProperty("look", "page");
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(theme.px(12), theme.px(4), theme.px(12), theme.px(8));
    column->setSpacing(theme.px(8));
    column->addLayout(parts_layout_);
    column->addSpacing(theme.px(6));
    column->addWidget(divider_);
    column->addSpacing(theme.px(2));
    column->addWidget(changes_heading_);
    column->addLayout(changes_layout_);
    column->addStretch();
    setWindowTitle(tr("Why"));
    connect(&Theme::instance(), &Theme::changed, this, &WhyPanel::refreshChanges);
    refreshChanges();
}

void WhyPanel::setExplanation(std::shared_ptr<const Explanation> explanation) {
    explanation_ = std::move(explanation);
    if (!explanation_) return;
    const Prediction& prediction = explanation_->prediction;
    setWindowTitle(tr("Why %1").arg(durationText(prediction.latency)));
    const std::vector<Part>& latency_parts = explanation_->analysis.parts;
    const std::size_t rows = latency_parts.size() + 1;
    while (parts_.size() < rows) {
        parts_.push_back(new PartRow(this));
        parts_layout_->addWidget(parts_.back());
    }
    // Where a part is taken off, the others are more than the latency together.
    double full_share = 0;
    for (const Part& part : latency_parts) full_share += std::max(0.0, part.time / prediction.latency);
    Part sum{PartKind::pipe, tr("Sum").toStdString(), tr("The parts add up to the latency").toStdString(), {}};
    for (std::size_t at = 0; at < latency_parts.size(); ++at) {
        const Part& part = latency_parts[at];
        sum.time += part.time;
        parts_[at]->setPart(part, part.time / prediction.latency, full_share, false);
        parts_[at]->show();
    }
    parts_[rows - 1]->setPart(sum, 1, 1, true);
    parts_[rows - 1]->show();
    for (std::size_t at = rows; at < parts_.size(); ++at) parts_[at]->hide();
}

void WhyPanel::setWhatIfs(std::vector<WhatIf> changes) {
    changes_ = std::move(changes);
    refreshChanges();
}

WhyPanel::ChangeRow& WhyPanel::changeRow(std::size_t index) {
    while (change_rows_.size() <= index) {
        const std::size_t at = change_rows_.size();
        ChangeRow row{new QWidget(this), new QLabel(this), new QLabel(this), new QPushButton(this)};
        row.label->setWordWrap(true);
        row.change->setAlignment(Qt::AlignRight | Qt::AlignTop);
        row.link->setProperty("look", "link");
        row.link->setText(tr("try it"));
        row.link->setCursor(Qt::PointingHandCursor);
        connect(row.link, &QPushButton::clicked, this, [this, at] {
            if (at < changes_.size()) emit whatIfRequested(changes_[at]);
        });
        auto* grid = new QGridLayout(row.box);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setVerticalSpacing(0);
        grid->setHorizontalSpacing(Theme::instance().px(8));
        grid->setColumnStretch(0, 1);
        grid->addWidget(row.label, 0, 0);
        grid->addWidget(row.change, 0, 1);
        grid->addWidget(row.link, 1, 0, Qt::AlignLeft);
        changes_layout_->addWidget(row.box);
        change_rows_.push_back(row);
    }
    return change_rows_[index];
}

void WhyPanel::refreshChanges() {
    const bool any = !changes_.empty();
    divider_->setVisible(any);
    changes_heading_->setVisible(any);
    for (std::size_t at = 0; at < changes_.size(); ++at) {
        const WhatIf& change = changes_[at];
        ChangeRow& row = changeRow(at);
        row.label->setText(coreText(change.label));
        row.change->setText(signedPercent(change.change));
        const Role role = change.change < 0 ? Role::gain : change.change > 0 ? Role::loss : Role::text_second;
        row.change->setStyleSheet(
            QStringLiteral("color: %1; font-weight: 600").arg(Theme::instance().color(role).name()));
        const QString result =
            tr("%1, %2").arg(durationText(change.latency), change.change < 0 ? tr("faster") : tr("slower"));
        row.change->setToolTip(result);
        row.change->setAccessibleName(signedPercent(change.change) + QStringLiteral(", ") + result);
        row.link->setToolTip(tr("Make this change; undo takes it back"));
        row.link->setAccessibleName(tr("Try %1").arg(row.label->text()));
        row.box->show();
    }
    for (std::size_t at = changes_.size(); at < change_rows_.size(); ++at) change_rows_[at].box->hide();
}

QStringList WhyPanel::partTexts() const {
    QStringList texts;
    for (const PartRow* row : parts_) {
        if (!row->isHidden()) texts << row->text();
    }
    return texts;
}

QSize WhyPanel::minimumSizeHint() const {
    const int contents = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
    return {contents + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height()};
}

}  // namespace synperf::ui
