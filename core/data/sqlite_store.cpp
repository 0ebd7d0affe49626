#include "data/sqlite_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

#include "data/stored_row.h"

namespace synperf {

namespace {

constexpr int kApplicationId = 0x53594e50;  // "SYNP": what says that the file is such a store
constexpr int kBusyMilliseconds = 2000;     // how long to wait for another program's lock

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

class SqliteStore final : public MeasurementStore {
public:
    SqliteStore(Database database, std::string file) : database_(std::move(database)), file_(std::move(file)) {}

    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<std::size_t> add(std::span<const CollectiveMeasurement> rows, const std::string& source) override;
    [[nodiscard]] Result<std::vector<CollectiveMeasurement>> query(const MeasurementQuery& query) override;

private:
    [[nodiscard]] tl::unexpected<Error> fail(int code) const;
    [[nodiscard]] tl::unexpected<Error> fail(std::string message) const { return tl::unexpected<Error>(Error{std::move(message), {}, file_}); }
    [[nodiscard]] Result<void> execute(const std::string& sql) const;
    [[nodiscard]] Result<Statement> statement(const std::string& sql) const;
    [[nodiscard]] Result<int> number(const std::string& sql) const;
    [[nodiscard]] Result<std::size_t> insert(std::span<const CollectiveMeasurement> rows, const std::string& source) const;

    Database database_;
    std::string file_;
};

tl::unexpected<Error> SqliteStore::fail(int code) const {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return fail("is locked by another program; try again when that has ended");
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT: return fail("is damaged or no SQLite database; restore a copy, or move it away to begin anew");
        case SQLITE_READONLY: return fail("can not be written");
        case SQLITE_CANTOPEN: return fail("can not be opened");
        case SQLITE_FULL: return fail("can not be written: the disk is full");
        default: return fail(fmt::format("SQLite: {}", sqlite3_errstr(code)));
    }
}

Result<void> SqliteStore::execute(const std::string& sql) const {
    const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? Result<void>{} : Result<void>(fail(code));
}

Result<Statement> SqliteStore::statement(const std::string& sql) const {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &made, nullptr);
    if (code != SQLITE_OK) return fail(code);
    return Statement(made);
}

Result<int> SqliteStore::number(const std::string& sql) const {
    const auto made = statement(sql);
    if (!made) return tl::unexpected(made.error());
    const int code = sqlite3_step(made->get());
    if (code != SQLITE_ROW) return fail(code);
    return sqlite3_column_int(made->get(), 0);
}

Result<void> SqliteStore::prepare() {
    sqlite3_busy_timeout(database_.get(), kBusyMilliseconds);
    // The first read finds out whether this is a database at all.
    const auto tables = number("SELECT count(*) FROM sqlite_master");
    if (!tables) return tl::unexpected(tables.error());
    const auto id = number("PRAGMA application_id");
    if (!id) return tl::unexpected(id.error());
    if (*tables > 0 && *id != kApplicationId) return fail("is a database of another program; name another file");
    if (*tables > 0) {
        const auto version = number("PRAGMA user_version");
        if (!version) return tl::unexpected(version.error());
        if (*version != kStoreVersion) return fail(fmt::format("is of version {}, this program reads version {}", *version, kStoreVersion));
        return {};
    }
    std::string columns, unique;
    for (const std::string_view column : kStoredColumns) {
        const bool whole = column == "num_gpus" || column == "devices_per_node" || column == "bytes";
        columns += fmt::format("{} {} NOT NULL, ", column, whole ? "INTEGER" : column == "latency_us" ? "REAL" : "TEXT");
    }
    return execute(fmt::format("BEGIN IMMEDIATE; CREATE TABLE collective ({}source TEXT NOT NULL, added TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE ({})); "
                               "PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT",
                               columns, stored_columns(), kApplicationId, kStoreVersion));
}

int bind_text(sqlite3_stmt* statement, int at, const std::string& text) {
    // Each text outlives the step that reads it: no copy.
    return sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), nullptr);
}

Result<std::size_t> SqliteStore::insert(std::span<const CollectiveMeasurement> rows, const std::string& source) const {
    std::string marks;
    for (std::size_t i = 0; i < kStoredColumns.size(); ++i) marks += "?, ";
    const auto made = statement(fmt::format("INSERT OR IGNORE INTO collective ({}, source) VALUES ({}?)", stored_columns(), marks));
    if (!made) return tl::unexpected(made.error());
    std::size_t added = 0;
    for (const CollectiveMeasurement& row : rows) {
        const StoredRow texts = stored_row(row);
        for (std::size_t i = 0; i < texts.size(); ++i) bind_text(made->get(), static_cast<int>(i) + 1, texts[i]);
        bind_text(made->get(), static_cast<int>(texts.size()) + 1, source);
        if (const int code = sqlite3_step(made->get()); code != SQLITE_DONE) return fail(code);
        added += static_cast<std::size_t>(sqlite3_changes(database_.get()));
        sqlite3_reset(made->get());
    }
    return added;
}

Result<std::size_t> SqliteStore::add(std::span<const CollectiveMeasurement> rows, const std::string& source) {
    if (auto begun = execute("BEGIN IMMEDIATE"); !begun) return tl::unexpected(begun.error());
    auto added = insert(rows, source);
    auto ended = execute(added ? "COMMIT" : "ROLLBACK");
    if (added && !ended) {
        static_cast<void>(execute("ROLLBACK"));
        return tl::unexpected(ended.error());
    }
    return added;
}

Result<std::vector<CollectiveMeasurement>> SqliteStore::query(const MeasurementQuery& query) {
    std::string where;
    std::vector<std::string> values;
    const auto demand = [&](std::string_view column, std::string value) {
        where += fmt::format("{}{} = ?", where.empty() ? " WHERE " : " AND ", column);
        values.push_back(std::move(value));
    };
    if (query.gpu) demand("gpu", *query.gpu);
    if (query.op) demand("op", std::string(name(*query.op)));
    if (query.backend) demand("backend", std::string(name(*query.backend)));
    if (query.num_gpus) demand("num_gpus", std::to_string(*query.num_gpus));
    const auto made = statement(fmt::format("SELECT {0} FROM collective{1} ORDER BY {0} LIMIT {2}", stored_columns(), where, kMostStoredRows));
    if (!made) return tl::unexpected(made.error());
    for (std::size_t i = 0; i < values.size(); ++i) bind_text(made->get(), static_cast<int>(i) + 1, values[i]);
    std::vector<CollectiveMeasurement> rows;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(made->get())) == SQLITE_ROW) {
        StoredRow texts;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const unsigned char* text = sqlite3_column_text(made->get(), static_cast<int>(i));
            const int bytes = sqlite3_column_bytes(made->get(), static_cast<int>(i));
            if (text != nullptr) texts[i].assign(text, text + bytes);
        }
        auto row = measurement_of(texts);
        if (!row) return fail(fmt::format("row {}: {}", rows.size() + 1, row.error().to_string()));
        rows.push_back(std::move(*row));
    }
    if (code != SQLITE_DONE) return fail(code);
    return rows;
}

}  // namespace

Result<std::unique_ptr<MeasurementStore>> open_sqlite_store(const std::filesystem::path& file) {
    std::error_code error;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    Database database(opened);
    if (code != SQLITE_OK) return tl::unexpected<Error>(Error{"can not be opened: a file that can be read and written is needed", {}, file.string()});
    auto store = std::make_unique<SqliteStore>(std::move(database), file.string());
    if (auto ready = store->prepare(); !ready) return tl::unexpected(ready.error());
    return store;
}

}  // namespace synperf
