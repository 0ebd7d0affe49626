#include "models/compare_session.h"

#include <fmt/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <array>

#include "economics/kernel_comparison.h"
#include "hardware/gpu_json.h"
#include "prediction/engine.h"

namespace synperf::ui {

namespace {

constexpr qsizetype kLongestKey = 60;
constexpr qsizetype kLongestFilter = 200;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

class Reader {
public:
    Reader(const std::string& file, bool newer, QStringList& left_out) : file_(file), newer_(newer), left_out_(left_out) {}

    Result<CompareInputs> read(const QJsonObject& object, const CompareInputs& otherwise) {
        static constexpr std::array kKnown{"gpus", "baseline", "workload", "pipes", "designed", "change", "filter"};
        for (const QString& key : object.keys())
            if (std::none_of(kKnown.begin(), kKnown.end(), [&key](const char* known) { return key == QLatin1String(known); })) problem(key, "is not a key of a session");
        gpus(object.value(QLatin1String("gpus")));
        inputs_.baseline = place(object, "baseline");
        inputs_.designed = place(object, "designed");
        inputs_.workload = flag(object, "workload");
        inputs_.pipes = flag(object, "pipes");
        change(object.value(QLatin1String("change")));
        words(object.value(QLatin1String("filter")));
        if (error_ && !newer_) return tl::unexpected(*error_);
        return error_ && inputs_.gpus.size() < kFewestCompared ? otherwise : inputs_;
    }

private:
    void problem(const QString& key, std::string message) {
        const QString field = QStringLiteral("compare.") + key.left(kLongestKey);
        if (newer_) left_out_ << field;
        if (!error_) error_ = Error{std::move(message), field.toStdString(), file_};
    }
    void gpus(const QJsonValue& json) {
        const QJsonArray array = json.toArray();
        if (!json.isArray() || array.size() < static_cast<qsizetype>(kFewestCompared) || array.size() > static_cast<qsizetype>(kMostCompared))
            return problem(QStringLiteral("gpus"), fmt::format("should be a list of {} to {} GPUs", kFewestCompared, kMostCompared));
        for (qsizetype i = 0; i < array.size(); ++i) {
            const QString key = QStringLiteral("gpus[%1]").arg(i);
            const QJsonObject object = array[i].toObject();
            const QByteArray spec = QJsonDocument(object.value(QLatin1String("spec")).toObject()).toJson(QJsonDocument::Compact);
            if (static_cast<std::size_t>(spec.size()) > kMaxSpecFileBytes) return problem(key, "is larger than a GPU spec may be");
            auto gpu = parse_gpu_json(spec.toStdString(), file_, SpecOrigin::user);
            if (!gpu) return problem(key + QLatin1Char('.') + text(gpu.error().field), gpu.error().message);
            if (object.value(QLatin1String("origin")).toString() == QLatin1String("shipped")) gpu->origin = SpecOrigin::shipped;
            gpu->file.clear();
            if (std::ranges::any_of(inputs_.gpus, [&gpu](const ComparedGpu& other) { return other.gpu.id == gpu->id; })) return problem(key, "has an id that another one has");
            const QJsonValue edited_from = object.value(QLatin1String("edited_from"));
            const std::string base = edited_from.toString().toStdString();
            if (!edited_from.isUndefined() && !is_gpu_id(base)) return problem(key + QStringLiteral(".edited_from"), "should be a GPU's id: 1 to 64 letters, digits, '.', '_' or '-'");
            inputs_.gpus.push_back({std::move(*gpu), base});
        }
    }
    std::size_t place(const QJsonObject& object, const char* key) {
        const QJsonValue json = object.value(QLatin1String(key));
        if (json.isUndefined()) return 0;
        const qint64 value = json.toInteger(-1);
        if (value >= 0 && value < static_cast<qint64>(std::max<std::size_t>(inputs_.gpus.size(), 1))) return static_cast<std::size_t>(value);
        problem(QLatin1String(key), "should be the place of one of the GPUs, from 0");
        return 0;
    }
    bool flag(const QJsonObject& object, const char* key) {
        const QJsonValue json = object.value(QLatin1String(key));
        if (!json.isUndefined() && !json.isBool()) problem(QLatin1String(key), "should be true or false");
        return json.toBool();
    }
    void change(const QJsonValue& json) {
        if (json.isUndefined()) return;
        const QJsonObject factors = json.toObject();
        if (!json.isObject()) return problem(QStringLiteral("change"), "should be an object of factors");
        for (auto it = factors.begin(); it != factors.end(); ++it) {
            const auto knob = parse_design_knob(it.key().left(kLongestKey).toStdString());
            const double factor = it.value().toDouble(-1);
            if (knob && factor >= kLeastFactor && factor <= kMostFactor) inputs_.change[*knob] = factor;
            else problem(QStringLiteral("change.") + it.key(), knob ? fmt::format("should be a factor from {} to {}", kLeastFactor, kMostFactor) : "is nothing that a design changes");
        }
    }

    void words(const QJsonValue& json) {
        if (!json.isUndefined() && (!json.isString() || json.toString().size() > kLongestFilter)) return problem(QStringLiteral("filter"), fmt::format("should be a text of at most {} letters", kLongestFilter));
        inputs_.words = json.toString().toStdString();
    }

    const std::string& file_;
    bool newer_;
    QStringList& left_out_;
    CompareInputs inputs_;
    std::optional<Error> error_;
};

}  // namespace

QJsonObject compare_json(const CompareInputs& inputs) {
    QJsonArray gpus;
    for (const ComparedGpu& each : inputs.gpus) {
        QJsonObject gpu{{QStringLiteral("spec"), QJsonDocument::fromJson(QByteArray::fromStdString(write_gpu_json(each.gpu))).object()},
                        {QStringLiteral("origin"), each.gpu.origin == SpecOrigin::shipped ? QStringLiteral("shipped") : QStringLiteral("user")}};
        if (!each.edited_from.empty()) gpu.insert(QStringLiteral("edited_from"), text(each.edited_from));
        gpus.append(gpu);
    }
    QJsonObject change;
    for (const DesignKnob knob : kDesignKnobs)
        if (inputs.change[knob] != 1) change.insert(text(name(knob)), inputs.change[knob]);
    QJsonObject object{{QStringLiteral("gpus"), gpus},
                       {QStringLiteral("baseline"), static_cast<qint64>(inputs.baseline)},
                       {QStringLiteral("workload"), inputs.workload},
                       {QStringLiteral("pipes"), inputs.pipes},
                       {QStringLiteral("designed"), static_cast<qint64>(inputs.designed)},
                       {QStringLiteral("change"), change}};
    if (!inputs.words.empty()) object.insert(QStringLiteral("filter"), text(inputs.words));
    return object;
}

Result<CompareInputs> compare_of_json(const QJsonObject& object, const std::string& file, const Engine& engine, bool newer, QStringList& left_out) {
    return Reader(file, newer, left_out).read(object, default_compare(engine));
}

}  // namespace synperf::ui
