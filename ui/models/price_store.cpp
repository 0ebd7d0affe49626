#include "models/price_store.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <set>
#include <utility>

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

std::string PriceStore::onDisk(const std::string& id) const {
    std::error_code error;
    if (!std::filesystem::exists(fileOf(id), error)) return {};
    const auto book = read_price_book(fileOf(id));
    return book ? write_price_book(*book) : "unreadable";
}

std::string PriceStore::wanted(const PriceBooks& books, const std::string& id) const {
    const auto book = std::ranges::find(books, id, &PriceBook::id);
    if (book == books.end()) return {};
    const std::string text = write_price_book(*book);
    const auto brought = brought_.find(id);
    return brought != brought_.end() && brought->second == text ? std::string() : text;
}

// What an edit changed, and nothing else: a book that only a session has is none of the folder's business, be it undone to or taken out.
void PriceStore::follow() {
    const PriceBooks before = std::exchange(kept_, document_.cost().own_books());
    if (folder_.empty()) return;
    if (document_.resetting()) {
        brought_.clear();
        for (const PriceBook& book : kept_)
            if (const std::string text = write_price_book(book); onDisk(book.id) != text) brought_[book.id] = text;
        return;
    }
    if (before == kept_) return;  // another edit
    std::set<std::string> ids;
    for (const PriceBooks* books : {&before, &std::as_const(kept_)})
        for (const PriceBook& book : *books) ids.insert(book.id);
    for (const std::string& id : ids) {
        const std::string was = wanted(before, id), now = wanted(kept_, id);
        if (was == now) continue;
        // A file is touched only while it holds what was kept: one that another session or program wrote is its own.
        if (onDisk(id) != was) {
            emit failed(tr("%1 holds other prices and stays as it is").arg(QString::fromStdString(fileOf(id).string())));
        } else if (now.empty()) {
            remove(id);
        } else {
            write(id, now);
        }
    }
}

void PriceStore::write(const std::string& id, const std::string& text) {
    const QString path = QString::fromStdString(fileOf(id).string());
    const QByteArray bytes = QByteArray::fromStdString(text);
    QSaveFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) emit failed(tr("%1 can not be written: %2").arg(path, file.errorString()));
}

void PriceStore::remove(const std::string& id) {
    std::error_code error;
    std::filesystem::remove(fileOf(id), error);
    if (error) emit failed(tr("%1 can not be removed: %2").arg(QString::fromStdString(fileOf(id).string()), QString::fromStdString(error.message())));
}

}  // namespace synperf::ui
