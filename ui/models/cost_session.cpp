#include "models/cost_session.h"

#include <fmt/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <array>
#include <cmath>

#include "economics/price_edit.h"
#include "economics/ranking.h"
#include "hardware/gpu_json.h"

namespace synperf::ui {

namespace {

constexpr qsizetype kLongestWord = 200;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

class Reader {
public:
    Reader(const QJsonObject& object, const std::string& file, bool newer, QStringList& left_out) : object_(object), file_(file), newer_(newer), left_out_(left_out) {}

    Result<CostInputs> read() {
        static constexpr std::array kKnown{"gpus", "ttft_ms", "tpot_ms", "most_gpus", "price_kind", "currency", "target_qps", "prices"};
        for (const QString& key : object_.keys()) {
            if (std::any_of(kKnown.begin(), kKnown.end(), [&key](const char* known) { return key == QLatin1String(known); })) continue;
            problem(key, "is not a key of a session");
        }
        gpus();
        number("ttft_ms", inputs_.ttft_ms, RankingLimits::kMostMs);
        number("tpot_ms", inputs_.tpot_ms, RankingLimits::kMostMs);
        number("target_qps", inputs_.target_qps, kMostQueriesPerSecond);
        if (const QJsonValue json = object_.value(QLatin1String("most_gpus")); !json.isUndefined()) {
            const qint64 value = json.toInteger(0);
            if (value < 1 || value > CostInputs::kMostGpus) {
                problem(QStringLiteral("most_gpus"), fmt::format("should be a whole number from 1 to {}", CostInputs::kMostGpus));
            } else {
                inputs_.most_gpus = static_cast<int>(value);
            }
        }
        if (const QJsonValue json = object_.value(QLatin1String("price_kind")); !json.isUndefined()) {
            const auto kind = parse_price_kind(json.toString().toStdString());
            if (kind) inputs_.kind = *kind;
            if (!kind) problem(QStringLiteral("price_kind"), "should be on_demand, spot, reserved or purchase");
        }
        if (const QJsonValue json = object_.value(QLatin1String("currency")); !json.isUndefined()) {
            const std::string code = json.toString().left(kLongestWord).toStdString();
            if (is_currency(code)) inputs_.currency = code;
            if (!is_currency(code)) problem(QStringLiteral("currency"), "should be a currency's code like USD");
        }
        prices();
        if (error_ && !newer_) return tl::unexpected<Error>(*error_);
        return inputs_;
    }

private:
    void problem(const QString& key, std::string message) {
        const QString field = QStringLiteral("cost.") + key.left(kLongestWord);
        if (!error_) error_ = Error{message, field.toStdString(), file_};
        left_out_ << field;
    }
    void number(const char* key, double& value, double most) {
        const QJsonValue json = object_.value(QLatin1String(key));
        if (json.isUndefined()) return;
        if (json.isDouble() && json.toDouble() >= 0 && json.toDouble() <= most) {
            value = json.toDouble();
        } else {
            problem(QLatin1String(key), fmt::format("should be a number from 0 to {}", most));
        }
    }
    void gpus() {
        const QJsonValue json = object_.value(QLatin1String("gpus"));
        if (json.isUndefined()) return;
        const QJsonArray array = json.toArray();
        if (!json.isArray() || array.size() > static_cast<qsizetype>(CostInputs::kMostListed))
            return problem(QStringLiteral("gpus"), fmt::format("should be a list of at most {} GPUs", CostInputs::kMostListed));
        for (const auto& entry : array) {
            const QJsonObject one = entry.toObject();
            const CostCandidate candidate{one.value(QLatin1String("id")).toString().left(kLongestWord).toStdString(), one.value(QLatin1String("on")).toBool(true)};
            const bool again = std::ranges::any_of(inputs_.gpus, [&candidate](const CostCandidate& other) { return other.gpu == candidate.gpu; });
            if (!is_gpu_id(candidate.gpu) || again) return problem(QStringLiteral("gpus"), "should have the id of a GPU each, none twice");
            inputs_.gpus.push_back(candidate);
        }
    }
    void prices() {
        const QJsonValue json = object_.value(QLatin1String("prices"));
        if (json.isUndefined()) return;
        const QJsonArray array = json.toArray();
        if (!json.isArray() || array.size() > static_cast<qsizetype>(kMostOwnBooks)) return problem(QStringLiteral("prices"), fmt::format("should be a list of at most {} price books", kMostOwnBooks));
        PriceBooks books;
        for (qsizetype i = 0; i < array.size(); ++i) {
            auto book = parse_price_book(QJsonDocument(array[i].toObject()).toJson(QJsonDocument::Compact).toStdString(), file_);
            if (!book) {
                problem(QStringLiteral("prices[%1]").arg(i) + (book.error().field.empty() ? QString() : QLatin1Char('.') + text(book.error().field)), book.error().message);
                continue;
            }
            book->file.clear();
            std::erase_if(books, [&book](const PriceBook& other) { return other.id == book->id; });
            books.push_back(std::move(*book));
        }
        if (!books.empty()) inputs_.own = std::make_shared<const PriceBooks>(std::move(books));
    }

    const QJsonObject& object_;
    const std::string& file_;
    bool newer_;
    QStringList& left_out_;
    CostInputs inputs_;
    std::optional<Error> error_;
};

}  // namespace

QJsonObject cost_inputs_json(const CostInputs& inputs) {
    QJsonArray gpus, prices;
    for (const CostCandidate& candidate : inputs.gpus) gpus.append(QJsonObject{{QStringLiteral("id"), text(candidate.gpu)}, {QStringLiteral("on"), candidate.on}});
    for (const PriceBook& book : inputs.own_books()) prices.append(QJsonDocument::fromJson(QByteArray::fromStdString(write_price_book(book))).object());
    return {{QStringLiteral("gpus"), gpus},
            {QStringLiteral("ttft_ms"), inputs.ttft_ms},
            {QStringLiteral("tpot_ms"), inputs.tpot_ms},
            {QStringLiteral("most_gpus"), inputs.most_gpus},
            {QStringLiteral("price_kind"), text(name(inputs.kind))},
            {QStringLiteral("currency"), text(inputs.currency)},
            {QStringLiteral("target_qps"), inputs.target_qps},
            {QStringLiteral("prices"), prices}};
}

Result<CostInputs> cost_inputs_of_json(const QJsonObject& object, const std::string& file, bool newer, QStringList& left_out) { return Reader(object, file, newer, left_out).read(); }

}  // namespace synperf::ui
