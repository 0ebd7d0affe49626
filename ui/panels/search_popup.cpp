#include "panels/search_popup.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "models/fuzzy.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

// Name at the left, a faint second text at the right, both elided.
class RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(int second_role, QObject* parent) : QStyledItemDelegate(parent), second_role_(second_role) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        const Theme& theme = Theme::instance();
        return {theme.px(200), theme.px(28)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.color(Role::accent));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 1, -2, -1), theme.px(5), theme.px(5));
        }
        const QRect area = option.rect.adjusted(theme.px(10), 0, -theme.px(10), 0);
        const QString second = index.data(second_role_).toString();
        painter->setFont(theme.font(FontRole::caption));
        const int second_width = std::min(painter->fontMetrics().horizontalAdvance(second), area.width() * 2 / 3);
        painter->setPen(theme.color(selected ? Role::panel : Role::text_second));
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(second, Qt::ElideRight, second_width));
        painter->setFont(theme.font(FontRole::body));
        painter->setPen(theme.color(selected ? Role::panel : enabled ? Role::text : Role::text_faint));
        const QRect name = area.adjusted(0, 0, -second_width - theme.px(12), 0);
        painter->drawText(
            name, Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, name.width()));
        painter->restore();
    }

private:
    int second_role_;
};

constexpr int kShownRows = 12;

}  // namespace

SearchPopup::SearchPopup(QAbstractItemModel* model, int search_role, int second_role, const QString& placeholder,
                         QWidget* parent)
    : QFrame(parent, Qt::Popup),
      search_(new QLineEdit),
      list_(new QListView),
      filter_(new FuzzyFilter(search_role, this)) {
    setProperty("look", "panel");
    auto* layout = new QVBoxLayout(this);
    const int margin = Theme::instance().px(8);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(search_);
    layout->addWidget(list_);
    search_->setPlaceholderText(placeholder);
    search_->setAccessibleName(placeholder);
    search_->setClearButtonEnabled(true);
    search_->installEventFilter(this);
    filter_->setSourceModel(model);
    list_->setModel(filter_);
    list_->setItemDelegate(new RowDelegate(second_role, list_));
    list_->setProperty("look", "plain");
    list_->setAccessibleName(placeholder);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setPattern(text);
        selectFirst();
    });
    connect(list_, &QListView::clicked, this, &SearchPopup::choose);
    connect(list_, &QListView::entered, list_, &QListView::setCurrentIndex);
}

void SearchPopup::openAt(const QPoint& at, int width) {
    search_->clear();
    filter_->setPattern({});
    const Theme& theme = Theme::instance();
    resize(width, theme.px(28) * kShownRows + theme.px(60));
    QPoint corner = at;
    if (const QScreen* screen = parentWidget()->screen()) {
        const QRect free = screen->availableGeometry();
        corner.setX(std::clamp(corner.x(), free.left(), std::max(free.left(), free.right() - this->width())));
        corner.setY(std::clamp(corner.y(), free.top(), std::max(free.top(), free.bottom() - height())));
    }
    move(corner);
    show();
    search_->setFocus();
    selectFirst();
}

void SearchPopup::selectFirst() {
    list_->setCurrentIndex(filter_->index(0, 0));
}

void SearchPopup::choose(const QModelIndex& index) {
    if (!index.isValid() || !index.flags().testFlag(Qt::ItemIsEnabled)) return;
    const QModelIndex source = filter_->mapToSource(index);
    hide();
    emit chosen(source);
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const int rows = filter_->rowCount();
        const int row = list_->currentIndex().row();
        const auto go = [&](int to) {
            if (rows > 0) list_->setCurrentIndex(filter_->index(std::clamp(to, 0, rows - 1), 0));
            return true;
        };
        switch (static_cast<QKeyEvent*>(event)->key()) {
            case Qt::Key_Down:
                return go(row + 1);
            case Qt::Key_Up:
                return go(row - 1);
            case Qt::Key_PageDown:
                return go(row + kShownRows);
            case Qt::Key_PageUp:
                return go(row - kShownRows);
            case Qt::Key_Return:
            case Qt::Key_Enter:
                choose(list_->currentIndex());
                return true;
            default:
                break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace synperf::ui
