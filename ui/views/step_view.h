// The kernels of one iteration in order, each as a bar where it lies in the step; Enter opens one.
#pragma once

#include <optional>
#include <vector>

#include "serving/step_time.h"
#include "views/picture_view.h"

namespace synperf::ui {

class StepView : public PictureView {
    Q_OBJECT
public:
    explicit StepView(QWidget* parent = nullptr);

    /// `name` says which step it is.
    void setStep(const QString& name, const StepTime& step);
    void clear();
    [[nodiscard]] const std::vector<OperatorTime>& rows() const { return rows_; }
    [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
    void setCurrent(std::size_t row);
    [[nodiscard]] QRectF rowRect(std::size_t row) const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// A double click or Enter on a row with a kernel behind it.
    void operatorOpened(std::size_t row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::size_t> at(QPointF position) const;
    void open(std::optional<std::size_t> row);

    QString name_;
    StepTime step_;
    std::vector<OperatorTime> rows_;
    std::vector<int> shades_;
    std::optional<std::size_t> current_, hovered_;
    QPointF mouse_;
};

}  // namespace synperf::ui
