// The form of a kernel family, made from its parameter schema.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "models/document.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace synperf::ui {

class ValueField;

class ParamForm : public QWidget {
    Q_OBJECT
public:
    explicit ParamForm(Document& document, QWidget* parent = nullptr);

    /// Shows the values that were chosen for automatic parameters, and forgets what the engine complained about.
    void setExplanation(const Explanation& explanation);
    /// Says `message` at the parameter `name`. False where there is no such parameter.
    bool setEngineError(const QString& name, const QString& message);
    /// What is wrong with what stands in a field now; empty while every field can be read.
    [[nodiscard]] QString inputError() const { return input_error_; }

signals:
    void inputErrorChanged(const QString& message);

private:
    struct Row {
        ValueField* field = nullptr;  ///< one of these three, by kind
        QComboBox* choice = nullptr;
        QCheckBox* check = nullptr;
        QLabel* error = nullptr;
        std::optional<ParamValue> shown;  ///< the value that the widget stands for
        QString input_error, engine_error;
    };
    struct Group {
        QLabel* automatic = nullptr;  ///< "chosen automatically"
        std::vector<std::size_t> params;
    };

    void rebuild();
    void refresh();
    void addParam(std::size_t index);
    void typed(std::size_t index, const QString& text);
    void choose(std::size_t index, const ParamValue& value);
    void showError(Row& row);
    void noteInputErrors();

    Document& document_;
    const KernelFamily* family_ = nullptr;
    QWidget* body_ = nullptr;
    std::vector<Row> rows_;
    std::vector<Group> groups_;
    QString input_error_;
};

}  // namespace synperf::ui
