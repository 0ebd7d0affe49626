// The rounded panel around a picture: title left, caption right, content under it.
#pragma once

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>

#include "views/picture_view.h"

namespace synperf::ui {

/// One line of text that gives way: it is cut with an ellipsis instead of widening its parent, and shows all in its
/// tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& look, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    [[nodiscard]] QString fullText() const { return full_; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    QString full_;
};

class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);
    /// Takes `view` as its content; title and caption follow it.
    explicit Card(PictureView* view, QWidget* parent = nullptr);

    [[nodiscard]] QHBoxLayout* header() const { return header_; }
    [[nodiscard]] QVBoxLayout* body() const { return body_; }
    void setTitle(const QString& text) { title_->setFullText(text); }
    void setCaption(const QString& text) { caption_->setFullText(text); }
    [[nodiscard]] QLabel* titleLabel() const { return title_; }

private:
    QHBoxLayout* header_;
    QVBoxLayout* body_;
    ElidedLabel* title_;
    ElidedLabel* caption_;
};

}  // namespace synperf::ui
