// Pictures and tables into files: PNG at 1x to 4x, SVG, CSV, Chrome trace. A file is replaced whole or not at all.
#pragma once

#include <QImage>
#include <QString>
#include <stop_token>

#include "hardware/error.h"
#include "views/picture_view.h"
#include "views/scene.h"

namespace synperf::ui {

/// A table of more rows is not written: nothing reads such a file, and it would fill the disk.
inline constexpr qint64 kMostExportedRows = 5'000'000;

/// One export that runs in the pool, owned by the window it was asked for in.
class Saving : public QObject {
    Q_OBJECT
public:
    explicit Saving(QObject* window) : QObject(window) {}
    ~Saving() override { stop(); }
    void stop() { stop_.request_stop(); }
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

private:
    std::stop_source stop_;
};

/// Ends what is still being written for `window`; the files that it would have replaced stay as they were.
void stopSaving(QObject& window);

/// The picture at `scale` device pixels a pixel, with its title and caption above it.
[[nodiscard]] QImage pictureImage(PictureView& view, int scale);
/// Errors name the file.
[[nodiscard]] Result<void> savePng(PictureView& view, const QString& file, int scale);
[[nodiscard]] Result<void> saveSvg(PictureView& view, const QString& file);
[[nodiscard]] Result<void> saveCsv(const TableData& table, const QString& file, const std::stop_token& stop = {});
[[nodiscard]] Result<void> saveChromeTrace(const Explanation& explanation, const QString& file,
                                           const std::stop_token& stop = {});

// The same after asking for a file name. Encoding and writing run in a thread of the pool; what takes longer shows so
// and can be cancelled; a failure is shown over the window of `parent`.
void askAndSavePng(PictureView& view, int scale);
void askAndSaveSvg(PictureView& view);
void askAndSaveCsv(const TableData& table, QWidget* parent);
void askAndSaveChromeTrace(std::shared_ptr<const Explanation> explanation, const QString& title, QWidget* parent);

}  // namespace synperf::ui
