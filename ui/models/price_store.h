// Keeps the user's own price books in their folder as they are edited, undone and redone. Books of an opened session stay in the session.
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
    [[nodiscard]] std::filesystem::path fileOf(const std::string& id) const;
    void write(const PriceBook& book);
    void remove(const std::string& id);

    Document& document_;
    std::filesystem::path folder_;
    std::map<std::string, std::filesystem::path> files_;  ///< of books that lay there under another name
    PriceBooks kept_;
};

}  // namespace synperf::ui
