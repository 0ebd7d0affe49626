// One iteration on the time axis: kernels and messages of every layer and pipeline stage, computation and communication in lanes of their own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/serving_worker.h"
#include "views/picture_view.h"
#include "views/time_axis.h"

namespace synperf::ui {

class ScheduleView : public PictureView {
    Q_OBJECT
public:
    explicit ScheduleView(QWidget* parent = nullptr);

    void setSchedule(std::shared_ptr<const ServingStep> step);
    /// Names of the lanes that are drawn, from the top.
    [[nodiscard]] QStringList laneNames() const;
    /// Middle of an entry's bar.
    [[nodiscard]] QPointF entryCentre(std::size_t entry) const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// A double click or Enter on a kernel.
    void operatorOpened(const synperf::OperatorTime& chosen);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Lane {
        Stream stream;
        int stage;
        std::vector<std::size_t> entries;  ///< by start; they never overlap
    };
    [[nodiscard]] const StepSchedule* schedule() const { return step_ && step_->schedule ? &*step_->schedule : nullptr; }
    [[nodiscard]] QString laneName(const Lane& lane) const;
    [[nodiscard]] QRectF plot(QSize size) const;
    [[nodiscard]] QRectF laneRect(const QRectF& plot, std::size_t lane) const;
    void drawLane(QPainter& painter, const QRectF& plot, const TimeAxis& axis, std::size_t lane) const;
    [[nodiscard]] std::optional<std::size_t> at(QPointF position) const;
    [[nodiscard]] QStringList describe(std::size_t entry) const;
    void walk(int step);
    void open(std::optional<std::size_t> entry);

    std::shared_ptr<const ServingStep> step_;
    std::vector<Lane> lanes_;
    std::vector<int> shades_;  ///< of the operators
    TimeAxis axis_;            ///< in microseconds
    std::optional<std::size_t> current_, hovered_;
    QPointF mouse_, press_;
    bool dragging_ = false;
};

}  // namespace synperf::ui
