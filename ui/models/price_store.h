// Keeps the user's own price books in their folder as they are edited, undone and redone. Books of an opened session stay in the session until they are edited.
#pragma once

#include <QObject>
#include <filesystem>
#include <map>

#include "models/document.h"

namespace synperf::ui {

class PriceStore : public QObject {
    Q_OBJECT
public:
    PriceStore(Document& document, std::filesystem::path user_specs, QObject* parent = nullptr);

signals:
    void failed(const QString& why);

private:
    void follow();
    /// The book of `id` as the folder should have it; empty where it should have none.
    [[nodiscard]] std::string wanted(const PriceBooks& books, const std::string& id) const;
    [[nodiscard]] std::filesystem::path fileOf(const std::string& id) const;
    [[nodiscard]] std::string onDisk(const std::string& id) const;
    void write(const std::string& id, const std::string& text);
    void remove(const std::string& id);

    Document& document_;
    std::filesystem::path folder_;
    std::map<std::string, std::filesystem::path> files_;  ///< of books that lay there under another name
    PriceBooks kept_;
    std::map<std::string, std::string> brought_;  ///< by a session, as it had them, and not in the folder
};

}  // namespace synperf::ui
