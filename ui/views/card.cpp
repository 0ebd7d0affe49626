#include "views/card.h"

#include <QEvent>
#include <QFontMetrics>

#include "theme/theme.h"

namespace synperf::ui {

ElidedLabel::ElidedLabel(const QString& look, QWidget* parent) : QLabel(parent) {
    setProperty("look", look);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == full_) return;
    full_ = text;
    updateGeometry();
    elide();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {0, QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(full_) + 2, fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        updateGeometry();
        elide();
    }
}

void ElidedLabel::elide() {
    constexpr qsizetype kWorthShowing = 8;  // characters; a stump of a word says nothing
    QString shown = fontMetrics().elidedText(full_, Qt::ElideRight, width());
    if (shown != full_ && shown.size() < kWorthShowing) shown.clear();
    if (shown != text()) setText(shown);
    setToolTip(shown == full_ ? QString() : full_);
    setAccessibleName(full_);
}

Card::Card(QWidget* parent)
    : QFrame(parent),
      header_(new QHBoxLayout),
      body_(new QVBoxLayout),
      title_(new ElidedLabel("heading", this)),
      caption_(new ElidedLabel("second", this)) {
    const Theme& theme = Theme::instance();
    setProperty("look", "panel");
    caption_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    header_->setSpacing(theme.px(10));
    header_->addWidget(title_);
    header_->addStretch(1);
    header_->addWidget(caption_, 1000);
    body_->setContentsMargins(0, 0, 0, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(14), theme.px(10), theme.px(14), theme.px(8));
    column->setSpacing(theme.px(8));
    column->addLayout(header_);
    column->addLayout(body_, 1);
}

Card::Card(PictureView* view, QWidget* parent) : Card(parent) {
    body_->addWidget(view, 1);
    const auto follow = [this, view] {
        setTitle(view->title());
        setCaption(view->caption());
    };
    connect(view, &PictureView::captionChanged, this, follow);
    follow();
}

}  // namespace synperf::ui
