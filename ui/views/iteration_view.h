// The iterations of a run of requests on a time axis: steps with prompts and steps that only decode, a lane each.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "serving/static_batch.h"
#include "views/picture_view.h"
#include "views/time_axis.h"

namespace synperf::ui {

class IterationView : public PictureView {
    Q_OBJECT
public:
    explicit IterationView(QWidget* parent = nullptr);

    void setIterations(std::vector<Iteration> iterations);
    [[nodiscard]] const std::vector<Iteration>& iterations() const { return *iterations_; }
    [[nodiscard]] std::optional<std::size_t> selected() const { return selected_; }
    /// Shows it where it is out of sight.
    void select(std::size_t iteration);
    [[nodiscard]] TimeRange visible() const { return axis_.visible(); }  ///< in microseconds
    /// Middle of an iteration's bar.
    [[nodiscard]] QPointF barCentre(std::size_t iteration) const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void selectedChanged(std::size_t iteration);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag : std::uint8_t { none, pressed, pan };
    [[nodiscard]] QRectF plot(QSize size) const;
    [[nodiscard]] QRectF lane(const QRectF& plot, bool prefill) const;
    [[nodiscard]] std::optional<std::size_t> at(QPointF position) const;
    [[nodiscard]] TimeRange span(std::size_t iteration) const;
    [[nodiscard]] QStringList describe(std::size_t iteration) const;
    void drawLane(QPainter& painter, const QRectF& plot, const TimeAxis& axis, bool prefill) const;
    void drawAxis(QPainter& painter, const QRectF& plot, const TimeAxis& axis) const;
    void fit(std::size_t iteration);
    void walk(int step);
    void pan(double pixels);

    std::shared_ptr<const std::vector<Iteration>> iterations_ = std::make_shared<const std::vector<Iteration>>();
    TimeAxis axis_;
    std::optional<std::size_t> selected_, hovered_;
    QPointF mouse_, press_;
    Drag drag_ = Drag::none;
};

}  // namespace synperf::ui
