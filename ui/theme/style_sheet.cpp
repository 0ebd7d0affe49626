#include "theme/style_sheet.h"

#include <array>
#include <utility>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

// @name is a role's colour, #12# is a length of 12 at scale 1.
constexpr const char* kSheet = R"(
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @window; width: #12#px; height: #12#px; }
QToolTip { background: @panel; color: @text; border: 1px solid @line; padding: #4#px #6#px; }

QFrame[look="panel"] { background: @panel; border: 1px solid @line; border-radius: #8#px; }
QFrame[look="line"] { background: @line; border: none; max-height: 1px; min-height: 1px; }
QScrollArea, QScrollArea > QWidget > QWidget[look="page"] { background: transparent; border: none; }

QLabel { background: transparent; }
QLabel[look="answer"] { font-size: #40#px; font-weight: 600; }
QLabel[look="key"] { font-size: #17#px; font-weight: 600; }
QLabel[look="heading"] { font-size: #13#px; font-weight: 600; }
QLabel[look="caption"] { font-size: #11#px; color: @text_second; }
QLabel[look="second"] { color: @text_second; }
QLabel[look="faint"] { color: @text_faint; font-size: #11.5#px; }
QLabel[look="hint"] { color: @loss; font-size: #11.5#px; }
QLabel[look="error"] { color: @loss; font-size: #11.5#px; font-weight: 600; }

QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit {
  background: @field; color: @text; border: 1px solid @line; border-radius: #5#px;
  padding: #3#px #6#px; selection-background-color: @accent; selection-color: @panel; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus { border: 1px solid @focus; }
QLineEdit[bad="true"], QAbstractSpinBox[bad="true"] { border: 1px solid @loss; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: @text_faint; }
QAbstractSpinBox { padding-right: #18#px; }
QAbstractSpinBox QLineEdit { background: transparent; border: none; padding: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  subcontrol-origin: border; width: #16#px; border: none; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @line; }
QAbstractSpinBox::up-arrow { image: url(:/theme/up.svg); width: #9#px; height: #9#px; }
QAbstractSpinBox::down-arrow { image: url(:/theme/down.svg); width: #9#px; height: #9#px; }
QComboBox::drop-down { border: none; width: #18#px; }
QComboBox::down-arrow { image: url(:/theme/down.svg); width: #10#px; height: #10#px; }
QComboBox QAbstractItemView { background: @panel; color: @text; border: 1px solid @line; outline: none;
  selection-background-color: @accent; selection-color: @panel; }
QComboBox[look="card"] { font-size: #13#px; font-weight: 600; padding: #6#px #10#px; }

QCheckBox { spacing: #6#px; }
QCheckBox::indicator { width: #14#px; height: #14#px; border: 1px solid @text_faint; border-radius: #3#px; background: @field; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/theme/check.svg); }
QCheckBox:focus { color: @focus; }

QPushButton, QToolButton { background: @panel; color: @text; border: 1px solid @line; border-radius: #5#px; padding: #4#px #12#px; }
QPushButton:hover, QToolButton:hover { background: @field; }
QPushButton:focus, QToolButton:focus { border-color: @focus; }
QPushButton:default { border-color: @accent; color: @accent; font-weight: 600; }
QPushButton:disabled, QToolButton:disabled { color: @text_faint; }
QToolButton[look="card"], QPushButton[look="card"] { background: @field; padding: #8#px #10#px; text-align: left; }
QToolButton[look="card"]:hover, QPushButton[look="card"]:hover { border-color: @text_faint; }
QToolButton[look="link"], QPushButton[look="link"] { background: transparent; border: 1px solid transparent; color: @accent; padding: #1#px #3#px; text-align: left; }
QPushButton[look="warning"] { background: transparent; border: 1px solid transparent; color: @loss; padding: #1#px #3#px; text-align: left; }
QPushButton[look="warning"]:focus { border-color: @focus; }
QToolButton[look="link"]:focus, QPushButton[look="link"]:focus { border-color: @focus; }
QToolButton[look="quiet"], QPushButton[look="quiet"] { background: transparent; border: 1px solid transparent; color: @text_second; padding: #2#px #6#px; text-align: left; }
QToolButton[look="quiet"]:hover, QPushButton[look="quiet"]:hover { color: @text; background: @field; }
QToolButton[look="quiet"]:focus, QPushButton[look="quiet"]:focus { border-color: @focus; }
QToolButton[look="quiet"]:checked { background: @field; color: @text; border-color: @line; }
QToolButton::menu-indicator { image: none; }
QPushButton[look="search"] { background: @field; color: @text_second; text-align: left; padding: #3#px #10#px; }

QMenuBar { background: @panel; color: @text; }
QMenuBar::item { padding: #4#px #9#px; background: transparent; }
QMenuBar::item:selected { background: @field; color: @accent; }
QMenu { background: @panel; color: @text; border: 1px solid @line; padding: #4#px; }
QMenu::item { padding: #4#px #26#px #4#px #22#px; border-radius: #4#px; }
QMenu::item:selected { background: @accent; color: @panel; }
QMenu::item:disabled { color: @text_faint; }
QMenu::separator { height: 1px; background: @line; margin: #4#px #6#px; }

QToolBar { background: @panel; border: none; border-bottom: 1px solid @line; spacing: #4#px; padding: 0 #12#px; }
QToolBar QToolButton { background: transparent; border: none; border-bottom: #2#px solid transparent; border-radius: 0;
  color: @text_second; padding: #6#px #8#px #5#px #8#px; }
QToolBar QToolButton:checked { color: @accent; border-bottom: #2#px solid @accent; font-weight: 600; }
QToolBar QToolButton:focus { color: @text; }
QStatusBar { background: @panel; color: @text_second; border-top: 1px solid @line; font-size: #12#px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @text_second; font-size: #12#px; padding: #2#px #6#px; }

QDockWidget { color: @text; font-weight: 600; titlebar-close-icon: url(:/theme/close.svg); titlebar-normal-icon: url(:/theme/float.svg); }
QWidget#dockTitle { background: @panel; border: 1px solid @line; border-bottom: none;
  border-top-left-radius: #8#px; border-top-right-radius: #8#px; }
QWidget#dockBody { background: @panel; border: 1px solid @line; border-top: none;
  border-bottom-left-radius: #8#px; border-bottom-right-radius: #8#px; }
QWidget#dockTitle QToolButton { border: none; background: transparent; padding: #2#px; }
QWidget#dockTitle QToolButton:hover, QWidget#dockTitle QToolButton:focus { background: @line; }

QTabBar::tab { background: transparent; color: @text_second; padding: #6#px #12#px; border: none; border-bottom: #2#px solid transparent; }
QTabBar::tab:selected { color: @accent; border-bottom: #2#px solid @accent; }
QTabWidget::pane { border: none; }
QTableView, QListView, QTreeView { background: @panel; alternate-background-color: @field; color: @text; border: 1px solid @line;
  border-radius: #5#px; gridline-color: @line; selection-background-color: @accent; selection-color: @panel; outline: none; }
QListView::item { padding: #4#px #6#px; }
QListView[look="plain"] { border: none; background: transparent; }
QListView[look="plain"]::item:hover { background: @field; }
QTableView[look="plain"] { border: none; }
QTableView[look="plain"] QHeaderView::section { background: @panel; color: @text_faint; font-size: #11.5#px; font-weight: 600; padding: #4#px #8#px; }
QTableView::item { padding: 0 #5#px; border: none; }
QHeaderView::up-arrow { image: url(:/theme/up.svg); width: #8#px; height: #8#px; subcontrol-position: top center; }
QHeaderView::down-arrow { image: url(:/theme/down.svg); width: #8#px; height: #8#px; subcontrol-position: top center; }
QHeaderView::section { background: @field; color: @text_second; border: none; border-bottom: 1px solid @line; padding: #4#px #6#px; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: #10#px; }
QScrollBar:horizontal { height: #10#px; }
QScrollBar::handle { background: @line; border-radius: #4#px; margin: #1#px; min-height: #24#px; min-width: #24#px; }
QScrollBar::handle:hover { background: @text_faint; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent; border: none; width: 0; height: 0; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QProgressBar { background: @line; border: none; border-radius: #3#px; max-height: #6#px; min-height: #6#px; }
QProgressBar::chunk { background: @accent; border-radius: #3#px; }
QSlider::groove:horizontal { background: @line; height: #4#px; border-radius: #2#px; }
QSlider::handle:horizontal { background: @accent; width: #12#px; margin: -#4#px 0; border-radius: #6#px; }
QSlider:focus { border: 1px solid @focus; border-radius: #3#px; }
)";

// Longest first where one name starts another.
constexpr std::array<std::pair<const char*, Role>, 12> kNames{{{"@text_second", Role::text_second},
                                                               {"@text_faint", Role::text_faint},
                                                               {"@text", Role::text},
                                                               {"@window", Role::window},
                                                               {"@panel", Role::panel},
                                                               {"@line", Role::line},
                                                               {"@field", Role::field},
                                                               {"@accent", Role::accent},
                                                               {"@focus", Role::focus},
                                                               {"@loss", Role::loss},
                                                               {"@gain", Role::gain},
                                                               {"@selection", Role::selection}}};

}  // namespace

QString style_sheet(const Theme& theme) {
    QString sheet = QString::fromUtf8(kSheet);
    for (const auto& [name, role] : kNames) sheet.replace(QLatin1String(name), theme.color(role).name());
    // "#12#px": lengths. Colours ("#2f6fde") never end in '#'.
    QString out;
    out.reserve(sheet.size());
    for (qsizetype at = 0; at < sheet.size();) {
        if (sheet[at] == QLatin1Char('#')) {
            qsizetype end = at + 1;
            while (end < sheet.size() && (sheet[end].isDigit() || sheet[end] == QLatin1Char('.'))) ++end;
            if (end > at + 1 && end < sheet.size() && sheet[end] == QLatin1Char('#')) {
                out += QString::number(theme.px(QStringView(sheet).sliced(at + 1, end - at - 1).toDouble()));
                at = end + 1;
                continue;
            }
        }
        out += sheet[at++];
    }
    return out;
}

}  // namespace synperf::ui
