// The answer: latency, how sure, what bounds it, and how it compares with a measurement and the pins.
#pragma once

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QToolButton>
#include <vector>

#include "models/document.h"
#include "views/card.h"

namespace synperf::ui {

/// Ceiling, P80, interval and measurement on one line from zero.
class LatencyBar : public QWidget {
    Q_OBJECT
public:
    explicit LatencyBar(QWidget* parent = nullptr);
    void setPrediction(const Prediction& prediction, std::optional<double> measured_us);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Prediction prediction_;
    std::optional<double> measured_us_;
    bool set_ = false;
};

class LatencyCard : public QFrame {
    Q_OBJECT
public:
    explicit LatencyCard(Document& document, QWidget* parent = nullptr);

    /// `analytical`: it was asked for without learned models.
    void setExplanation(std::shared_ptr<const Explanation> explanation, bool analytical = false);
    /// Shown instead of the provenance; the last answer stays, faint.
    void setError(const QString& message);
    [[nodiscard]] QString answerText() const { return number_->text() + QLatin1Char(' ') + unit_->text(); }
    /// How sure it is, or what is wrong, as plain text.
    [[nodiscard]] QString sureText() const { return sure_->accessibleName(); }
    [[nodiscard]] QString measuredText() const { return measured_->text(); }
    [[nodiscard]] QStringList pinTexts() const;

    [[nodiscard]] QToolButton* nearestButton() const { return nearest_; }

    /// As narrow as its facts under the answer.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// A click on the card, or its button.
    void nearestRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Fact {
        QWidget* box;
        QLabel* name;
        QLabel* value;
    };
    Fact addFact(const QString& name);
    void refresh();
    void refreshSure();
    void arrange();
    void refreshComparisons();

    Document& document_;
    std::shared_ptr<const Explanation> explanation_;
    QString error_;
    bool analytical_ = false;
    QBoxLayout* halves_;
    QGridLayout* facts_;
    QLabel* number_;
    QLabel* unit_;
    QLabel* sure_;
    QToolButton* nearest_;
    Fact ceiling_, p80_, efficiency_, bound_;
    LatencyBar* bar_;
    QLabel* measured_;
    QVBoxLayout* comparisons_;
    std::vector<QLabel*> pins_;
};

/// How far a call is from what was measured, in words.
[[nodiscard]] QString confidenceText(Confidence confidence);
/// "12.3 µs (6.2 %) faster" with its sign; negative is faster.
[[nodiscard]] QString differenceText(double from_seconds, double to_seconds);

}  // namespace synperf::ui
