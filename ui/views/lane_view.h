// One GPU of a comparison on the time axis that all of them share: its schedule, or its pipes over time, or a query's prefill and decode.
#pragma once

#include <QPixmap>
#include <optional>

#include "economics/ranking.h"
#include "views/picture_view.h"
#include "views/scene.h"

namespace synperf::ui {

/// What a lane draws.
struct Lane {
    QString name;
    ScenePtr scene{};                       ///< of a kernel
    std::optional<ServingResult> query{};   ///< of a workload
    std::optional<Estimate> latency{};      ///< unset: nothing to draw
    std::optional<Seconds> baseline{};      ///< unset for the baseline itself, or where it has no answer
};

class LaneView : public PictureView {
    Q_OBJECT
public:
    explicit LaneView(QWidget* parent = nullptr);

    void setLane(Lane lane);
    [[nodiscard]] const Lane& lane() const { return lane_; }
    /// The end of the axis, for all lanes.
    void setEnd(Seconds end);
    [[nodiscard]] Seconds end() const { return end_; }
    /// Pipes over time instead of the schedule.
    void setPipes(bool pipes);
    [[nodiscard]] bool pipes() const { return pipes_; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// Where time is drawn, in this widget.
    [[nodiscard]] QRect plot(QSize size) const;
    [[nodiscard]] double x(Seconds time, const QRect& plot) const;
    /// The picture as it was last painted, of one lane, size, pixel ratio, mode and theme: another key where it was painted anew.
    [[nodiscard]] qint64 paintedKey() const { return painted_.cacheKey(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QStringList describe() const;
    void drawSchedule(QPainter& painter, const QRect& plot) const;
    void drawPipes(QPainter& painter, const QRect& plot) const;
    void drawQuery(QPainter& painter, const QRect& plot) const;
    void drawLatency(QPainter& painter, const QRect& plot) const;

    Lane lane_;
    Seconds end_{1};
    bool pipes_ = false;
    QPixmap painted_;  ///< null where it is to be painted anew
};

/// The axis under the lanes.
class LaneAxis : public QWidget {
    Q_OBJECT
public:
    explicit LaneAxis(QWidget* parent = nullptr);
    /// The plot of the lanes, in this widget's x, and its end.
    void setScale(int left, int width, Seconds end);
    /// The colours of busy shares at its end.
    void setLegend(bool shown);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool legend_ = false;
    int left_ = 0, width_ = 0;
    Seconds end_{1};
};

inline constexpr double kSameChange = kSameShare;  ///< below, two latencies are shown as the same
/// "+437 µs, +234 %", "−82 µs, −44 %", or "the same".
[[nodiscard]] QString changeText(Seconds mine, Seconds standard);
/// Diagonals that fall to the right where time is lost, to the left where it is gained.
[[nodiscard]] QBrush changeBrush(bool loss);

}  // namespace synperf::ui
