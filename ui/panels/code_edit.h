// A plain text editor with line numbers and one marked line, for JSON.
#pragma once

#include <QPlainTextEdit>

namespace synperf::ui {

class CodeEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeEdit(QWidget* parent = nullptr);

    /// Marks this line (from 1) as wrong and shows `message` on hover; 0 marks none.
    void setErrorLine(int line, const QString& message = {});
    [[nodiscard]] int errorLine() const { return error_line_; }
    void goToLine(int line);

    // For the margin, which is a widget of its own.
    [[nodiscard]] int marginWidth() const;
    void paintMargin(QPaintEvent* event);

signals:
    void saveKeyPressed();

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void applyTheme();
    void layOutMargin();
    void highlight();

    QWidget* margin_;
    int error_line_ = 0;
    QString error_;
};

}  // namespace synperf::ui
