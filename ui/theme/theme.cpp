#include "theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "theme/color_tables.h"
#include "theme/paper_colors.h"
#include "theme/style_sheet.h"
#include "theme/system_scheme.h"

namespace synperf::ui {

namespace {

constexpr std::size_t kRoles = static_cast<std::size_t>(Role::focus) + 1;
using RoleColors = std::array<QRgb, kRoles>;

// In the order of Role.
constexpr RoleColors kLight{0xfff4f5f7, 0xffffffff, 0xffdfe3e8, 0xfff8f9fb, 0xff1b1f24, 0xff5f6b77,
                            0xff98a3ae, 0xff2f6fde, 0xff2f6fde, 0xff6b9bea, 0xffa5c2f3, 0xffd2e0f9,
                            0xff8fa3bf, 0xfff3e7cf, 0xffb7791f, 0xff2b7a78, 0xff1b1f24, 0xff2f6fde};
constexpr RoleColors kDark{0xff14171b, 0xff1b1f25, 0xff2c323a, 0xff20252c, 0xffe7eaee, 0xff9aa5b1,
                           0xff66717d, 0xff6ea1ff, 0xff6ea1ff, 0xff4a78cc, 0xff345a9c, 0xff26436f,
                           0xff5b6b82, 0xff3a3222, 0xffe0b15a, 0xff5cc2bd, 0xffffffff, 0xff6ea1ff};

constexpr double kMinScale = 0.75, kMaxScale = 3.0;

// Ends and middle of the blue-orange scale; the middle is near the panel so that "no difference" recedes.
struct Diverging {
    std::array<double, 3> blue, middle, orange;
};
constexpr Diverging kDivergingLight{{33, 102, 172}, {240, 240, 240}, {204, 102, 0}};
constexpr Diverging kDivergingDark{{110, 161, 255}, {44, 50, 58}, {255, 159, 64}};

QRgb mix(const std::array<double, 3>& a, const std::array<double, 3>& b, double share) {
    const auto channel = [&](std::size_t i) { return static_cast<int>(std::lround(a[i] + (b[i] - a[i]) * share)); };
    return qRgb(channel(0), channel(1), channel(2));
}

// Inter where it is installed: the sketches use it and its figures align.
QString ui_family() {
    const QStringList families = QFontDatabase::families();
    for (const QString& name : {QStringLiteral("Inter"), QStringLiteral("Inter Variable")})
        if (families.contains(name)) return name;
    return QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
}

}  // namespace

struct Theme::State {
    ThemeChoice choice = ThemeChoice::follow_system;
    Colormap colormap = Colormap::viridis;
    double scale = 1.0;
    bool palette_dark = false;        // the desktop's palette, before this theme replaced it
    std::optional<bool> portal_dark;  // what the portal says, once it has answered
    bool installed = false;
    QString family;
    std::unique_ptr<SystemScheme> portal;

