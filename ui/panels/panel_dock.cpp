#include "panels/panel_dock.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

QToolButton* small_button(const char* icon, const QString& name) {
    auto* button = new QToolButton;
    button->setIcon(QIcon(QLatin1String(icon)));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

}  // namespace

PanelDock::PanelDock(const QString& name, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent) {
    setObjectName(name);
    setFeatures(DockWidgetMovable | DockWidgetFloatable | DockWidgetClosable);
    const Theme& theme = Theme::instance();

    auto* bar = new QWidget;
    bar->setObjectName(QStringLiteral("dockTitle"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(theme.px(kGap), theme.px(8), theme.px(6), theme.px(6));
    auto* label = new QLabel(title);
    label->setProperty("look", "heading");
    row->addWidget(label, 1);
    auto* float_button = small_button(":/theme/float.svg", tr("Float or dock %1").arg(title));
    auto* close_button = small_button(":/theme/close.svg", tr("Close %1").arg(title));
    row->addWidget(float_button);
    row->addWidget(close_button);
    connect(float_button, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(close_button, &QToolButton::clicked, this, &QDockWidget::close);
    connect(this, &QDockWidget::windowTitleChanged, label, &QLabel::setText);
    // A panel's own title says what it shows now ("Why 186 µs"); the dock keeps its name in menus.
    connect(content, &QWidget::windowTitleChanged, label, &QLabel::setText);
    setTitleBarWidget(bar);

    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("dockBody"));
    body->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(body);
    // Inside the rounded border.
    layout->setContentsMargins(1, 0, 1, theme.px(6));
    auto* scroll = qobject_cast<QScrollArea*>(content);
    if (scroll == nullptr) {
        // A panel taller than its dock scrolls; it never pushes its neighbour away.
        scroll = new QScrollArea;
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setWidgetResizable(true);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        scroll->setFocusPolicy(Qt::NoFocus);
        content->setProperty("look", "page");
        scroll->setWidget(content);
    }
    layout->addWidget(scroll);
    content->show();
    setWidget(body);
    setAccessibleName(title);
}

}  // namespace synperf::ui
