// Pictures and tables into files: PNG at 1x to 4x, SVG, CSV, Chrome trace.
#pragma once

#include <QImage>
#include <QString>

#include "hardware/error.h"
#include "views/picture_view.h"
#include "views/scene.h"

namespace synperf::ui {

/// The picture at `scale` device pixels a pixel, with its title and caption above it.
[[nodiscard]] QImage pictureImage(PictureView& view, int scale);
/// Errors name the file.
[[nodiscard]] Result<void> savePng(PictureView& view, const QString& file, int scale);
[[nodiscard]] Result<void> saveSvg(PictureView& view, const QString& file);
[[nodiscard]] Result<void> saveCsv(const TableData& table, const QString& file);
[[nodiscard]] Result<void> saveChromeTrace(const Explanation& explanation, const QString& file);

// The same after asking for a file name. Encoding and writing run in a thread of the pool; a failure is shown over
// `parent`.
void askAndSavePng(PictureView& view, int scale);
void askAndSaveSvg(PictureView& view);
void askAndSaveCsv(const TableData& table, QWidget* parent);
void askAndSaveChromeTrace(std::shared_ptr<const Explanation> explanation, const QString& title, QWidget* parent);

}  // namespace synperf::ui
