// Why the latency is what it is, as a sum; and what would change it, each line one click away.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "prediction/predictor.h"

namespace synperf::ui {

/// One part: name left, time right, a bar under both.
class PartRow : public QWidget {
    Q_OBJECT
public:
    explicit PartRow(QWidget* parent = nullptr);
    /// `share` of the latency; below 0 it is drawn back from the right end. A full bar is `full_share`, the sum of all that adds. A total
    /// has no bar.
    void setPart(const Part& part, double share, double full_share, bool total);
    [[nodiscard]] QString text() const { return label_ + QStringLiteral(": ") + time_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    /// The name as it is drawn at this width: in a narrow panel on two lines.
    [[nodiscard]] QStringList shownLabel(int width) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QFont font() const;
    [[nodiscard]] int labelWidth(int width) const;

    QString label_, time_;
    double share_ = 0;  ///< of the bar, -1..1
    PartKind kind_ = PartKind::pipe;
    bool total_ = false;
};

/// Scrolls where the dock is lower than its content; its window title is its heading.
class WhyPanel : public QScrollArea {
    Q_OBJECT
public:
    /// As wide as its contents need, so that no number is cut behind the scroll bar.
    [[nodiscard]] QSize minimumSizeHint() const override;
    explicit WhyPanel(QWidget* parent = nullptr);

    void setExplanation(std::shared_ptr<const Explanation> explanation);
    void setWhatIfs(std::vector<WhatIf> changes);
    /// The parts as plain lines, the sum last.
    [[nodiscard]] QStringList partTexts() const;

signals:
    void whatIfRequested(const synperf::WhatIf& change);

private:
    struct ChangeRow {
        QWidget* box;
        QLabel* label;
        QLabel* change;
        QPushButton* link;
    };
    ChangeRow& changeRow(std::size_t index);
    void refreshChanges();

    std::shared_ptr<const Explanation> explanation_;
    std::vector<WhatIf> changes_;
    QVBoxLayout* parts_layout_;
    std::vector<PartRow*> parts_;
    QFrame* divider_;
    QLabel* changes_heading_;
    QVBoxLayout* changes_layout_;
    std::vector<ChangeRow> change_rows_;
};

}  // namespace synperf::ui
