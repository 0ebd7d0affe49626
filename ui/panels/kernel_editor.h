// Writing a kernel file: the text with its mistakes marked as they are made, what it predicts meanwhile, and saving it.
#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>
#include <stop_token>

#include "kernels/custom_kernel.h"
#include "models/document.h"

class QLabel;
class QPushButton;

namespace synperf::ui {

class CodeEdit;

class KernelEditor : public QDialog {
    Q_OBJECT
public:
    KernelEditor(Document& document, QWidget* parent = nullptr);
    ~KernelEditor() override;

    /// Shows this text. `file` is where it came from, empty for a new one; asks first where another text is not saved.
    void open(const QString& text, const QString& file);
    /// The file was saved, or changed on disk: a text without edits of its own follows.
    void fileIs(const QString& text, const QString& file);
    [[nodiscard]] QString text() const;
    [[nodiscard]] QString file() const { return file_; }
    [[nodiscard]] bool isModified() const;
    /// Whether the text may go: it is saved, or the user says so.
    [[nodiscard]] bool mayDiscard();
    void showError(const QString& message, int line);

    void reject() override;

signals:
    void saveRequested(const QString& text);

private:
    struct Answer;
    void check();
    void take(std::uint64_t number, const Answer& answer);
    void updateTitle();

    Document& document_;
    CodeEdit* edit_;
    QLabel *place_, *message_, *prediction_;
    QPushButton *save_, *go_;
    QTimer soon_;
    QString file_;
    std::uint64_t number_ = 0;  ///< of the newest check; older answers are dropped
    std::stop_source stop_;
};

}  // namespace synperf::ui
