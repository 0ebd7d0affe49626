// Colour, type and spacing roles. No other file names a colour.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <cstdint>
#include <memory>

namespace synperf::ui {

enum class Role : std::uint8_t {
    window,
    panel,
    line,
    field,
    text,
    text_second,
    text_faint,
    accent,
    wave1,
    wave2,
    wave3,
    wave4,
    wave5,  ///< wave tints, in order; consecutive
    tail,
    loss,
    gain,
    selection,
    focus
};

enum class FontRole : std::uint8_t { answer, key_number, heading, body, caption };  ///< 40, 17, 15, 13, 11.5 at scale 1

enum class ThemeChoice : std::uint8_t { follow_system, light, dark };
enum class Colormap : std::uint8_t { viridis, cividis, grey };

inline constexpr int kRadius = 8;  ///< panel corner, at scale 1
inline constexpr int kGap = 12;    ///< between panels, at scale 1

/// The application's one theme. Views ask it at paint time and repaint on `changed()`.
///
/// Plain widgets get the look from the style sheet through the dynamic property "look": on a QFrame "panel" (rounded,
/// white) or "line"; on a QLabel "answer", "key", "heading", "caption" (small capitals of a section), "second",
/// "faint", "hint" or "error"; on a QToolButton or QPushButton "card", "link" or "quiet". "bad" = true marks a field
/// whose value is refused.
class Theme : public QObject {
    Q_OBJECT
public:
    static Theme& instance();
    ~Theme() override;

    /// Takes over the QApplication: style, palette, font and style sheet, now and on every change.
    void install();

    [[nodiscard]] QColor color(Role role) const;
    [[nodiscard]] QFont font(FontRole role) const;
    [[nodiscard]] int px(double at_scale_1) const;  ///< a length in pixels at the current scale
    [[nodiscard]] bool dark() const;
    [[nodiscard]] ThemeChoice choice() const;
    [[nodiscard]] Colormap colormap() const;
    [[nodiscard]] double scale() const;  ///< 0.75 to 3, the user's Ctrl+= / Ctrl+-; device pixel ratio aside

    void setChoice(ThemeChoice choice);
    void setColormap(Colormap map);
    void setScale(double scale);

    /// Colour of a share 0..1 in the chosen colormap (256 steps).
    [[nodiscard]] QRgb map(double share) const;
    /// Colour of a difference -1..1 in blue-orange.
    [[nodiscard]] QRgb mapDifference(double difference) const;

signals:
    void changed();

private:
    Theme();
    void apply();
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace synperf::ui
