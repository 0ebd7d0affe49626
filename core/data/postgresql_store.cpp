#include "data/postgresql_store.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <cstdlib>

#include "data/stored_row.h"

namespace synperf {

namespace {

struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
    void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Finish>;
using Answer = std::unique_ptr<PGresult, Finish>;

// libpq's messages have several lines.
std::string first_line(const char* text) {
    std::string line = text == nullptr ? "" : text;
    return line.substr(0, std::min(line.find('\n'), std::size_t{300}));
}

// A URL may hold a password: it is not shown.
std::string without_password(const std::string& url) {
    const std::size_t at = url.find('@'), scheme = url.find("://");
    if (at == std::string::npos || scheme == std::string::npos) return url;
    const std::size_t colon = url.find(':', scheme + 3);
    return colon < at ? url.substr(0, colon) + url.substr(at) : url;
}

class PostgresqlStore final : public MeasurementStore {
public:
    PostgresqlStore(Connection connection, std::string shown) : connection_(std::move(connection)), shown_(std::move(shown)) {}

    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<std::size_t> add(std::span<const CollectiveMeasurement> rows, const std::string& source) override;
    [[nodiscard]] Result<std::vector<CollectiveMeasurement>> query(const MeasurementQuery& query) override;

private:
    [[nodiscard]] tl::unexpected<Error> fail(std::string message) const { return tl::unexpected<Error>(Error{std::move(message), {}, shown_}); }
    [[nodiscard]] Result<Answer> ask(const std::string& sql, const std::vector<std::string>& values = {}) const;
    [[nodiscard]] Result<std::size_t> insert(std::span<const CollectiveMeasurement> rows, const std::string& source) const;

    Connection connection_;
    std::string shown_;
};

Result<Answer> PostgresqlStore::ask(const std::string& sql, const std::vector<std::string>& values) const {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    Answer answer(PQexecParams(connection_.get(), sql.c_str(), static_cast<int>(texts.size()), nullptr, texts.data(), nullptr, nullptr, 0));
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return fail(first_line(PQresultErrorMessage(answer.get())));
    return answer;
}

Result<void> PostgresqlStore::prepare() {
    std::string columns;
    for (const std::string_view column : kStoredColumns) {
        const bool whole = column == "num_gpus" || column == "devices_per_node";
        columns += fmt::format("{} {} NOT NULL, ", column, whole ? "integer" : column == "bytes" ? "bigint" : column == "latency_us" ? "double precision" : "text");
    }
    for (const std::string& sql : {std::string("SET client_min_messages TO error"), std::string("SET statement_timeout TO 30000"),
                                   fmt::format("CREATE TABLE IF NOT EXISTS synperf_collective_v{} ({}source text NOT NULL, added timestamptz NOT NULL DEFAULT now(), UNIQUE ({}))",
                                               kStoreVersion, columns, stored_columns())}) {
        if (auto done = ask(sql); !done) return tl::unexpected(done.error());
    }
    return {};
}

Result<std::size_t> PostgresqlStore::insert(std::span<const CollectiveMeasurement> rows, const std::string& source) const {
    std::string marks;
    for (std::size_t i = 1; i <= kStoredColumns.size() + 1; ++i) marks += fmt::format("{}${}", i > 1 ? ", " : "", i);
    const std::string sql = fmt::format("INSERT INTO synperf_collective_v{} ({}, source) VALUES ({}) ON CONFLICT DO NOTHING", kStoreVersion, stored_columns(), marks);
    std::size_t added = 0;
    for (const CollectiveMeasurement& row : rows) {
        const StoredRow texts = stored_row(row);
        std::vector<std::string> values(texts.begin(), texts.end());
        values.push_back(source);
        const auto answer = ask(sql, values);
        if (!answer) return tl::unexpected(answer.error());
        added += std::strtoull(PQcmdTuples(answer->get()), nullptr, 10);
    }
    return added;
}

Result<std::size_t> PostgresqlStore::add(std::span<const CollectiveMeasurement> rows, const std::string& source) {
    if (auto begun = ask("BEGIN"); !begun) return tl::unexpected(begun.error());
    auto added = insert(rows, source);
    const auto ended = ask(added ? "COMMIT" : "ROLLBACK");
    if (added && !ended) return tl::unexpected(ended.error());
    return added;
}

Result<std::vector<CollectiveMeasurement>> PostgresqlStore::query(const MeasurementQuery& query) {
    std::string where;
    std::vector<std::string> values;
    const auto demand = [&](std::string_view column, std::string value) {
        values.push_back(std::move(value));
        where += fmt::format("{}{} = ${}", where.empty() ? " WHERE " : " AND ", column, values.size());
    };
    if (query.gpu) demand("gpu", *query.gpu);
    if (query.op) demand("op", std::string(name(*query.op)));
    if (query.backend) demand("backend", std::string(name(*query.backend)));
    if (query.num_gpus) demand("num_gpus", std::to_string(*query.num_gpus));
    const auto answer = ask(fmt::format("SELECT {0} FROM synperf_collective_v{1}{2} ORDER BY {0} LIMIT {3}", stored_columns(), kStoreVersion, where, kMostStoredRows), values);
    if (!answer) return tl::unexpected(answer.error());
    std::vector<CollectiveMeasurement> rows;
    for (int i = 0; i < PQntuples(answer->get()); ++i) {
        StoredRow texts;
        for (std::size_t column = 0; column < texts.size(); ++column) {
            const int at = static_cast<int>(column);
            texts[column].assign(PQgetvalue(answer->get(), i, at), static_cast<std::size_t>(PQgetlength(answer->get(), i, at)));
        }
        auto row = measurement_of(texts);
        if (!row) return fail(fmt::format("row {}: {}", i + 1, row.error().to_string()));
        rows.push_back(std::move(*row));
    }
    return rows;
}

}  // namespace

Result<std::unique_ptr<MeasurementStore>> open_postgresql_store(const std::string& url) {
    const char* const keys[] = {"dbname", "connect_timeout", "application_name", nullptr};
    const char* const values[] = {url.c_str(), "5", "synperf", nullptr};
    Connection connection(PQconnectdbParams(keys, values, 1));
    const std::string shown = without_password(url);
    if (PQstatus(connection.get()) != CONNECTION_OK) {
        return tl::unexpected<Error>(Error{first_line(PQerrorMessage(connection.get())), {}, shown});
    }
    auto store = std::make_unique<PostgresqlStore>(std::move(connection), shown);
    if (auto ready = store->prepare(); !ready) return tl::unexpected(ready.error());
    return store;
}

}  // namespace synperf
