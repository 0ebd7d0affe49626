// Mean errors of two models GPU by GPU, side by side.
#pragma once

#include <optional>

#include "training/retrain.h"
#include "views/picture_view.h"

namespace synperf::ui {

class ErrorBars : public PictureView {
    Q_OBJECT
public:
    explicit ErrorBars(QWidget* parent = nullptr);

    void setComparison(const ModelComparison& comparison, const QString& model);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ModelComparison> comparison_;
    QString model_;
};

}  // namespace synperf::ui
