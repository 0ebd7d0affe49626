#include "models/price_store.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>

namespace synperf::ui {

PriceStore::PriceStore(Document& document, std::filesystem::path user_specs, QObject* parent) : QObject(parent), document_(document), folder_(std::move(user_specs)), kept_(document.cost().own_books()) {
    if (!folder_.empty()) folder_ /= "prices";
    for (const PriceBook& book : PriceCatalogue::load({}, folder_).books) files_[book.id] = book.file;
    connect(&document_, &Document::costChanged, this, &PriceStore::follow);
}

std::filesystem::path PriceStore::fileOf(const std::string& id) const {
    const auto found = files_.find(id);
    return found == files_.end() ? folder_ / (id + ".json") : found->second;
}

// What an edit changed, and nothing else: a book that only a session has is none of the folder's business.
void PriceStore::follow() {
    // A file is touched only while it holds what was kept: one that another session or program wrote is its own.
    const auto holds = [this](const std::string& id) {
        const auto kept = std::ranges::find(kept_, id, &PriceBook::id);
        std::error_code error;
        if (!std::filesystem::exists(fileOf(id), error)) return true;
        const auto there = read_price_book(fileOf(id));
        return kept != kept_.end() && there && write_price_book(*there) == write_price_book(*kept);
    };
    const PriceBooks now = document_.cost().own_books();
    if (!document_.resetting() && !folder_.empty()) {
        for (const PriceBook& book : now)
            if (std::ranges::find(kept_, book) == kept_.end()) holds(book.id) ? write(book) : emit failed(tr("%1 holds other prices and stays as it is").arg(QString::fromStdString(fileOf(book.id).string())));
        for (const PriceBook& book : kept_)
            if (std::ranges::find(now, book.id, &PriceBook::id) == now.end() && holds(book.id)) remove(book.id);
    }
    kept_ = now;
}

void PriceStore::write(const PriceBook& book) {
    const QString path = QString::fromStdString(fileOf(book.id).string());
    const QByteArray bytes = QByteArray::fromStdString(write_price_book(book));
    QSaveFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) emit failed(tr("%1 can not be written: %2").arg(path, file.errorString()));
}

void PriceStore::remove(const std::string& id) {
    std::error_code error;
    std::filesystem::remove(fileOf(id), error);
    if (error) emit failed(tr("%1 can not be removed: %2").arg(QString::fromStdString(fileOf(id).string()), QString::fromStdString(error.message())));
}

}  // namespace synperf::ui
