// The Kernel workspace: the answer, the timeline, where each pipe is busy, roofline and sweep.
#pragma once

#include <QAction>
#include <QButtonGroup>
#include <QPointer>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QWidget>
#include <memory>

#include "models/document.h"
#include "models/selection.h"
#include "panels/details_panel.h"
#include "panels/latency_card.h"
#include "panels/why_panel.h"
#include "views/pipe_map_view.h"
#include "views/roofline_view.h"
#include "views/sweep_view.h"
#include "views/time_map_view.h"
#include "views/timeline_view.h"
#include "views/transport_bar.h"

namespace synperf::ui {

class KernelWorkspace : public QWidget {
    Q_OBJECT
public:
    KernelWorkspace(Document& document, Selection& selection, QWidget* parent = nullptr);
    ~KernelWorkspace() override;

    /// `scenario` is what was explained; the document may be edits ahead.
    void setExplanation(std::shared_ptr<const Explanation> explanation, const Scenario& scenario);
    /// The last good pictures stay, dimmed; the message goes where the answer's provenance was.
    void setError(const QString& message);
    void setWhatIfs(std::vector<WhatIf> changes);
    void setSweep(std::size_t paramIndex, std::vector<Predictor::SweepPoint> points);

    /// For docks of the window. The workspace owns them until a dock does.
    [[nodiscard]] QWidget* detailsPanel() { return details_.data(); }
    [[nodiscard]] QWidget* whyPanel() { return why_.data(); }
    /// For the window's View menu: a submenu a picture.
    [[nodiscard]] QList<QAction*> viewActions();

    [[nodiscard]] TimelineView& timeline() { return *timeline_; }
    [[nodiscard]] LatencyCard& latencyCard() { return *latency_; }
    [[nodiscard]] SweepView& sweep() { return *sweep_; }
    void showSweep(bool shown);

signals:
    void whatIfRequested(const synperf::WhatIf& change);
    void sweepRequested(std::size_t paramIndex, std::vector<double> values);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildCharts();
    void refreshPins();
    void reflow();
    void setDimmed(bool dimmed);

    Document& document_;
    Selection& selection_;
    ScenePtr scene_;
    const KernelFamily* family_ = nullptr;  // of the scene; its pipe is chosen once
    QList<QAction*> menus_;
    QScrollArea* scroll_;
    QWidget* page_;
    QSplitter* rows_;
    QSplitter* bottom_;
    LatencyCard* latency_;
    TimelineView* timeline_;
    TransportBar* transport_;
    PipeMapView* pipe_map_;
    TimeMapView* time_map_;
    RooflineView* roofline_;
    SweepView* sweep_;
    Card* charts_;
    QStackedWidget* chart_stack_;
    QButtonGroup* chart_tabs_;
    QPointer<DetailsPanel> details_;  // top-level until a dock takes them
    QPointer<WhyPanel> why_;
};

}  // namespace synperf::ui
