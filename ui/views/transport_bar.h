// Plays the timeline: play, step CTA by CTA in start order, scrub, speed.
#pragma once

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include "models/selection.h"
#include "views/card.h"
#include "views/scene.h"

namespace synperf::ui {

class TransportBar : public QWidget {
    Q_OBJECT
public:
    explicit TransportBar(Selection& selection, QWidget* parent = nullptr);

    void setScene(ScenePtr scene);
    [[nodiscard]] bool playing() const { return timer_.isActive(); }
    [[nodiscard]] QList<QAction*> transportActions() const { return actions_; }

public slots:
    void togglePlaying();
    /// Moves the playhead to the start of the next (+1) or previous (-1) CTA in start order and selects it.
    void step(int direction);

private:
    void advance();
    void stop();
    void follow();
    void drawIcons();

    Selection& selection_;
    ScenePtr scene_;
    QTimer timer_;
    QElapsedTimer clock_;
    QList<QAction*> actions_;
    QToolButton* back_;
    QToolButton* play_;
    QToolButton* next_;
    QSlider* slider_;
    ElidedLabel* time_;
    QComboBox* speed_;
    QToolButton* unit_;
};

}  // namespace synperf::ui
