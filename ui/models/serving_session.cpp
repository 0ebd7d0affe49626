#include "models/serving_session.h"

#include <fmt/format.h>

#include <QJsonValue>
#include <algorithm>
#include <array>
#include <cmath>

#include "serving/plan.h"

namespace synperf::ui {

namespace {

constexpr std::array kBatchings{std::pair("automatic", Batching::automatic), std::pair("static", Batching::static_batch), std::pair("continuous", Batching::continuous)};
constexpr qsizetype kLongestWord = 200, kLongestPath = 4096;

QString text(const std::string& s) { return QString::fromStdString(s); }

QString csv_of(const Workload& requests) {
    std::string csv = "prompt_tokens,output_tokens,arrival_s\n";
    for (const Request& request : requests) csv += fmt::format("{},{},{}\n", request.prompt, request.output, request.arrival);
    return text(csv);
}

class Reader {
public:
    Reader(const QJsonObject& object, const std::string& file, bool newer, QStringList& left_out) : object_(object), file_(file), newer_(newer), left_out_(left_out) {}

    Result<ServingInputs> read() {
        static constexpr std::array kKnown{"model", "weights", "activations", "kv_dtype", "framework", "count", "tp", "pp", "ep", "batch", "prompt", "output", "table", "batching", "token_budget", "memory_share",
                                           "overlap", "topology"};
        for (const QString& key : object_.keys()) {
            if (std::any_of(kKnown.begin(), kKnown.end(), [&key](const char* known) { return key == QLatin1String(known); })) continue;
            problem(key, "is not a key of a session");
            left_out_ << QStringLiteral("serving.") + key.left(kLongestWord);
        }
        word("weights", inputs_.weights);
        word("activations", inputs_.activations);
        word("kv_dtype", inputs_.kv_dtype);
        word("framework", inputs_.framework);
        word("topology", inputs_.topology);
        const auto counts = {std::pair("tp", &inputs_.tp), std::pair("pp", &inputs_.pp), std::pair("ep", &inputs_.ep), std::pair("count", &inputs_.count)};
        for (const auto& [key, value] : counts) *value = static_cast<int>(whole(key, *value, key == std::string_view("count") ? 0 : 1, 1 << 20));
        inputs_.shape.batch = whole("batch", inputs_.shape.batch, 1, static_cast<std::int64_t>(kMostRequests));
        inputs_.shape.prompt = whole("prompt", inputs_.shape.prompt, 1, kLongestRequest);
        inputs_.shape.output = whole("output", inputs_.shape.output, 1, kLongestRequest);
        inputs_.token_budget = whole("token_budget", 0, 0, 10'000'000);
        inputs_.memory_share = share("memory_share");
        inputs_.overlap = share("overlap");
        batching();
        model();
        table();
        if (error_ && !newer_) return tl::unexpected(*error_);
        return inputs_;
    }

private:
    void problem(const QString& key, std::string message) {
        if (newer_) left_out_ << QStringLiteral("serving.") + key.left(kLongestWord);
        if (!error_) error_ = Error{std::move(message), "serving." + key.left(kLongestWord).toStdString(), file_};
    }
    [[nodiscard]] QJsonValue at(const char* key) const { return object_.value(QLatin1String(key)); }

