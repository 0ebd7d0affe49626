#include "panels/code_edit.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QToolTip>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kIndent = 2;  // spaces

class Margin : public QWidget {
public:
    explicit Margin(CodeEdit* edit) : QWidget(edit), edit_(edit) {}
    [[nodiscard]] QSize sizeHint() const override { return {edit_->marginWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { edit_->paintMargin(event); }

private:
    CodeEdit* edit_;
};

// Keys stand out; texts keep the text's colour, numbers and words have one of their own.
class JsonColours : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression token(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\"(\\s*:)?|\\b(?:true|false|null)\\b|-?\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\b"));
        const Theme& theme = Theme::instance();
        QTextCharFormat key, value;
        key.setForeground(theme.color(Role::accent));
        key.setFontWeight(QFont::DemiBold);
        value.setForeground(theme.color(Role::gain));
        for (auto found = token.globalMatch(line); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const bool text = match.captured(0).startsWith(QLatin1Char('"'));
            if (text && match.capturedLength(1) == 0) continue;
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength() - match.capturedLength(1)), text ? key : value);
        }
    }
};

}  // namespace

CodeEdit::CodeEdit(QWidget* parent) : QPlainTextEdit(parent), margin_(new Margin(this)) {
    setLineWrapMode(NoWrap);
    new JsonColours(document());
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeEdit::layOutMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy != 0) margin_->scroll(0, dy);
        else margin_->update(0, area.y(), margin_->width(), area.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeEdit::highlight);
    connect(&Theme::instance(), &Theme::changed, this, &CodeEdit::applyTheme);
    applyTheme();
}

void CodeEdit::applyTheme() {
    const Theme& theme = Theme::instance();
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPixelSize(theme.px(13));
    // The style sheet gives every widget the window's font; a sheet of its own has the last word.
    setStyleSheet(QStringLiteral("QPlainTextEdit { font-family: \"%1\"; font-size: %2px; } QAbstractScrollArea::corner { background: transparent; border: none; }").arg(fixed.family()).arg(theme.px(13)));
    setTabStopDistance(kIndent * QFontMetricsF(fixed).horizontalAdvance(QLatin1Char(' ')));
    for (QSyntaxHighlighter* colours : document()->findChildren<QSyntaxHighlighter*>()) colours->rehighlight();
    layOutMargin();
    highlight();
}

int CodeEdit::marginWidth() const {
    const qsizetype digits = std::max<qsizetype>(3, QString::number(blockCount()).size());
    return Theme::instance().px(14) + fontMetrics().horizontalAdvance(QLatin1Char('9')) * static_cast<int>(digits);
}

void CodeEdit::layOutMargin() {
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

void CodeEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    layOutMargin();
}

void CodeEdit::paintMargin(QPaintEvent* event) {
    const Theme& theme = Theme::instance();
    QPainter painter(margin_);
    painter.fillRect(event->rect(), theme.color(Role::panel));
    painter.setPen(theme.color(Role::line));
    painter.drawLine(margin_->width() - 1, event->rect().top(), margin_->width() - 1, event->rect().bottom());
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= event->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber() + 1;
        const bool wrong = line == error_line_;
        const QRectF row(0, top, margin_->width() - theme.px(6), height);
        if (wrong) painter.fillRect(QRectF(0, top, theme.px(3), height), theme.color(Role::loss));
        painter.setPen(theme.color(wrong ? Role::loss : line == textCursor().blockNumber() + 1 ? Role::text : Role::text_faint));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        top += height;
    }
}

void CodeEdit::setErrorLine(int line, const QString& message) {
    error_line_ = line;
    error_ = message;
    highlight();
    margin_->update();
}

void CodeEdit::goToLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return;
    setTextCursor(QTextCursor(block));
    centerCursor();
}

void CodeEdit::highlight() {
    QList<QTextEdit::ExtraSelection> marks;
    const auto mark = [&marks](const QTextCursor& at, QColor colour, int alpha) {
        QTextEdit::ExtraSelection selection;
        colour.setAlpha(alpha);
        selection.format.setBackground(colour);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.cursor = at;
        selection.cursor.clearSelection();
        marks << selection;
    };
    mark(textCursor(), Theme::instance().color(Role::line), 90);
    const QTextBlock wrong = document()->findBlockByNumber(error_line_ - 1);
    if (error_line_ > 0 && wrong.isValid()) mark(QTextCursor(wrong), Theme::instance().color(Role::loss), 50);
    setExtraSelections(marks);
    margin_->update();
}

// Saving while writing means this text, whatever else the window has on that key.
bool CodeEdit::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save)) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

// A new line starts where the one before does; Tab indents by spaces; Shift+Tab leaves the editor.
void CodeEdit::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Save)) {
        emit saveKeyPressed();
        return;
    }
    if (event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier) {
        insertPlainText(QString(kIndent, QLatin1Char(' ')));
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && event->modifiers() == Qt::NoModifier) {
        const QString line = textCursor().block().text().left(textCursor().positionInBlock());
        qsizetype indent = 0;
        while (indent < line.size() && line[indent] == QLatin1Char(' ')) ++indent;
        const QString trimmed = line.trimmed();
        if (trimmed.endsWith(QLatin1Char('{')) || trimmed.endsWith(QLatin1Char('['))) indent += kIndent;
        insertPlainText(QLatin1Char('\n') + QString(indent, QLatin1Char(' ')));
        ensureCursorVisible();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

bool CodeEdit::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPoint inside = viewport()->mapFromGlobal(help->globalPos());
        const bool on_error = error_line_ > 0 && cursorForPosition(inside).blockNumber() == error_line_ - 1;
        if (on_error) {
            QToolTip::showText(help->globalPos(), error_, this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QPlainTextEdit::viewportEvent(event);
}

}  // namespace synperf::ui
