#include "views/export.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QLocale>
#include <QMessageBox>
#include <QProgressDialog>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QtConcurrent>
#include <functional>
#include <ostream>
#include <streambuf>
#include <vector>

#include "results/chrome_trace.h"
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

// A stream's way into a QSaveFile.
class DeviceBuffer : public std::streambuf {
public:
    explicit DeviceBuffer(QIODevice& device) : device_(device), waiting_(1 << 16) {
        setp(waiting_.data(), waiting_.data() + waiting_.size());
    }

protected:
    int_type overflow(int_type letter) override {
        if (sync() != 0) return traits_type::eof();
        if (!traits_type::eq_int_type(letter, traits_type::eof())) sputc(traits_type::to_char_type(letter));
        return traits_type::not_eof(letter);
    }
    int sync() override {
        const auto size = static_cast<qint64>(pptr() - pbase());
        const bool written = device_.write(pbase(), size) == size;
        setp(waiting_.data(), waiting_.data() + waiting_.size());
        return written ? 0 : -1;
    }

private:
    QIODevice& device_;
    std::vector<char> waiting_;
};

// Writes through `write` into a stream that replaces `file` only when all went well.
Result<void> saveThrough(const QString& file, const std::stop_token& stop,
                         const std::function<void(std::ostream&)>& write) {
    QSaveFile device(file);
    if (!device.open(QIODevice::WriteOnly)) return cannotWrite(file, device.errorString());
    DeviceBuffer buffer(device);
    std::ostream out(&buffer);
    write(out);
    out.flush();
    // Without commit() the old file stays.
    if (stop.stop_requested()) return cannotWrite(file, Export::tr("cancelled"));
    if (!out || !device.commit()) return cannotWrite(file, device.errorString());
    return {};
}

Result<void> saveImage(const QImage& image, const QString& file) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return cannotWrite(file, out.errorString());
    if (!image.save(&out, "PNG") || !out.commit()) return cannotWrite(file, out.errorString());
    return {};
}

QWidget* topmost(QWidget* widget) {
    while (widget->parentWidget() != nullptr) widget = widget->parentWidget();
    return widget;
}

// Runs `job` off the GUI thread. It may outlive the widget that asked for it, but not the window around that.
void runSaving(QWidget* asker, const QString& file, std::function<Result<void>(const std::stop_token&)> job) {
    QWidget* window = topmost(asker);
    auto* saving = new Saving(window);
    auto* progress = new QProgressDialog(Export::tr("Writing %1").arg(QFileInfo(file).fileName()), Export::tr("Cancel"),
                                         0, 0, window);
    progress->setWindowTitle(Export::tr("Export"));
    progress->setAutoReset(false);
    progress->setMinimumDuration(1000);
    progress->setValue(0);  // starts that second
    QObject::connect(progress, &QProgressDialog::canceled, saving, &Saving::stop);
    auto* watcher = new QFutureWatcher<Result<void>>(saving);
    QObject::connect(watcher, &QFutureWatcherBase::finished, window, [watcher, saving, progress, window] {
        const Result<void> saved = watcher->result();
        const bool cancelled = saving->token().stop_requested();
        progress->deleteLater();
        saving->deleteLater();
        if (!saved && !cancelled)
            QMessageBox::warning(window, Export::tr("Export"), QString::fromStdString(saved.error().to_string()));
    });
    watcher->setFuture(QtConcurrent::run([job = std::move(job), stop = saving->token()] { return job(stop); }));
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

void stopSaving(QObject& window) {
    for (Saving* saving : window.findChildren<Saving*>()) saving->stop();
}

Result<void> saveCsv(const TableData& table, const QString& file, const std::stop_token& stop) {
    if (table.rows > kMostExportedRows) {
        const QLocale locale;
        return cannotWrite(file, Export::tr("the table has %1 rows; at most %2 are written. Export a smaller "
                                            "problem")
                                     .arg(locale.toString(table.rows), locale.toString(kMostExportedRows)));
    }
    return saveThrough(file, stop, [&](std::ostream& out) { writeCsv(out, table, stop); });
}

Result<void> saveChromeTrace(const Explanation& explanation, const QString& file, const std::stop_token& stop) {
    constexpr std::int64_t kMostWrittenOneByOne = 2'000'000;  // the rest is merged into runs that say so
    return saveThrough(file, stop,
                       [&](std::ostream& out) { write_chrome_trace(out, explanation, kMostWrittenOneByOne, stop); });
}

void askAndSavePng(PictureView& view, int scale) {
    const QString file = askFile(&view, view.title(), QStringLiteral(".png"), Export::tr("PNG picture (*.png)"));
    if (file.isEmpty()) return;
    runSaving(&view, file,
              [image = pictureImage(view, scale), file](const std::stop_token&) { return saveImage(image, file); });
}

void askAndSaveSvg(PictureView& view) {
    const QString file = askFile(&view, view.title(), QStringLiteral(".svg"), Export::tr("SVG picture (*.svg)"));
    if (file.isEmpty()) return;
    const Result<void> saved = saveSvg(view, file);  // draws the widget, so it stays on this thread; the file is small
    if (!saved) QMessageBox::warning(&view, Export::tr("Export"), QString::fromStdString(saved.error().to_string()));
}

void askAndSaveCsv(const TableData& table, QWidget* parent) {
    const QString file = askFile(parent, table.title, QStringLiteral(".csv"), Export::tr("CSV table (*.csv)"));
    if (file.isEmpty()) return;
    runSaving(parent, file, [table, file](const std::stop_token& stop) { return saveCsv(table, file, stop); });
}

void askAndSaveChromeTrace(std::shared_ptr<const Explanation> explanation, const QString& title, QWidget* parent) {
    if (!explanation) return;
    const QString file = askFile(parent, title, QStringLiteral(".json"), Export::tr("Chrome trace (*.json)"));
    if (file.isEmpty()) return;
    runSaving(parent, file, [explanation = std::move(explanation), file](const std::stop_token& stop) {
        return saveChromeTrace(*explanation, file, stop);
    });
}

}  // namespace synperf::ui
