#include "panels/kernel_editor.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include "models/background_work.h"
#include "models/core_text.h"
#include "models/user_kernels.h"
#include "panels/code_edit.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kAfterTypingMs = 150;

QLabel* label(const char* look) {
    auto* made = new QLabel;
    made->setProperty("look", look);
    made->setWordWrap(true);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

}  // namespace

struct KernelEditor::Answer {
    std::optional<Error> error;      // of the text
    std::optional<Error> at_values;  // the text is fine, but a call of it is not
    std::optional<Prediction> prediction;
    std::string gpu;  // it was predicted on
};

KernelEditor::KernelEditor(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), edit_(new CodeEdit), place_(label("second")), message_(label("error")), prediction_(label("heading")) {
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(place_);
    edit_->setObjectName(QStringLiteral("kernelText"));
    edit_->setAccessibleName(tr("Kernel file"));
    edit_->setAccessibleDescription(tr("JSON; the line with a mistake is marked and told below"));
    layout->addWidget(edit_, 1);

    auto* problem = new QHBoxLayout;
    message_->setObjectName(QStringLiteral("kernelMessage"));
    message_->setAccessibleName(tr("What is wrong"));
    problem->addWidget(message_, 1);
    go_ = new QPushButton(tr("Go to the line"));
    go_->setObjectName(QStringLiteral("kernelGoToLine"));
    go_->setProperty("look", "link");
    problem->addWidget(go_);
    layout->addLayout(problem);

    auto* bottom = new QHBoxLayout;
    prediction_->setObjectName(QStringLiteral("kernelPrediction"));
    prediction_->setAccessibleName(tr("What it predicts"));
    bottom->addWidget(prediction_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Close);
    save_ = buttons->button(QDialogButtonBox::Save);
    save_->setObjectName(QStringLiteral("kernelSave"));
    save_->setText(tr("Save among my kernels"));
    save_->setShortcut(QKeySequence::Save);
    save_->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    bottom->addWidget(buttons);
    layout->addLayout(bottom);

    soon_.setSingleShot(true);
    soon_.setInterval(kAfterTypingMs);
    connect(&soon_, &QTimer::timeout, this, &KernelEditor::check);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        soon_.start();
        updateTitle();
    });
    connect(edit_->document(), &QTextDocument::modificationChanged, this, &KernelEditor::updateTitle);
    connect(&document_, &Document::scenarioChanged, this, [this] {
        if (isVisible()) soon_.start();
    });
    connect(go_, &QPushButton::clicked, this, [this] {
        edit_->goToLine(edit_->errorLine());
        edit_->setFocus();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &KernelEditor::reject);
    connect(edit_, &CodeEdit::saveKeyPressed, save_, &QPushButton::click);  // does nothing while it is disabled
    connect(save_, &QPushButton::clicked, this, [this] { emit saveRequested(text()); });
    go_->hide();
    resize(Theme::instance().px(860), Theme::instance().px(720));
}

KernelEditor::~KernelEditor() { stop_.request_stop(); }

QString KernelEditor::text() const { return edit_->toPlainText(); }

bool KernelEditor::isModified() const { return edit_->document()->isModified(); }

void KernelEditor::updateTitle() {
    setWindowTitle(tr("Kernel file[*]"));
    setWindowModified(isModified());
    place_->setText(file_.isEmpty() ? tr("A new kernel. Expressions may use its parameters, the fields of the GPU and earlier definitions.") : file_);
}

void KernelEditor::open(const QString& text, const QString& file) {
    if (!mayDiscard()) return;
    file_ = file;
    edit_->setPlainText(text);
    edit_->document()->setModified(false);
    edit_->goToLine(1);
    edit_->setFocus();
    updateTitle();
    check();
}

void KernelEditor::fileIs(const QString& text, const QString& file) {
    file_ = file;
    if (this->text() == text) {
        edit_->document()->setModified(false);
    } else if (!isModified()) {
        const int line = edit_->textCursor().blockNumber() + 1;
        edit_->setPlainText(text);
        edit_->document()->setModified(false);
        edit_->goToLine(line);
    }
    updateTitle();
}

bool KernelEditor::mayDiscard() {
    if (!isModified()) return true;
    const auto answer = QMessageBox::question(this, tr("Discard the kernel's changes?"), tr("The kernel file has changes that are not saved."),
                                              QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Discard) edit_->document()->setModified(false);
    return answer == QMessageBox::Discard;
}

void KernelEditor::reject() {
    if (mayDiscard()) QDialog::reject();
}

void KernelEditor::showError(const QString& message, int line) {
    edit_->setErrorLine(line, message);
    message_->setText(line > 0 ? tr("Line %1: %2").arg(line).arg(message) : message);
    message_->setVisible(!message.isEmpty());
    go_->setVisible(line > 0);
}

// Off the window's thread: a kernel of millions of tasks takes a while to predict.
void KernelEditor::check() {
    stop_.request_stop();
    stop_ = std::stop_source();
    const std::uint64_t number = ++number_;
    const std::string bytes = text().toStdString();
    const Scenario scenario = document_.scenario();
    const Predictor predictor = predictor_for(document_.engine(), scenario);
    const auto work = [bytes, scenario, predictor, token = stop_.get_token()] {
        Answer answer;
        const auto kernel = make_custom_kernel(bytes, {}, predictor.calibration());
        if (!kernel) {
            answer.error = kernel.error();
            return answer;
        }
        // The values on screen where they are this kernel's, its defaults where not.
        const bool shown = scenario.family != nullptr && scenario.family->id() == (*kernel)->id();
        const Params params = shown ? carried_params(scenario.params, scenario.family->schema(), (*kernel)->schema()) : default_params((*kernel)->schema());
        const auto prediction = predictor.predict(**kernel, params, scenario.gpu, token);
        if (!prediction) {
            answer.at_values = prediction.error();
        } else {
            answer.prediction = *prediction;
            answer.gpu = scenario.gpu.name;
        }
        return answer;
    };
    run_in_pool(this, work, [this, number](const Answer& answer) { take(number, answer); });
}

void KernelEditor::take(std::uint64_t number, const Answer& answer) {
    if (number != number_) return;
    const std::optional<Error>& error = answer.error ? answer.error : answer.at_values;
    if (error) {
        showError(error->field.empty() ? QString::fromStdString(error->message) : QStringLiteral("%1: %2").arg(QString::fromStdString(error->field), QString::fromStdString(error->message)),
                  error->line);
    } else {
        showError({}, 0);
    }
    prediction_->setText(!answer.prediction ? QString()
                                            : tr("%1 on %2, bound by %3")
                                                  .arg(QString::fromStdString(format_duration(answer.prediction->latency)), QString::fromStdString(answer.gpu),
                                                       coreText(long_name(answer.prediction->bound))));
    save_->setEnabled(!answer.error);
}

}  // namespace synperf::ui
