// The one shared selection: what is hovered, selected and how the time axis stands. Views read and write this, never
// each other.
#pragma once

#include <QObject>
#include <optional>

#include "schedule/timeline.h"

namespace synperf::ui {

/// A stretch of simulated time, in cycles.
struct TimeRange {
    double begin = 0, end = 0;
    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

enum class TimeUnit : std::uint8_t { microseconds, cycles };

class Selection : public QObject {
    Q_OBJECT
public:
    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] std::optional<TaskRef> hovered() const { return hovered_; }
    [[nodiscard]] std::optional<TaskRef> selected() const { return selected_; }
    [[nodiscard]] std::optional<int> hoveredSm() const { return hovered_sm_; }
    [[nodiscard]] std::optional<TimeRange> range() const { return range_; }  ///< the user's measured range
    [[nodiscard]] TimeRange visible() const { return visible_; }  ///< the time axis of timeline and SM x time map
    [[nodiscard]] std::optional<double> playhead() const { return playhead_; }  ///< scrub position, cycles
    [[nodiscard]] Pipe pipe() const { return pipe_; }                           ///< pipe of the SM x time map
    [[nodiscard]] TimeUnit unit() const { return unit_; }

public slots:
    void setHovered(std::optional<synperf::TaskRef> task);
    void setSelected(std::optional<synperf::TaskRef> task);
    void setHoveredSm(std::optional<int> sm);
    void setRange(std::optional<synperf::ui::TimeRange> range);
    void setVisible(synperf::ui::TimeRange range);
    void setPlayhead(std::optional<double> time);
    void setPipe(synperf::Pipe pipe);
    void setUnit(synperf::ui::TimeUnit unit);

signals:
    void hoverChanged();
    void selectedChanged();
    void rangeChanged();
    void visibleChanged();
    void playheadChanged();
    void pipeChanged();
    void unitChanged();

private:
    std::optional<TaskRef> hovered_, selected_;
    std::optional<int> hovered_sm_;
    std::optional<TimeRange> range_;
    TimeRange visible_;
    std::optional<double> playhead_;
    Pipe pipe_ = Pipe::tensor;
    TimeUnit unit_ = TimeUnit::microseconds;
};

}  // namespace synperf::ui
