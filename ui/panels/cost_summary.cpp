#include "panels/cost_summary.h"

#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "economics/price_book.h"
#include "models/cost_text.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

QLabel* words(const char* name) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

void look(QWidget& widget, const char* now) {
    widget.setProperty("look", now);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

}  // namespace

CostSummary::CostSummary(QWidget* parent) : QWidget(parent), sentence_(words("costSentence")), break_even_(words("breakEven")), unknown_(words("unknownGpus")), prices_(new QPushButton), report_(new QPushButton(tr("Export report…"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::instance().px(8));
    setSentenceFont();
    break_even_->setProperty("look", "second");
    unknown_->setProperty("look", "hint");
    prices_->setObjectName(QStringLiteral("priceAges"));
    prices_->setToolTip(tr("Opens the price book. Prices older than %1 days, or of unknown date, count as stale").arg(kStaleDays));
    report_->setObjectName(QStringLiteral("exportReport"));
    prices_->setProperty("look", "quiet");
    report_->setProperty("look", "link");
    for (QLabel* label : {sentence_, break_even_, unknown_}) column->addWidget(label);
    column->addStretch(1);
    for (QPushButton* button : {prices_, report_}) {
        button->setStyleSheet(QStringLiteral("padding-left: 0"));  // their words stand under the sentence
        column->addWidget(button, 0, Qt::AlignLeft);
    }
    connect(report_, &QPushButton::clicked, this, &CostSummary::reportRequested);
    connect(prices_, &QPushButton::clicked, this, &CostSummary::pricesRequested);
    connect(&Theme::instance(), &Theme::changed, this, &CostSummary::setSentenceFont);
    setOutcome({});
}

void CostSummary::setSentenceFont() {
    QFont font = Theme::instance().font(FontRole::heading);
    font.setWeight(QFont::Normal);
    sentence_->setFont(font);
}

void CostSummary::setOutcome(const CostOutcomePtr& outcome) {
    const auto say = [](QLabel* label, const QString& text) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    };
    say(sentence_, outcome ? costSentences(outcome->ranking).join(QLatin1Char(' ')).replace(QLatin1String(" %"), QStringLiteral("\u00a0%")) : QString());
    say(break_even_, outcome ? breakEvenSentences(outcome->ranking).join(QLatin1Char('\n')) : QString());
    say(unknown_, outcome && !outcome->unknown.isEmpty() ? tr("Left out, as the catalogue does not have them: %1").arg(outcome->unknown.join(QStringLiteral(", "))) : QString());
    prices_->setText(outcome ? priceAgeText(outcome->ranking.prices) : QString());
    look(*prices_, outcome && outcome->ranking.prices.stale() ? "warning" : "quiet");
    prices_->setVisible(outcome != nullptr);
    report_->setEnabled(outcome != nullptr);
}

QString CostSummary::sentenceText() const { return sentence_->text(); }
QString CostSummary::breakEvenText() const { return break_even_->text(); }
QString CostSummary::priceText() const { return prices_->text(); }

}  // namespace synperf::ui
