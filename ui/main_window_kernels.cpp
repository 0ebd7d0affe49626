// Kernels of the user's own: their editor, saving them, and files that change on disk.
#include "main_window.h"
#include "models/user_kernels.h"
#include "panels/kernel_editor.h"
#include "panels/message_bar.h"
#include "panels/scenario_dock.h"

namespace synperf::ui {

namespace {

QString text_of(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

}  // namespace

KernelEditor& MainWindow::kernelEditor() {
    if (kernel_editor_ == nullptr) {
        kernel_editor_ = new KernelEditor(document_, this);
        connect(kernel_editor_, &KernelEditor::saveRequested, this, &MainWindow::saveKernel);
    }
    kernel_editor_->show();
    kernel_editor_->raise();
    kernel_editor_->activateWindow();
    return *kernel_editor_;
}

void MainWindow::newKernel() { kernelEditor().open(new_kernel_text(engine_.kernels), {}); }

void MainWindow::editKernel() {
    const auto* custom = dynamic_cast<const CustomKernel*>(document_.scenario().family);
    if (custom == nullptr) {
        message_->show(MessageBar::Kind::note, tr("%1 is built in and has no file. \"New kernel…\" starts one of your own.").arg(text_of(document_.scenario().family->title())));
        return;
    }
    kernelEditor().open(text_of(custom->text()), text_of(custom->file()));
}

void MainWindow::saveKernel(const QString& text) {
    const auto saved = save_user_kernel(text, engine_, folders_.specs);
    if (!saved) {
        kernelEditor().showError(text_of(saved.error().message), saved.error().line);
        return;
    }
    kernel_folders_->watch();
    scenario_->kernelsChanged();
    kernelEditor().fileIs(text, text_of((*saved)->file()));
    // The saved kernel is what is looked at now; its parameters keep the values they had.
    Scenario scenario = document_.scenario();
    const bool shown = scenario.family != nullptr && scenario.family->id() == (*saved)->id();
    scenario.params = shown ? carried_params(scenario.params, scenario.family->schema(), (*saved)->schema()) : default_params((*saved)->schema());
    if (!shown) scenario.measured_us.reset();
    scenario.family = saved->get();
    document_.setScenario(scenario, tr("save kernel %1").arg(text_of((*saved)->title())));
    message_->show(MessageBar::Kind::note, tr("%1 is saved as %2").arg(text_of((*saved)->title()), text_of((*saved)->file())));
}

void MainWindow::kernelsReloaded(const QStringList& problems) {
    scenario_->kernelsChanged();
    document_.kernelsChanged();
    if (!problems.isEmpty()) message_->show(MessageBar::Kind::error, problems.join(QLatin1Char('\n')));
    if (kernel_editor_ == nullptr || kernel_editor_->file().isEmpty()) return;
    for (const auto& family : engine_.kernels.families()) {
        const auto* custom = dynamic_cast<const CustomKernel*>(family.get());
        if (custom != nullptr && text_of(custom->file()) == kernel_editor_->file()) kernel_editor_->fileIs(text_of(custom->text()), kernel_editor_->file());
    }
}

}  // namespace synperf::ui
