// The answer of the Serving workspace: latencies and throughput with their intervals, how sure they are, or why there are none.
#pragma once

#include <QFrame>
#include <vector>

#include "models/serving_worker.h"

class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace synperf::ui {

class ServingCard : public QFrame {
    Q_OBJECT
public:
    explicit ServingCard(QWidget* parent = nullptr);

    void setOutcome(const ServingOutcomePtr& outcome);
    /// Shown instead of how sure the answer is; the last answer stays, faint.
    void setError(const QString& message);
    /// A share of 0 to 1; below 0 hides it.
    void setProgress(double share);
    [[nodiscard]] QString answer(int metric) const;    ///< number and unit: TTFT, TPOT, end to end, per GPU, per user
    [[nodiscard]] QString interval(int metric) const;
    [[nodiscard]] QString definition(int metric) const;
    [[nodiscard]] QString sureText() const;
    [[nodiscard]] QPushButton* cancelButton() const { return cancel_; }
    [[nodiscard]] QString asText() const;  ///< all of it as a tab-separated table
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void cancelRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Metric {
        QWidget* box;
        QLabel *name, *number, *unit, *interval;
    };
    void addMetric(const QString& name);
    void setMetric(int metric, const QString& amount, const QString& interval, const QString& definition);
    void fillMetrics(const ServingResult& result, const Deployment& deployment, bool continuous);
    void arrange();
    void applyTheme();

    std::vector<Metric> metrics_;
    QGridLayout* grid_;
    QLabel* sure_;
    QLabel* notes_;
    QWidget* waiting_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    bool faint_ = false, error_ = false, extrapolates_ = false;
};

}  // namespace synperf::ui
