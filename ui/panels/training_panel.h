// What to train on and how: measured tables, the recipe's few settings, and the progress of a training.
#pragma once

#include <QWidget>

#include "models/training_data.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableView;

namespace synperf::ui {

class TrainingPanel : public QWidget {
    Q_OBJECT
public:
    explicit TrainingPanel(TrainingData& data, QWidget* parent = nullptr);

    [[nodiscard]] RetrainOptions options() const;
    void setTraining(bool training);
    void setProgress(const QString& what, double share, double seconds_left);
    /// How the last training ended, in a line; an error has its colour.
    void setOutcome(const QString& text, bool error);
    [[nodiscard]] QString outcome() const;

signals:
    void trainRequested();
    void cancelRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseFiles();
    void removeSelected();
    void refresh();
    QSpinBox* spin(const QString& name, int least, int most, int value, const QString& tip);

    TrainingData& data_;
    QTableView* files_;
    QLabel* hint_;
    QPushButton *add_, *remove_, *train_, *cancel_;
    QComboBox* model_;
    QSpinBox *epochs_, *members_, *copies_, *seed_;
    QCheckBox* leave_out_;
    QProgressBar* progress_;
    QLabel* state_;
    bool training_ = false;
};

}  // namespace synperf::ui
