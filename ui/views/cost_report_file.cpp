#include "views/cost_report_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QPageSize>
#include <QPdfWriter>
#include <QPainter>
#include <QSaveFile>
#include <QTextDocument>

#include "economics/cost_report.h"
#include "models/core_text.h"
#include "models/cost_text.h"
#include "theme/paper_colors.h"
#include "views/cost_chart_view.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

class CostReport {
    Q_DECLARE_TR_FUNCTIONS(CostReport)
};

constexpr int kChartWidth = 1000, kChartHeight = 560, kChartScale = 2;  // in points of the drawing

tl::unexpected<Error> cannotWrite(const QString& file, const QString& why) { return tl::unexpected<Error>(Error{CostReport::tr("cannot be written: %1").arg(why).toStdString(), {}, file.toStdString()}); }

Result<void> write(const QString& file, const QByteArray& bytes) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit()) return cannotWrite(file, out.errorString());
    return {};
}

QString paragraphs(const QStringList& lines) {
    QString html;
    for (const QString& line : lines) html += QStringLiteral("<p>%1</p>").arg(line.toHtmlEscaped());
    return html;
}

QString tableHtml(const CostOutcome& outcome) {
    const Ranking& ranking = outcome.ranking;
    const QStringList names = planNames(ranking);
    QString html = QStringLiteral("<table width=\"100%\" cellpadding=\"3\" cellspacing=\"0\" border=\"0\"><tr>");
    for (const QString& head : {QString(), CostReport::tr("Plan"), CostReport::tr("Latency"), CostReport::tr("90 % interval"), CostReport::tr("Cost per query"), CostReport::tr("low"), CostReport::tr("high"), CostReport::tr("1M in"), CostReport::tr("1M out"),
                                CostReport::tr("Energy"), CostReport::tr("Queries per GPU-hour"), CostReport::tr("per %1").arg(QString::fromStdString(ranking.currency))})
        html += QStringLiteral("<th align=\"left\">%1</th>").arg(head.toHtmlEscaped());
    html += QStringLiteral("</tr>");
    for (std::size_t i = 0; i < ranking.plans.size(); ++i) {
        const RankedPlan& plan = ranking.plans[i];
        QStringList cells{plan.rank > 0 ? QLocale().toString(plan.rank) : QStringLiteral("\u2013"), names[static_cast<qsizetype>(i)]};
        if (plan.served) {
            cells << durationText(plan.result.total.value) << intervalText(plan.result.total);
        } else {
            cells << QString() << QString();
        }
        if (plan.cost) {
            cells << moneyText(plan.cost->per_query.median, ranking.currency) << moneyText(plan.cost->per_query.low, ranking.currency) << moneyText(plan.cost->per_query.high, ranking.currency) << moneyText(plan.cost->per_million_input.median, ranking.currency)
                  << moneyText(plan.cost->per_million_output.median, ranking.currency) << (plan.run.watts > 0 ? CostReport::tr("%1 Wh").arg(QLocale().toString(plan.cost->energy_wh.median, 'g', 3)) : QString())
                  << QLocale().toString(plan.cost->queries_per_gpu_hour.median, 'f', 0) << QLocale().toString(plan.cost->queries_per_unit.median, 'g', 4);
        }
        while (cells.size() < 12) cells << QString();
        html += QStringLiteral("<tr>");
        for (const QString& cell : cells) html += QStringLiteral("<td%1>%2</td>").arg(plan.meets ? QString() : QStringLiteral(" style=\"color:#6a737d\""), cell.toHtmlEscaped());
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

QStringList notes(const CostOutcome& outcome) {
    QStringList lines;
    const QStringList names = planNames(outcome.ranking);
    for (std::size_t i = 0; i < outcome.ranking.plans.size(); ++i) {
        const RankedPlan& plan = outcome.ranking.plans[i];
        QStringList parts;
        for (const std::string& why : plan.fails) parts << coreText(why);
        parts << coreText(plan.plan);
        if (plan.quote) {
            const Quote& quote = *plan.quote;
            parts << CostReport::tr("price %1 a GPU-hour, %2, %3").arg(moneyRange(quote.per_gpu_hour, outcome.ranking.currency), QString::fromStdString(quote.source), quote.date == "unknown" ? CostReport::tr("date unknown") : QString::fromStdString(quote.date));
        }
        lines << QStringLiteral("%1: %2.").arg(names[static_cast<qsizetype>(i)], parts.join(QStringLiteral("; ")));
    }
    return lines;
}

QImage chartImage(CostChartView& chart) {
    QImage image(kChartWidth * kChartScale, kChartHeight * kChartScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kChartScale);
    image.fill(paper_color(Role::panel));
    QPainter painter(&image);
    chart.drawOnPaper(painter, QSize(kChartWidth, kChartHeight));
    return image;
}

Result<void> writePdf(const CostOutcome& outcome, CostChartView& chart, const QString& file) {
    QByteArray bytes;
    {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter pdf(&buffer);
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageOrientation(QPageLayout::Landscape);
        pdf.setPageMargins(QMarginsF(14, 12, 14, 12), QPageLayout::Millimeter);
        pdf.setTitle(workloadTitle(outcome.request));
        pdf.setCreator(QStringLiteral("SynPerf Explorer ") + QCoreApplication::applicationVersion());
        QTextDocument document;
        document.setDefaultFont(QFont(Theme::instance().font(FontRole::body).family(), 9));
        document.setDefaultStyleSheet(QStringLiteral("body { color: #1b1f24; } td, th { font-size: 8pt; } th { color: #5f6b77; } h1 { font-size: 15pt; } h2 { font-size: 11pt; }"));
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("chart")), chartImage(chart));
        const int wide = pdf.pageLayout().paintRectPoints().width();
        QString html = QStringLiteral("<body><h1>%1</h1><p>%2; %3</p>").arg(workloadTitle(outcome.request).toHtmlEscaped(), workloadDetails(outcome.request).toHtmlEscaped(), QString::fromStdString(format_date(outcome.request.today)));
        html += QStringLiteral("<p style=\"font-size:11pt; font-weight:600\">%1</p>").arg(costSentences(outcome.ranking).join(QLatin1Char(' ')).toHtmlEscaped());
        html += paragraphs(breakEvenSentences(outcome.ranking)) + QStringLiteral("<p>%1</p>").arg(priceAgeText(outcome.ranking.prices).toHtmlEscaped());
        html += tableHtml(outcome);
        html += QStringLiteral("<h2 style=\"page-break-before:always\">%1</h2><p><img src=\"chart\" width=\"%2\" height=\"%3\"/></p>").arg(chart.title().toHtmlEscaped()).arg(wide).arg(wide * kChartHeight / kChartWidth);
        html += QStringLiteral("<h2 style=\"page-break-before:always\">%1</h2>").arg(CostReport::tr("Plans and prices").toHtmlEscaped()) + paragraphs(notes(outcome));
        html += QStringLiteral("<p>%1</p></body>").arg(CostReport::tr("Cost of a query = price of a GPU-hour x seconds x GPUs / (3600 x queries at a time).").toHtmlEscaped());
        document.setHtml(html);
        document.setPageSize(QSizeF(pdf.pageLayout().paintRectPoints().size()));
        document.print(&pdf);
    }
    if (bytes.isEmpty()) return cannotWrite(file, CostReport::tr("no page was drawn"));
    return write(file, bytes);
}

}  // namespace

Result<void> save_cost_report(const CostOutcome& outcome, CostChartView& chart, const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == QLatin1String("pdf")) return writePdf(outcome, chart, file);
    if (ending == QLatin1String("csv")) return write(file, QByteArray::fromStdString(cost_csv(outcome.ranking)));
    if (ending == QLatin1String("html") || ending == QLatin1String("htm")) return write(file, QByteArray::fromStdString(cost_html(outcome.request, outcome.ranking)));
    return tl::unexpected<Error>(Error{CostReport::tr("should end in .html, .pdf or .csv").toStdString(), {}, file.toStdString()});
}

}  // namespace synperf::ui
