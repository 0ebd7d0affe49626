// SM x pipe: how busy every pipe of every SM is over the whole kernel.
#pragma once

#include "models/selection.h"
#include "views/picture_view.h"
#include "views/row_layout.h"
#include "views/scene.h"

namespace synperf::ui {

class PipeMapView : public PictureView {
    Q_OBJECT
public:
    explicit PipeMapView(Selection& selection, QWidget* parent = nullptr);

    void setScene(ScenePtr scene);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;

    [[nodiscard]] QRect plotRect() const;
    /// Where a pipe's column is drawn.
    [[nodiscard]] QRect columnRect(Pipe pipe) const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] std::optional<Pipe> pipeAt(QPointF at) const;
    [[nodiscard]] RowLayout rows() const;

    Selection& selection_;
    ScenePtr scene_;
    std::vector<PerPipe<double>> shares_;  // by SM
    QPointF mouse_{-1, -1};
};

}  // namespace synperf::ui
