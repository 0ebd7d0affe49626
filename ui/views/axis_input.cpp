#include "views/axis_input.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace synperf::ui {

namespace {

constexpr double kWheelZoom = 1.2, kKeyZoom = 1.5, kNotch = 120;
constexpr double kPan = 0.1;  // of the width

}  // namespace

bool axisKey(TimeAxis& axis, int key, double fixed_pixel) {
    switch (key) {
        case Qt::Key_W:
        case Qt::Key_Plus: axis.zoomAt(fixed_pixel, kKeyZoom); return true;
        case Qt::Key_S:
        case Qt::Key_Minus: axis.zoomAt(fixed_pixel, 1 / kKeyZoom); return true;
        case Qt::Key_A:
        case Qt::Key_Left: axis.panBy(-kPan * axis.width()); return true;
        case Qt::Key_D:
        case Qt::Key_Right: axis.panBy(kPan * axis.width()); return true;
        case Qt::Key_Home: axis.fitAll(); return true;
        default: return false;
    }
}

bool axisWheel(TimeAxis& axis, const QWheelEvent& event, double x) {
    const QPoint delta = event.angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / kNotch;
    if (event.modifiers() & Qt::ControlModifier) {
        axis.zoomAt(x, std::pow(kWheelZoom, notches));
        return true;
    }
    if (!(event.modifiers() & Qt::ShiftModifier) && delta.y() != 0) return false;
    axis.panBy(-notches * kPan * axis.width());
    return true;
}

bool isAxisKey(int key) {
    static constexpr std::array kOwn{Qt::Key_W, Qt::Key_S, Qt::Key_A, Qt::Key_D, Qt::Key_F, Qt::Key_Home, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Comma, Qt::Key_Period};
    return std::ranges::find(kOwn, key) != kOwn.end();
}

}  // namespace synperf::ui
