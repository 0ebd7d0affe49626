#include "panels/value_field.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr double kPixelsPerStep = 4;

}  // namespace

ValueField::ValueField(QWidget* parent) : QAbstractSpinBox(parent), unit_(new QLabel(lineEdit())) {
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    setButtonSymbols(NoButtons);
    unit_->setProperty("look", "faint");
    unit_->setAttribute(Qt::WA_TransparentForMouseEvents);
    lineEdit()->installEventFilter(this);
    connect(lineEdit(), &QLineEdit::textEdited, this, &ValueField::edited);
    connect(&Theme::instance(), &Theme::changed, this, &ValueField::placeUnit);
}

void ValueField::setStepper(Stepper stepper) {
    stepper_ = std::move(stepper);
    setButtonSymbols(stepper_ ? UpDownArrows : NoButtons);
}

void ValueField::setUnit(const QString& unit) {
    unit_->setText(unit);
    placeUnit();
}

void ValueField::setPlaceholder(const QString& placeholder) {
    lineEdit()->setPlaceholderText(placeholder);
}

void ValueField::setShownText(const QString& text) {
    if (lineEdit()->text() != text) lineEdit()->setText(text);
}

void ValueField::setBad(bool bad) {
    if (property("bad").toBool() == bad) return;
    setProperty("bad", bad);
    style()->unpolish(this);
    style()->polish(this);
}

void ValueField::placeUnit() {
    unit_->adjustSize();
    const int width = unit_->text().isEmpty() ? 0 : unit_->width() + Theme::instance().px(5);
    lineEdit()->setTextMargins(0, 0, width, 0);
    unit_->move(lineEdit()->width() - unit_->width(), (lineEdit()->height() - unit_->height()) / 2);
}

void ValueField::stepBy(int steps) {
    if (!stepper_) return;
    const QString shown = lineEdit()->text().isEmpty() ? lineEdit()->placeholderText() : lineEdit()->text();
    const QString next = stepper_(shown, steps);
    if (next.isEmpty() || next == lineEdit()->text()) return;
    lineEdit()->setText(next);
    emit edited(next);
}

QValidator::State ValueField::validate(QString&, int&) const {
    return QValidator::Acceptable;
}

QAbstractSpinBox::StepEnabled ValueField::stepEnabled() const {
    return stepper_ ? StepUpEnabled | StepDownEnabled : StepEnabled(StepNone);
}

QSize ValueField::sizeHint() const {
    return {Theme::instance().px(144), QAbstractSpinBox::sizeHint().height()};
}
QSize ValueField::minimumSizeHint() const {
    return {Theme::instance().px(72), QAbstractSpinBox::sizeHint().height()};
}

namespace {

// Undo and redo mean the document's, also while a field has the focus: the line edit must not claim them for its own text.
bool is_undo_override(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    return key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
}

}  // namespace

// The focus is on the spin box, which hands what it gets to the line edit past any event filter.
bool ValueField::event(QEvent* event) {
    if (is_undo_override(event)) {
        event->ignore();
        return true;
    }
    return QAbstractSpinBox::event(event);
}

bool ValueField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) placeUnit();
    if (is_undo_override(event)) {
        event->ignore();
        return true;
    }
    return QAbstractSpinBox::eventFilter(watched, event);
}

void ValueField::wheelEvent(QWheelEvent* event) {
    // The wheel scrolls the form unless the user is in this field.
    if (hasFocus() && stepper_) {
        QAbstractSpinBox::wheelEvent(event);
    } else {
        event->ignore();
    }
}

DragLabel::DragLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {}

void DragLabel::setField(ValueField* field) {
    field_ = field;
    setBuddy(field);
    setCursor(Qt::SizeHorCursor);
}

void DragLabel::mousePressEvent(QMouseEvent* event) {
    last_x_ = event->globalPosition().x();
    if (field_ != nullptr) field_->setFocus();
    event->accept();
}

void DragLabel::mouseMoveEvent(QMouseEvent* event) {
    if (field_ == nullptr || !event->buttons().testFlag(Qt::LeftButton)) return;
    const int steps = static_cast<int>((event->globalPosition().x() - last_x_) / kPixelsPerStep);
    if (steps == 0) return;
    last_x_ += steps * kPixelsPerStep;
    field_->stepBy(steps);
}

QString step_integer(const QString& current, int steps, double low, double high) {
    bool is_number = false;
    const double value = static_cast<double>(current.toLongLong(&is_number));
    if (!is_number) return {};
    const double step = std::abs(value) < 64 ? 1.0 : std::exp2(std::floor(std::log2(std::abs(value) / 32)));
    // To the next multiple, so that 100 becomes 104 and then stays on the grid.
    const double from = steps > 0 ? std::floor(value / step) : std::ceil(value / step);
    return QString::number(static_cast<qint64>(std::clamp((from + steps) * step, low, high)));
}

QString step_real(const QString& current, int steps, double low, double high) {
    bool is_number = false;
    const double value = current.toDouble(&is_number);
    if (!is_number) return {};
    const double step = value == 0 ? 0.1 : std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
    return QString::number(std::clamp(value + steps * step, low, high), 'g', 6);
}

}  // namespace synperf::ui
