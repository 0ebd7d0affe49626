// The cards of a comparison over one axis, as one picture: what is exported whole.
#pragma once

#include <vector>

#include "models/compare_worker.h"
#include "views/picture_view.h"

class QVBoxLayout;

namespace synperf::ui {

class CompareCard;
class LaneAxis;

class ComparisonBoard : public PictureView {
    Q_OBJECT
public:
    explicit ComparisonBoard(QWidget* parent = nullptr);

    void setComparison(ComparisonPtr comparison);
    [[nodiscard]] CompareCard& card(std::size_t index) { return *cards_[index]; }
    [[nodiscard]] std::size_t count() const { return count_; }
    /// What the axis of all lanes ends at.
    [[nodiscard]] Seconds end() const { return end_; }
    void setNarrow(bool narrow);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    void setDimmed(bool dimmed) override;
    [[nodiscard]] QSize sizeHint() const override { return QWidget::sizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override { return QWidget::minimumSizeHint(); }

signals:
    // Of the GPU on the card, by its id.
    void pinRequested(const std::string& id);
    void removeRequested(const std::string& id);
    void moveRequested(const std::string& id, int by);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void placeAxis();
    CompareCard* makeCard();

    ComparisonPtr comparison_;
    std::vector<CompareCard*> cards_;
    std::size_t count_ = 0;
    Seconds end_{1};
    bool narrow_ = false;
    QVBoxLayout* column_;
    LaneAxis* axis_;
};

/// "GEMM 4096 x 4096 x 4096, bf16"
[[nodiscard]] QString callTitle(const KernelFamily& family, const Params& params);

}  // namespace synperf::ui
