#include "views/export.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QMessageBox>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QtConcurrent>
#include <fstream>
#include <functional>

#include "data/chrome_trace.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

class Export {
    Q_DECLARE_TR_FUNCTIONS(Export)
};

tl::unexpected<Error> cannotWrite(const QString& file, const QString& why) {
    return tl::unexpected<Error>(
        Error{Export::tr("cannot be written: %1").arg(why).toStdString(), {}, file.toStdString(), 0});
}

int headerHeight() {
    return Theme::instance().px(40);
}

QSize pictureSize(const PictureView& view) {
    const int margin = Theme::instance().px(12);
    return {view.width() + 2 * margin, view.height() + headerHeight() + margin};
}

void drawWithTitle(QPainter& painter, PictureView& view, bool vector) {
    const Theme& theme = Theme::instance();
    const QSize size = pictureSize(view);
    const int margin = theme.px(12);
    painter.fillRect(QRect(QPoint(), size), theme.color(Role::panel));
    const QRect header(margin, 0, size.width() - 2 * margin, headerHeight());
    painter.setFont(theme.font(FontRole::heading));
    painter.setPen(theme.color(Role::text));
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, view.title());
    painter.setFont(theme.font(FontRole::body));
    painter.setPen(theme.color(Role::text_second));
    painter.drawText(header, Qt::AlignRight | Qt::AlignVCenter, view.caption());
    painter.translate(margin, headerHeight());
    view.drawPicture(painter, view.size(), vector);
}

// Writes through `write` into a stream that replaces `file` only when all went well.
Result<void> saveThrough(const QString& file, const std::function<void(std::ostream&)>& write) {
    const QString part = file + QStringLiteral(".part");
    {
        std::ofstream out(QFile::encodeName(part).toStdString(), std::ios::binary);
        if (!out) return cannotWrite(file, Export::tr("the folder is missing or not writable"));
        write(out);
        out.flush();
        if (!out) {
            QFile::remove(part);
            return cannotWrite(file, Export::tr("the disk may be full"));
        }
    }
    if (QFile::exists(file)) QFile::remove(file);
    if (!QFile::rename(part, file)) return cannotWrite(file, Export::tr("the finished file could not be put in place"));
    return {};
}

Result<void> saveImage(const QImage& image, const QString& file) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return cannotWrite(file, out.errorString());
    if (!image.save(&out, "PNG") || !out.commit()) return cannotWrite(file, out.errorString());
    return {};
}

// Runs `job` off the GUI thread and shows its failure over `parent`, if that still exists by then.
void runSaving(QWidget* parent, std::function<Result<void>()> job) {
    auto* watcher = new QFutureWatcher<Result<void>>(parent);
    QObject::connect(watcher, &QFutureWatcherBase::finished, parent, [watcher, parent] {
        const Result<void> saved = watcher->result();
        watcher->deleteLater();
        if (!saved)
            QMessageBox::warning(parent, Export::tr("Export"), QString::fromStdString(saved.error().to_string()));
    });
    watcher->setFuture(QtConcurrent::run(std::move(job)));
}

QString askFile(QWidget* parent, const QString& title, const QString& ending, const QString& filter) {
    QString name = title.toLower();
    for (QChar& letter : name) {
        if (!letter.isLetterOrNumber()) letter = QLatin1Char('-');
    }
    QString file = QFileDialog::getSaveFileName(parent, Export::tr("Save %1").arg(title), name + ending, filter);
    if (!file.isEmpty() && !file.endsWith(ending, Qt::CaseInsensitive)) file += ending;
    return file;
}

}  // namespace

QImage pictureImage(PictureView& view, int scale) {
    QImage image(pictureSize(view) * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    drawWithTitle(painter, view, false);
    return image;
}

Result<void> savePng(PictureView& view, const QString& file, int scale) {
    return saveImage(pictureImage(view, scale), file);
}

Result<void> saveSvg(PictureView& view, const QString& file) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return cannotWrite(file, out.errorString());
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(pictureSize(view));
    generator.setViewBox(QRect(QPoint(), pictureSize(view)));
    generator.setTitle(view.title());
    generator.setDescription(view.caption());
    {
        QPainter painter(&generator);
        drawWithTitle(painter, view, true);
    }
    if (!out.commit()) return cannotWrite(file, out.errorString());
    return {};
}

Result<void> saveCsv(const TableData& table, const QString& file) {
    return saveThrough(file, [&](std::ostream& out) { writeCsv(out, table); });
}

Result<void> saveChromeTrace(const Explanation& explanation, const QString& file) {
    return saveThrough(file, [&](std::ostream& out) { write_chrome_trace(out, explanation); });
}

void askAndSavePng(PictureView& view, int scale) {
    const QString file = askFile(&view, view.title(), QStringLiteral(".png"), Export::tr("PNG picture (*.png)"));
    if (file.isEmpty()) return;
    runSaving(&view, [image = pictureImage(view, scale), file] { return saveImage(image, file); });
}

void askAndSaveSvg(PictureView& view) {
    const QString file = askFile(&view, view.title(), QStringLiteral(".svg"), Export::tr("SVG picture (*.svg)"));
    if (file.isEmpty()) return;
    const Result<void> saved = saveSvg(view, file);  // draws the widget, so it stays on this thread; the file is small
    if (!saved) QMessageBox::warning(&view, Export::tr("Export"), QString::fromStdString(saved.error().to_string()));
}

void askAndSaveCsv(const TableData& table, QWidget* parent) {
    const QString file = askFile(parent, table.title, QStringLiteral(".csv"), Export::tr("CSV table (*.csv)"));
    if (!file.isEmpty()) runSaving(parent, [table, file] { return saveCsv(table, file); });
}

void askAndSaveChromeTrace(std::shared_ptr<const Explanation> explanation, const QString& title, QWidget* parent) {
    if (!explanation) return;
    const QString file = askFile(parent, title, QStringLiteral(".json"), Export::tr("Chrome trace (*.json)"));
    if (!file.isEmpty()) {
        runSaving(parent, [explanation = std::move(explanation), file] { return saveChromeTrace(*explanation, file); });
    }
}

}  // namespace synperf::ui
