#include "models/price_list_model.h"

#include <QLocale>
#include <algorithm>
#include <tuple>

#include "models/core_text.h"
#include "models/cost_text.h"
#include "models/typed_number.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

double Range::*endOf(int column) { return column == PriceListModel::low ? &Range::low : column == PriceListModel::high ? &Range::high : &Range::median; }

bool isAmount(int column) { return column == PriceListModel::low || column == PriceListModel::median || column == PriceListModel::high; }

}  // namespace

PriceListModel::PriceListModel(Document& document, const CostWorker& worker, QObject* parent) : QAbstractTableModel(parent), document_(document), worker_(worker) {
    connect(&document_, &Document::costChanged, this, &PriceListModel::follow);
    follow();
}

void PriceListModel::follow() {
    if (editing_) {  // the editor that commits is still open: it goes with the rows
        QMetaObject::invokeMethod(this, &PriceListModel::follow, Qt::QueuedConnection);
        return;
    }
    beginResetModel();
    catalogue_ = worker_.catalogue(document_.cost());
    prices_.clear();
    const Date now = today();
    for (const PriceBook& book : catalogue_.books) {
        const bool own = book.origin == SpecOrigin::user, stale = !book.date || days_between(*book.date, now) > kStaleDays;
        for (const Price& price : book.prices) prices_.push_back({{price, book.source, book.date, book.currency, book.usd_per_unit}, book.id, own, false, stale});
    }
    std::ranges::stable_sort(prices_, [](const Row& a, const Row& b) { return std::tuple(a.entry.price.gpu, a.entry.price.kind, !a.own) < std::tuple(b.entry.price.gpu, b.entry.price.kind, !b.own); });
    const std::string& wanted = document_.cost().currency;
    for (Row& row : prices_) {
        GpuSpec spec;
        if (const auto found = document_.engine().gpus.find(row.entry.price.gpu)) spec = **found;
        const auto quote = catalogue_.quote(spec, row.entry.price.kind, wanted, now);
        row.used = quote && quote->price == row.entry.price && quote->source == row.entry.source && quote->date == (row.entry.date ? format_date(*row.entry.date) : "unknown");
    }
    endResetModel();
}

int PriceListModel::rowOf(const std::string& id, PriceKind of_kind) const {
    const auto found = std::ranges::find_if(prices_, [&](const Row& row) { return row.entry.price.gpu == id && row.entry.price.kind == of_kind; });
    return found == prices_.end() ? -1 : static_cast<int>(found - prices_.begin());
}

Result<void> PriceListModel::put(const PriceEntry& entry, const Row* before) {
    PriceBooks own = document_.cost().own_books();
    if (before != nullptr && before->own) own = without_price(std::move(own), before->book, before->entry.price.gpu, before->entry.price.kind);
    auto after = with_price(std::move(own), entry, worker_.takenIds(document_.cost()));
    if (!after) return tl::unexpected<Error>(after.error());
    CostInputs inputs = document_.cost();
    inputs.own = std::make_shared<const PriceBooks>(std::move(*after));
    document_.setCost(inputs, tr("%1 price of %2").arg(priceKindName(entry.price.kind), text(entry.price.gpu)));
    return {};
}

void PriceListModel::remove(int at) {
    if (at < 0 || at >= rowCount() || !row(at).own) return;
    const Row gone = row(at);
    CostInputs inputs = document_.cost();
    inputs.own = std::make_shared<const PriceBooks>(without_price(inputs.own_books(), gone.book, gone.entry.price.gpu, gone.entry.price.kind));
    document_.setCost(inputs, tr("no %1 price of %2").arg(priceKindName(gone.entry.price.kind), text(gone.entry.price.gpu)));
}

int PriceListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(prices_.size()); }

int PriceListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant PriceListModel::cell(const Row& one, int column) const {
    const PriceEntry& entry = one.entry;
    switch (column) {
        case gpu: return text(entry.price.gpu);
        case kind: return priceKindName(entry.price.kind);
        case currency: return text(entry.currency);
        case source: return text(entry.source);
        case date: return entry.date ? text(format_date(*entry.date)) : tr("unknown");
        case state: {
            QStringList parts;
            if (one.used) parts << tr("in use");
            if (one.own) parts << tr("yours");
            if (one.stale) parts << tr("stale");
            return parts.join(QStringLiteral(", "));
        }
        default: return entry.price.amount.*endOf(column);
    }
}

QVariant PriceListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& one = row(index.row());
    if (role == Qt::DisplayRole) {
        const QVariant value = cell(one, index.column());
        return value.userType() == QMetaType::Double ? QVariant(QLocale().toString(value.toDouble(), 'g', 10)) : value;
    }
    if (role == kSortRole) return cell(one, index.column());
    if (role == Qt::EditRole) {
        const QVariant value = cell(one, index.column());
        return value.userType() == QMetaType::Double ? QVariant(number_to_edit(value.toDouble())) : value;
    }
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue((isAmount(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QStringList lines{text(one.entry.source)};
        const int offers = one.entry.price.offers;
        if (offers > 0) lines << (offers == 1 ? tr("one offer alone: it is used with the range of other prices") : tr("%1 offers").arg(offers));
        if (!one.entry.price.note.empty()) lines << coreText(one.entry.price.note);
        if (one.entry.price.kind == PriceKind::purchase) lines << tr("per GPU bought; the rest of a purchase is edited with Edit");
        return lines.join(QLatin1Char('\n'));
    }
    return {};
}

QVariant PriceListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
    if (role == Qt::TextAlignmentRole && isAmount(section)) return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QStringList names{tr("GPU"), tr("Kind"), tr("Low"), tr("Median"), tr("High"), tr("Currency"), tr("Date"), tr("State"), tr("Source")};
    return names[section];
}

Qt::ItemFlags PriceListModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid()) flags |= Qt::ItemNeverHasChildren;
    return index.isValid() && isAmount(index.column()) ? flags | Qt::ItemIsEditable : flags;
}

bool PriceListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || !isAmount(index.column())) return false;
    const Row before = row(index.row());
    const auto number = value.userType() == QMetaType::QString ? typed_number(value.toString()) : Result<double>(value.toDouble());
    if (!number) {
        emit refused(text(number.error().message));
        return false;
    }
    const double typed = *number;
    PriceEntry entry = before.entry;
    ::synperf::Range& amount = entry.price.amount;
    if (amount.*endOf(index.column()) == typed) return false;
    const bool one_number = amount.low == amount.median && amount.median == amount.high;
    amount.*endOf(index.column()) = typed;
    if (one_number && index.column() == median) amount = {typed, typed, typed};
    entry.price.offers = 0;  // what the user says is agreed
    if (!before.own) {
        entry.source = PriceEntry{}.source;
        entry.date = today();
        entry.price.note.clear();
    }
    editing_ = true;
    const auto done = put(entry, &before);
    editing_ = false;
    if (!done) emit refused(tr("%1: %2").arg(text(entry.price.gpu), coreText(done.error().to_string())));
    return done.has_value();
}

}  // namespace synperf::ui
