// A field for one number or list: typed text, arrows that repeat while held, a unit inside, a label that drags.
#pragma once

#include <QAbstractSpinBox>
#include <QLabel>
#include <functional>

namespace synperf::ui {

/// Reports text as it is typed and never refuses any: what is wrong is said beside the field, not by a dead key.
class ValueField : public QAbstractSpinBox {
    Q_OBJECT
public:
    /// Text `steps` further than `current`, or an empty text where there is no step.
    using Stepper = std::function<QString(const QString& current, int steps)>;

    explicit ValueField(QWidget* parent = nullptr);

    /// Without a stepper the field has no arrows.
    void setStepper(Stepper stepper);
    void setUnit(const QString& unit);
    void setPlaceholder(const QString& placeholder);
    /// Shows `text` without reporting it.
    void setShownText(const QString& text);
    void setBad(bool bad);

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& pos) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void edited(const QString& text);

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void placeUnit();

    Stepper stepper_;
    QLabel* unit_;
};

/// A field's name; dragging it sideways steps the field.
class DragLabel : public QLabel {
    Q_OBJECT
public:
    explicit DragLabel(const QString& text, QWidget* parent = nullptr);
    void setField(ValueField* field);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    ValueField* field_ = nullptr;
    double last_x_ = 0;
};

/// Steps a whole number in [low, high]: by 1 below 64, above it by a power of two near 1/32 of it, so that tile
/// multiples stay so.
[[nodiscard]] QString step_integer(const QString& current, int steps, double low, double high);
/// Steps a real number in [low, high] by its second significant digit.
[[nodiscard]] QString step_real(const QString& current, int steps, double low, double high);

}  // namespace synperf::ui
