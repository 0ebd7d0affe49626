// Cost of a query against its time, both logarithmic: one point a plan, bars for price range and latency interval, the front dashed.
#pragma once

#include <optional>
#include <vector>

#include "models/cost_worker.h"
#include "theme/theme.h"
#include "views/picture_view.h"

namespace synperf::ui {

class CostChartView : public PictureView {
    Q_OBJECT
public:
    explicit CostChartView(QWidget* parent = nullptr);

    void setOutcome(CostOutcomePtr outcome);
    /// A plan of the ranking, by its place in it; the table's row is the same one.
    void select(std::optional<std::size_t> plan);
    [[nodiscard]] std::optional<std::size_t> selected() const { return selected_; }
    /// Where a plan's point is in this widget; unset for one without times or price.
    [[nodiscard]] std::optional<QPointF> pointOf(std::size_t plan) const;
    /// What the hover card says.
    [[nodiscard]] QStringList describe(std::size_t plan) const;
    /// Rectangles of the labels as they are drawn at this size, in the order of the plans that are drawn.
    [[nodiscard]] std::vector<QRectF> labelRects() const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    /// The same in the colours of paper, on whatever theme.
    void drawOnPaper(QPainter& painter, QSize size);
    [[nodiscard]] TableData table() const override;

signals:
    void planChosen(std::size_t plan);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Axis {
        double low = 0, high = 1, from = 0, to = 1;  ///< log10 of the values; pixels
        [[nodiscard]] double at(double value) const;
    };
    struct Mark {
        std::size_t plan = 0;
        QPointF at;
        double left = 0, right = 0, top = 0, bottom = 0;  ///< ends of the bars
        bool meets = false;
        QString label;
        QRectF label_rect;
    };
    struct Layout {
        QRectF plot;
        Axis x, y;
        std::vector<Mark> marks;
    };
    [[nodiscard]] Layout layout(QSize size) const;
    void placeLabels(Layout& layout) const;
    void drawAxes(QPainter& painter, const Layout& layout) const;
    void drawMarks(QPainter& painter, const Layout& layout) const;
    [[nodiscard]] std::optional<std::size_t> planAt(QPointF at) const;

    [[nodiscard]] QColor color(Role role) const;

    CostOutcomePtr outcome_;
    bool on_paper_ = false;
    QStringList names_;
    std::optional<std::size_t> selected_, hovered_;
    QPoint hover_at_;
};

}  // namespace synperf::ui
