// The spec editor: every field with its unit, where its number came from, what follows from it, and what looks odd.
#pragma once

#include <QDialog>
#include <array>
#include <optional>

#include "models/document.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace synperf::ui {

class ValueField;

/// Edits the document's GPU live. The first edit of a shipped spec makes a copy of the user's.
class GpuEditor : public QDialog {
    Q_OBJECT
public:
    GpuEditor(Document& document, QWidget* parent = nullptr);

signals:
    void saveRequested();  ///< keep this GPU among the user's own

private:
    struct Row {
        ValueField* field = nullptr;
        QLabel *derived = nullptr, *source = nullptr, *note = nullptr;
        QString error;
        std::optional<double> shown;
    };
    void addRow(QGridLayout* grid, GpuField field);
    void typed(GpuField field, const QString& text);
    void refresh();

    Document& document_;
    std::array<Row, kGpuFieldCount> rows_;
    QLabel *title_, *notes_;
    QPushButton *restore_, *save_;
};

/// A new GPU from the fields that a prediction needs; the rest follows from its architecture.
class AddGpuDialog : public QDialog {
    Q_OBJECT
public:
    explicit AddGpuDialog(const Engine& engine, QWidget* parent = nullptr);
    [[nodiscard]] const GpuSpec& spec() const { return spec_; }

    void accept() override;

private:
    void refresh();

    const Engine& engine_;
    GpuSpec spec_;
    QLineEdit *name_, *vendor_, *arch_, *compute_capability_;
    QLabel* problem_;
    std::array<ValueField*, kGpuFieldCount> fields_{};
};

}  // namespace synperf::ui
