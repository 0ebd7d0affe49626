// What a deployment keeps in the fullest GPU's memory, part by part, against what may be used.
#pragma once

#include <optional>

#include "serving/memory_fit.h"
#include "views/picture_view.h"

namespace synperf::ui {

class MemoryView : public PictureView {
    Q_OBJECT
public:
    explicit MemoryView(QWidget* parent = nullptr);

    /// `runs`: requests may wait for memory, so that not all of them must fit at once.
    /// `largest` sequences fit in all copies of the model.
    void setFit(const MemoryFit& fit, bool runs, std::int64_t largest);
    [[nodiscard]] const std::optional<MemoryFit>& fit() const { return fit_; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<MemoryFit> fit_;
    bool runs_ = true;
    std::int64_t largest_ = 0;
};

/// "20.8 GB", as datasheets count.
[[nodiscard]] QString gigabytesText(double bytes);

}  // namespace synperf::ui
