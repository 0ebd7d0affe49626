#include "panels/message_bar.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

#include "theme/theme.h"

namespace synperf::ui {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), text_(new QLabel) {
    setProperty("look", "panel");
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Theme::instance().px(12), Theme::instance().px(6), Theme::instance().px(6),
                               Theme::instance().px(6));
    text_->setWordWrap(true);
    // Messages carry file contents: they are never markup.
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setAccessibleName(tr("Message"));
    layout->addWidget(text_, 1);
    auto* close = new QToolButton;
    close->setIcon(QIcon(QStringLiteral(":/theme/close.svg")));
    close->setProperty("look", "quiet");
    close->setAccessibleName(tr("Dismiss the message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::show(Kind kind, const QString& text) {
    text_->setProperty("look", kind == Kind::error ? "error" : "second");
    text_->style()->unpolish(text_);
    text_->style()->polish(text_);
    text_->setText(text);
    setVisible(!text.isEmpty());
}

QString MessageBar::text() const {
    return isHidden() ? QString() : text_->text();
}

}  // namespace synperf::ui
