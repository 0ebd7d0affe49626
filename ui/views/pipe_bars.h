// How busy each pipe of one GPU is, as a few bars: small, for rows of GPUs.
#pragma once

#include <optional>
#include <vector>

#include "economics/kernel_comparison.h"
#include "views/picture_view.h"

namespace synperf::ui {

class PipeBars : public PictureView {
    Q_OBJECT
public:
    explicit PipeBars(QWidget* parent = nullptr);

    /// `shown` are the pipes that have a bar, the same in every row.
    void setShares(const QString& gpu, const PerPipe<double>& busy, std::vector<Pipe> shown);
    void clear();
    [[nodiscard]] QRectF barRect(std::size_t at, QSize size) const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString gpu_;
    PerPipe<double> busy_{};
    std::vector<Pipe> shown_;
};

/// "T", "F", "X", "S", "L2", "D": a pipe where there is room for no more.
[[nodiscard]] QString pipeLetter(Pipe pipe);

}  // namespace synperf::ui
