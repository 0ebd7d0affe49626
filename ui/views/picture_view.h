// What every picture of the window has: a title and a caption, a focus ring, a context menu, a table twin and exports.
#pragma once

#include <QMenu>
#include <QPainter>
#include <QWidget>

#include "views/table_data.h"

namespace synperf::ui {

class PictureView : public QWidget {
    Q_OBJECT
public:
    explicit PictureView(QWidget* parent = nullptr);

    /// Names the picture, for its card, its files and screen readers.
    [[nodiscard]] virtual QString title() const = 0;
    /// One line: what the picture shows now.
    [[nodiscard]] virtual QString caption() const = 0;
    /// The picture alone, without hover, selection or focus. `vector` asks for shapes instead of pixels where they are
    /// few.
    virtual void drawPicture(QPainter& painter, QSize size, bool vector) = 0;
    [[nodiscard]] virtual TableData table() const = 0;

    /// A last good picture beside an error: faded, until the next good one.
    virtual void setDimmed(bool dimmed);
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// Actions of the context menu and of the window's View menu.
    [[nodiscard]] QList<QAction*> pictureActions() const { return actions_; }

public slots:
    void openTable();

signals:
    void captionChanged();

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    static constexpr double kDimmedOpacity = 0.4;
    /// Last thing painted: the veil of a dimmed picture, and a ring inside the edge when the keyboard is here.
    void drawFocusRing(QPainter& painter) const;
    /// Views call this when their content changed: caption and accessible description follow.
    void announce();
    /// `action` goes before the exports.
    void addPictureAction(QAction* action);

private:
    void buildActions();

    QList<QAction*> actions_;
    qsizetype own_actions_ = 0;
    bool dimmed_ = false;
    bool keyboard_focus_ = false;
};

/// The hover card of the pictures: a bold first line and plain lines under it, placed near `at` inside `bounds`.
void drawHoverCard(QPainter& painter, QPoint at, QRect bounds, const QStringList& lines);

}  // namespace synperf::ui
