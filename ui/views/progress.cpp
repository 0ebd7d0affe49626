#include "views/progress.h"

#include <QProgressDialog>
#include <cmath>

namespace synperf::ui {

void showProgress(BackgroundWork& work, const QString& text, QWidget* parent) {
    constexpr int kSteps = 1000;
    auto* dialog = new QProgressDialog(text, QCoreApplication::translate("Progress", "Cancel"), 0, kSteps, parent);
    dialog->setWindowTitle(parent->window()->windowTitle().remove(QStringLiteral("[*]")));
    dialog->setAutoReset(false);
    dialog->setAutoClose(false);
    dialog->setMinimumDuration(1'000'000);  // shown below
    dialog->reset();                        // else its own timer does, too
    QObject::connect(&work, &BackgroundWork::progressed, dialog, [dialog](double share) {
        dialog->setValue(static_cast<int>(std::lround(share * kSteps)));
        dialog->show();
    });
    QObject::connect(&work, &BackgroundWork::ended, dialog, &QObject::deleteLater);
    QObject::connect(dialog, &QProgressDialog::canceled, &work, &BackgroundWork::cancel);
}

}  // namespace synperf::ui