    void word(const char* key, std::string& value) {
        const QJsonValue json = at(key);
        if (json.isUndefined()) return;
        if (!json.isString() || json.toString().size() > kLongestWord) return problem(QLatin1String(key), "should be a short text in quotes");
        value = json.toString().toStdString();
    }
    std::int64_t whole(const char* key, std::int64_t otherwise, std::int64_t least, std::int64_t most) {
        const QJsonValue json = at(key);
        if (json.isUndefined()) return otherwise;
        const qint64 value = json.toInteger(std::numeric_limits<qint64>::min());
        if (value >= least && value <= most) return value;
        problem(QLatin1String(key), fmt::format("should be a whole number from {} to {}", least, most));
        return otherwise;
    }
    double share(const char* key) {
        const QJsonValue json = at(key);
        if (json.isUndefined()) return 0;
        if (json.isDouble() && json.toDouble() >= 0 && json.toDouble() <= 1) return json.toDouble();
        problem(QLatin1String(key), "should be a number from 0 to 1");
        return 0;
    }
    void batching() {
        const QJsonValue json = at("batching");
        if (json.isUndefined()) return;
        for (const auto& [name, value] : kBatchings) {
            if (json.toString() != QLatin1String(name)) continue;
            inputs_.batching = value;
            return;
        }
        problem(QStringLiteral("batching"), "should be automatic, static or continuous");
    }
    void model() {
        const QJsonObject json = at("model").toObject();
        if (json.isEmpty()) return;
        const QString id = json.value(QLatin1String("id")).toString().left(kLongestWord);
        auto with = with_model_text(inputs_, json.value(QLatin1String("config")).toString().toStdString(), id.toStdString() + ".json", json.value(QLatin1String("opened")).toBool());
        if (!with) return problem(QStringLiteral("model.config"), with.error().to_string());
        // What the session says of formats stands, whatever the model's own are.
        with->weights = inputs_.weights;
        with->activations = inputs_.activations;
        with->kv_dtype = inputs_.kv_dtype;
        inputs_ = std::move(*with);
    }
    void table() {
        const QJsonObject json = at("table").toObject();
        if (json.isEmpty()) return;
        const QString name = json.value(QLatin1String("file")).toString().left(kLongestPath);
        const QJsonValue carried = json.value(QLatin1String("csv"));
        auto requests = carried.isString() ? parse_requests(carried.toString().toStdString(), name.toStdString()) : read_requests(name.toStdString());
        if (!requests && carried.isString()) return problem(QStringLiteral("table.csv"), requests.error().to_string());
        if (!requests) {  // the file is gone: the rest of the session opens
            left_out_ << text(requests.error().to_string());
            return;
        }
        inputs_.table = std::make_shared<const Workload>(std::move(*requests));
        inputs_.table_file = name;
    }

    const QJsonObject& object_;
    const std::string& file_;
    bool newer_;
    QStringList& left_out_;
    ServingInputs inputs_;
    std::optional<Error> error_;
};

}  // namespace

QJsonObject serving_json(const ServingInputs& inputs) {
    QJsonObject object{{QStringLiteral("framework"), text(inputs.framework)},
                       {QStringLiteral("kv_dtype"), text(inputs.kv_dtype)},
                       {QStringLiteral("tp"), inputs.tp},
                       {QStringLiteral("pp"), inputs.pp},
                       {QStringLiteral("ep"), inputs.ep},
                       {QStringLiteral("count"), inputs.count},
                       {QStringLiteral("batch"), static_cast<qint64>(inputs.shape.batch)},
                       {QStringLiteral("prompt"), static_cast<qint64>(inputs.shape.prompt)},
                       {QStringLiteral("output"), static_cast<qint64>(inputs.shape.output)},
                       {QStringLiteral("token_budget"), static_cast<qint64>(inputs.token_budget)},
                       {QStringLiteral("memory_share"), inputs.memory_share},
                       {QStringLiteral("overlap"), inputs.overlap}};
    for (const auto& [key, value] : {std::pair("weights", &inputs.weights), std::pair("activations", &inputs.activations), std::pair("topology", &inputs.topology)})
        if (!value->empty()) object.insert(QLatin1String(key), text(*value));
    for (const auto& [name, value] : kBatchings)
        if (value == inputs.batching) object.insert(QStringLiteral("batching"), QLatin1String(name));
    if (inputs.model) {
        object.insert(QStringLiteral("model"), QJsonObject{{QStringLiteral("id"), text(inputs.model->id)},
                                                           {QStringLiteral("config"), text(inputs.model_text)},
                                                           {QStringLiteral("opened"), inputs.opened}});
    }
    if (inputs.table) {
        QJsonObject table{{QStringLiteral("file"), inputs.table_file}};
        if (inputs.table->size() <= kMostCarriedRequests) table.insert(QStringLiteral("csv"), csv_of(*inputs.table));
        object.insert(QStringLiteral("table"), table);
    }
    return object;
}

Result<ServingInputs> serving_of_json(const QJsonObject& object, const std::string& file, bool newer, QStringList& left_out) { return Reader(object, file, newer, left_out).read(); }

}  // namespace synperf::ui
