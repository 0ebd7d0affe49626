// What a latency is sensitive to: each field alone 20 % down and up, the one that matters most on top.
#pragma once

#include <vector>

#include "economics/gpu_design.h"
#include "views/picture_view.h"

namespace synperf::ui {

class TornadoView : public PictureView {
    Q_OBJECT
public:
    explicit TornadoView(QWidget* parent = nullptr);

    void setSensitivities(const QString& gpu, std::vector<Sensitivity> all);
    [[nodiscard]] const std::vector<Sensitivity>& sensitivities() const { return all_; }
    /// Of a row: the bar with less of it, the bar with more.
    [[nodiscard]] QRectF barRect(std::size_t row, bool more, QSize size) const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF plot(QSize size) const;

    QString gpu_;
    std::vector<Sensitivity> all_;
    QPointF mouse_{-1, -1};
};

}  // namespace synperf::ui
