#include "views/picture_view.h"

#include <QContextMenuEvent>
#include <QFontMetrics>

#include "theme/theme.h"
#include "views/export.h"
#include "views/table_window.h"

namespace synperf::ui {

PictureView::PictureView(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
    buildActions();
}

void PictureView::buildActions() {
    const auto add = [this](const QString& text, auto slot) {
        auto* action = new QAction(text, this);
        connect(action, &QAction::triggered, this, slot);
        actions_.append(action);
    };
    add(tr("Open as table"), [this] { openTable(); });
    for (int scale = 1; scale <= 4; ++scale) {
        add(tr("Save as PNG, %1x...").arg(scale), [this, scale] { askAndSavePng(*this, scale); });
    }
    add(tr("Save as SVG..."), [this] { askAndSaveSvg(*this); });
    add(tr("Save numbers as CSV..."), [this] { askAndSaveCsv(table(), this); });
}

void PictureView::addPictureAction(QAction* action) {
    actions_.insert(own_actions_++, action);
}

void PictureView::openTable() {
    auto* window = new TableWindow(table(), this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

void PictureView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    for (qsizetype at = 0; at < actions_.size(); ++at) {
        if (at == own_actions_ && at > 0) menu.addSeparator();
        menu.addAction(actions_[at]);
    }
    menu.exec(event->globalPos());
}

void PictureView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    // As in desktop programs: the ring shows where keys go, not where the mouse was.
    keyboard_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::ShortcutFocusReason;
    update();
}

void PictureView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

QSize PictureView::minimumSizeHint() const {
    return {Theme::instance().px(200), Theme::instance().px(160)};
}

void PictureView::setDimmed(bool dimmed) {
    if (dimmed_ == dimmed) return;
    dimmed_ = dimmed;
    update();
}

void PictureView::drawFocusRing(QPainter& painter) const {
    if (dimmed_) {
        QColor veil = Theme::instance().color(Role::panel);
        veil.setAlphaF(static_cast<float>(1 - kDimmedOpacity));
        painter.fillRect(rect(), veil);
    }
    if (!hasFocus() || !keyboard_focus_) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().color(Role::focus), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    painter.restore();
}

void PictureView::announce() {
    setAccessibleName(title());
    setAccessibleDescription(caption());
    emit captionChanged();
}

void drawHoverCard(QPainter& painter, QPoint at, QRect bounds, const QStringList& lines) {
    if (lines.isEmpty()) return;
    const Theme& theme = Theme::instance();
    QFont body = theme.font(FontRole::body);
    QFont bold = body;
    bold.setWeight(QFont::DemiBold);
    const int pad = theme.px(12);
    const int leading = QFontMetrics(body).height() + theme.px(3);
    int width = QFontMetrics(bold).horizontalAdvance(lines.front());
    for (const QString& line : lines) width = std::max(width, QFontMetrics(body).horizontalAdvance(line));
    QRect card(0, 0, width + 2 * pad, leading * static_cast<int>(lines.size()) + pad + theme.px(4));
    card.moveTopLeft(at + QPoint(theme.px(16), theme.px(16)));
    if (card.right() > bounds.right()) card.moveRight(at.x() - theme.px(12));
    if (card.bottom() > bounds.bottom()) card.moveBottom(at.y() - theme.px(12));
    card.moveLeft(std::max(card.left(), bounds.left()));
    card.moveTop(std::max(card.top(), bounds.top()));

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor shade = theme.color(Role::text);
    if (theme.dark()) shade = theme.color(Role::window);
    painter.setPen(Qt::NoPen);
    for (int step = 4; step > 0; --step) {  // a soft edge instead of a hard shadow
        shade.setAlphaF(0.03F);
        painter.setBrush(shade);
        painter.drawRoundedRect(QRectF(card).adjusted(-step, -step + 2, step, step + 2), theme.px(6) + step,
                                theme.px(6) + step);
    }
    painter.setPen(theme.color(Role::line));
    painter.setBrush(theme.color(Role::panel));
    painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(6), theme.px(6));
    int y = card.top() + pad / 2 + theme.px(2);
    for (qsizetype line = 0; line < lines.size(); ++line) {
        painter.setFont(line == 0 ? bold : body);
        painter.setPen(theme.color(line == 0 ? Role::text : Role::text_second));
        painter.drawText(QRect(card.left() + pad, y, card.width() - pad, leading), Qt::AlignLeft | Qt::AlignVCenter,
                         lines[line]);
        y += leading;
    }
    painter.restore();
}

}  // namespace synperf::ui