    [[nodiscard]] bool dark() const {
        if (choice != ThemeChoice::follow_system) return choice == ThemeChoice::dark;
        return portal_dark.value_or(palette_dark);
    }
};

Theme::Theme() : state_(std::make_unique<State>()) {
    const QPalette palette = QGuiApplication::palette();
    state_->palette_dark =
        palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    state_->family = ui_family();
}

Theme::~Theme() = default;

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

void Theme::install() {
    if (state_->installed) return;
    state_->installed = true;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    state_->portal = std::make_unique<SystemScheme>([this](bool dark) {
        const bool before = state_->dark();
        state_->portal_dark = dark;
        if (state_->dark() != before) apply();
    });
    // The bus connection belongs to the application and must not outlive it.
    connect(qApp, &QCoreApplication::aboutToQuit, this, [this] { state_->portal.reset(); });
    apply();
}

void Theme::apply() {
    if (state_->installed) {
        QPalette palette;
        const auto both = [&](QPalette::ColorRole role, Role ours) { palette.setColor(role, color(ours)); };
        both(QPalette::Window, Role::window);
        both(QPalette::WindowText, Role::text);
        both(QPalette::Base, Role::panel);
        both(QPalette::AlternateBase, Role::field);
        both(QPalette::Text, Role::text);
        both(QPalette::Button, Role::panel);
        both(QPalette::ButtonText, Role::text);
        both(QPalette::BrightText, Role::loss);
        both(QPalette::ToolTipBase, Role::panel);
        both(QPalette::ToolTipText, Role::text);
        both(QPalette::Highlight, Role::accent);
        both(QPalette::HighlightedText, Role::panel);
        both(QPalette::Link, Role::accent);
        both(QPalette::LinkVisited, Role::accent);
        both(QPalette::PlaceholderText, Role::text_faint);
        both(QPalette::Light, Role::panel);
        both(QPalette::Midlight, Role::field);
        both(QPalette::Mid, Role::line);
        both(QPalette::Dark, Role::text_faint);
        both(QPalette::Shadow, Role::line);
        for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
            palette.setColor(QPalette::Disabled, role, color(Role::text_faint));
        QApplication::setPalette(palette);
        QApplication::setFont(font(FontRole::body));
        QToolTip::setFont(font(FontRole::body));
        QToolTip::setPalette(palette);
        qApp->setStyleSheet(style_sheet(*this));
    }
    emit changed();
}

QColor Theme::color(Role role) const {
    return QColor((state_->dark() ? kDark : kLight)[static_cast<std::size_t>(role)]);
}

QColor paper_color(Role role) { return QColor(kLight[static_cast<std::size_t>(role)]); }

QFont Theme::font(FontRole role) const {
    constexpr std::array<double, 5> kSizes{40, 17, 15, 13, 11.5};
    QFont font(state_->family);
    font.setPixelSize(px(kSizes[static_cast<std::size_t>(role)]));
    if (role == FontRole::answer || role == FontRole::key_number || role == FontRole::heading)
        font.setWeight(QFont::DemiBold);
    return font;
}

int Theme::px(double at_scale_1) const {
    return static_cast<int>(std::lround(at_scale_1 * state_->scale));
}
bool Theme::dark() const {
    return state_->dark();
}
ThemeChoice Theme::choice() const {
    return state_->choice;
}
Colormap Theme::colormap() const {
    return state_->colormap;
}
double Theme::scale() const {
    return state_->scale;
}

void Theme::setChoice(ThemeChoice choice) {
    if (state_->choice == choice) return;
    state_->choice = choice;
    apply();
}

void Theme::setColormap(Colormap map) {
    if (state_->colormap == map) return;
    state_->colormap = map;
    emit changed();
}

void Theme::setScale(double scale) {
    const double bounded = std::clamp(scale, kMinScale, kMaxScale);
    if (state_->scale == bounded || std::isnan(scale)) return;
    state_->scale = bounded;
    apply();
}

QRgb Theme::map(double share) const {
    const double bounded = std::isnan(share) ? 0.0 : std::clamp(share, 0.0, 1.0);
    const auto step = static_cast<std::size_t>(std::lround(bounded * 255.0));
    switch (state_->colormap) {
        case Colormap::viridis:
            return 0xff000000U | kViridis[step];
        case Colormap::cividis:
            return 0xff000000U | kCividis[step];
        case Colormap::grey:
            break;
    }
    const int level = static_cast<int>(step);
    return qRgb(level, level, level);
}

QRgb Theme::mapDifference(double difference) const {
    const double bounded = std::isnan(difference) ? 0.0 : std::clamp(difference, -1.0, 1.0);
    const Diverging& ends = state_->dark() ? kDivergingDark : kDivergingLight;
    return bounded < 0 ? mix(ends.middle, ends.blue, -bounded) : mix(ends.middle, ends.orange, bounded);
}

}  // namespace synperf::ui
