// One line at the top of the window for what went wrong or what was decided; it never blocks.
#pragma once

#include <QFrame>

class QLabel;

namespace synperf::ui {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { note, error };

    explicit MessageBar(QWidget* parent = nullptr);
    void show(Kind kind, const QString& text);
    [[nodiscard]] QString text() const;

private:
    QLabel* text_;
};

}  // namespace synperf::ui
