#include "models/session_file.h"

#include <fmt/format.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <cmath>

#include "hardware/gpu_json.h"
#include "models/compare_session.h"
#include "models/document.h"
#include "models/cost_session.h"
#include "models/serving_session.h"

namespace synperf::ui {

namespace {

constexpr qsizetype kLongestName = 200;
const QString kFormat = QStringLiteral("synperf-session");

QString view_of(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QJsonValue json_of(const ParamValue& value) {
    struct Visitor {
        QJsonValue operator()(std::int64_t v) const { return QJsonValue(static_cast<qint64>(v)); }
        QJsonValue operator()(double v) const { return v; }
        QJsonValue operator()(bool v) const { return v; }
        QJsonValue operator()(const std::string& v) const { return QString::fromStdString(v); }
        QJsonValue operator()(const IntegerList& v) const { return QString::fromStdString(to_text(ParamValue(v))); }
    };
    return std::visit(Visitor{}, value);
}

QJsonObject json_of(const Scenario& scenario) {
    QJsonObject params;
    const std::vector<ParamSchema>& schema = scenario.family->schema();
    for (std::size_t i = 0; i < schema.size(); ++i)
        params.insert(QString::fromStdString(schema[i].name), json_of(scenario.params.values[i]));
    QJsonObject object{
        {QStringLiteral("kernel"), view_of(scenario.family->id())},
        {QStringLiteral("params"), params},
        {QStringLiteral("gpu"),
         QJsonDocument::fromJson(QByteArray::fromStdString(write_gpu_json(scenario.gpu))).object()},
        {QStringLiteral("gpu_origin"),
         scenario.gpu.origin == SpecOrigin::shipped ? QStringLiteral("shipped") : QStringLiteral("user")}};
    if (!scenario.edited_from.empty())
        object.insert(QStringLiteral("gpu_edited_from"), QString::fromStdString(scenario.edited_from));
    if (scenario.measured_us) object.insert(QStringLiteral("measured_us"), *scenario.measured_us);
    if (scenario.analytical) object.insert(QStringLiteral("analytical"), true);
    return object;
}

// Reads one file. Errors carry the file's name; in a newer file an unknown part is noted and left out instead.
class Reader {
public:
    Reader(const QString& file, const Engine& engine) : file_(file.toStdString()), engine_(engine) {}

    Result<OpenedSession> read(const QJsonObject& root);

private:
    tl::unexpected<Error> wrong(const std::string& field, std::string message) const {
        return tl::unexpected(Error{std::move(message), field, file_});
    }
    Result<void> no_unknown_keys(const QJsonObject& object, const std::string& where,
                                 std::initializer_list<const char*> known);
    Result<QString> text(const QJsonObject& object, const char* key, const std::string& where);
    Result<std::optional<double>> positive(const QJsonObject& object, const char* key, const std::string& where);
    Result<Scenario> scenario(const QJsonObject& object, const std::string& where);
    Result<Params> params(const QJsonObject& object, const KernelFamily& family, const std::string& where);
    Result<GpuSpec> gpu(const QJsonObject& object, const QString& origin, const std::string& where);
    Result<void> pins(const QJsonValue& value);

    std::string file_;
    const Engine& engine_;
    bool newer_ = false;
    OpenedSession opened_;
};

Result<void> Reader::no_unknown_keys(const QJsonObject& object, const std::string& where,
                                     std::initializer_list<const char*> known) {
    for (const QString& key : object.keys()) {
        if (std::any_of(known.begin(), known.end(), [&](const char* k) { return key == QLatin1String(k); })) continue;
        const std::string field = where + key.left(kLongestName).toStdString();
        if (!newer_) return wrong(field, "is not a key of a session");
        opened_.left_out << QString::fromStdString(field);
    }
    return {};
}

Result<QString> Reader::text(const QJsonObject& object, const char* key, const std::string& where) {
    const QJsonValue value = object.value(QLatin1String(key));
    if (!value.isString()) return wrong(where + key, value.isUndefined() ? "is missing" : "should be a text in quotes");
    if (value.toString().size() > kLongestName)
        return wrong(where + key, fmt::format("is longer than {} characters", kLongestName));
    return value.toString();
}

Result<std::optional<double>> Reader::positive(const QJsonObject& object, const char* key, const std::string& where) {
    const QJsonValue value = object.value(QLatin1String(key));
    if (value.isUndefined()) return std::nullopt;
    if (!value.isDouble() || !(value.toDouble() > 0) || !std::isfinite(value.toDouble()))
        return wrong(where + key, "should be a number of microseconds above 0");
    return value.toDouble();
}

Result<Params> Reader::params(const QJsonObject& object, const KernelFamily& family, const std::string& where) {
    const std::vector<ParamSchema>& schema = family.schema();
    Params params = default_params(schema);
    for (auto it = object.begin(); it != object.end(); ++it) {
        const std::string name = it.key().left(kLongestName).toStdString();
        const std::size_t index = param_index(schema, name);
        if (index == schema.size()) {
            if (!newer_) return wrong(where + name, fmt::format("{} has no such parameter", family.id()));
            opened_.left_out << QString::fromStdString(where + name);
            continue;
        }
        Result<ParamValue> value = failure("should be a number, true, false or a text in quotes");
        const QJsonValue json = it.value();
        if (json.isString()) {
            value = parse_param(schema[index], json.toString().toStdString());
        } else if (json.isBool()) {
            value = parse_param(schema[index], json.toBool() ? "true" : "false");
        } else if (json.isDouble()) {
            // A whole number is written without a point, so that an integer parameter can read it.
            const qint64 whole = json.toInteger(std::numeric_limits<qint64>::min());
            value = parse_param(schema[index], whole != std::numeric_limits<qint64>::min()
                                                   ? std::to_string(whole)
                                                   : fmt::format("{}", json.toDouble()));
        }
        if (!value) {
            if (!newer_) return wrong(where + name, value.error().message);
            opened_.left_out << QString::fromStdString(where + name + ": " + value.error().message);
            continue;
        }
        params.values[index] = *value;
    }
    return params;
}

Result<GpuSpec> Reader::gpu(const QJsonObject& object, const QString& origin, const std::string& where) {
    const QByteArray bytes = QJsonDocument(object).toJson(QJsonDocument::Compact);
    if (static_cast<std::size_t>(bytes.size()) > kMaxSpecFileBytes)
        return wrong(where, "is larger than a GPU spec may be");
    // A session may carry any spec that a user could make; only a shipped file has to be consistent.
    Result<GpuSpec> spec = parse_gpu_json(bytes.toStdString(), file_, SpecOrigin::user);
    if (!spec) {
        Error error = spec.error();
        error.field = where + (error.field.empty() ? "" : "." + error.field);
        error.line = 0;  // counted in the part, not in the file
        return tl::unexpected(error);
    }
    if (origin == QLatin1String("shipped")) spec->origin = SpecOrigin::shipped;
    spec->file.clear();
    return spec;
}

Result<Scenario> Reader::scenario(const QJsonObject& object, const std::string& where) {
    if (const auto ok = no_unknown_keys(
            object, where, {"kernel", "params", "gpu", "gpu_origin", "gpu_edited_from", "measured_us", "analytical"});
        !ok)
        return tl::unexpected(ok.error());
    Scenario scenario;
    const Result<QString> kernel = text(object, "kernel", where);
    if (!kernel) return tl::unexpected(kernel.error());
    const auto family = engine_.kernels.find(kernel->toStdString());
    if (!family && !newer_) return wrong(where + "kernel", family.error().message);
    if (!object.value(QLatin1String("params")).isObject())
        return wrong(where + "params", "should be an object of name: value");
    if (family) {
        scenario.family = *family;
        const auto values = params(object.value(QLatin1String("params")).toObject(), **family, where + "params.");
        if (!values) return tl::unexpected(values.error());
        scenario.params = *values;
    } else {
        // A newer version has kernels that this one lacks: the GPU is still understood and opens with a kernel of this version.
        opened_.left_out << QString::fromStdString(where + "kernel: " + family.error().message);
        scenario.family = engine_.kernels.families().front().get();
        scenario.params = default_params(scenario.family->schema());
    }

    if (!object.value(QLatin1String("gpu")).isObject()) return wrong(where + "gpu", "should be a GPU spec");
    const auto spec = gpu(object.value(QLatin1String("gpu")).toObject(),
                          object.value(QLatin1String("gpu_origin")).toString(), where + "gpu");
    if (!spec) return tl::unexpected(spec.error());
    scenario.gpu = *spec;

    if (object.contains(QLatin1String("gpu_edited_from"))) {
        const Result<QString> base = text(object, "gpu_edited_from", where);
        if (!base) return tl::unexpected(base.error());
        scenario.edited_from = base->toStdString();
    }
    const auto measured = positive(object, "measured_us", where);
    if (!measured) return tl::unexpected(measured.error());
    scenario.measured_us = *measured;
    if (const QJsonValue analytical = object.value(QLatin1String("analytical")); !analytical.isUndefined()) {
        if (!analytical.isBool()) return wrong(where + "analytical", "should be true or false");
        scenario.analytical = analytical.toBool();
    }
    return scenario;
}

Result<void> Reader::pins(const QJsonValue& value) {
    if (value.isUndefined()) return {};
    if (!value.isArray()) return wrong("pins", "should be a list");
    const QJsonArray array = value.toArray();
    if (array.size() > static_cast<qsizetype>(kMaxPins) && !newer_)
        return wrong("pins", fmt::format("has {} entries; at most {} can be pinned", array.size(), kMaxPins));
    for (qsizetype i = 0; i < array.size(); ++i) {
        const std::string where = fmt::format("pins[{}].", i);
        if (opened_.session.pins.size() == kMaxPins) {
            opened_.left_out << QString::fromStdString(where);
            break;
        }
        const QJsonObject object = array[i].toObject();
        Result<Scenario> pinned = wrong(where + "scenario", "should be an object");
        const Result<QString> name = text(object, "name", where);
        if (name && object.value(QLatin1String("scenario")).isObject())
            pinned = scenario(object.value(QLatin1String("scenario")).toObject(), where + "scenario.");
        if (!name || !pinned) {
            const Error error = !name ? name.error() : pinned.error();
            if (!newer_) return tl::unexpected(error);
            opened_.left_out << QString::fromStdString(error.field + ": " + error.message);
            continue;
        }
        opened_.session.pins.push_back({.name = *name, .scenario = *pinned, .explanation = nullptr});
    }
    return {};
}

Result<OpenedSession> Reader::read(const QJsonObject& root) {
    if (root.value(QLatin1String("format")).toString() != kFormat)
        return wrong("format", fmt::format("should be \"{}\"; this is another kind of file", kFormat.toStdString()));
    const QJsonValue version = root.value(QLatin1String("version"));
    const qint64 number = version.toInteger(0);
    if (number < 1 || number > 1'000'000) return wrong("version", "should be a whole number from 1");
    newer_ = number > kSessionVersion;
    Session& session = opened_.session;
    session.version = static_cast<int>(number);

    if (const auto ok =
            no_unknown_keys(root, "", {"format", "version", "program", "predicted_us", "scenario", "pins", "serving", "compare", "cost", "view"});
        !ok)
        return tl::unexpected(ok.error());
    session.program = root.value(QLatin1String("program")).toString().left(kLongestName);
    const auto predicted = positive(root, "predicted_us", "");
    if (!predicted) return tl::unexpected(predicted.error());
    session.predicted_us = *predicted;
    if (!root.value(QLatin1String("scenario")).isObject()) return wrong("scenario", "is missing");
    const auto main = scenario(root.value(QLatin1String("scenario")).toObject(), "scenario.");
    if (!main) return tl::unexpected(main.error());
    session.scenario = *main;
    if (const auto ok = pins(root.value(QLatin1String("pins"))); !ok) return tl::unexpected(ok.error());
    if (const QJsonValue serving = root.value(QLatin1String("serving")); !serving.isUndefined()) {
        if (!serving.isObject()) return wrong("serving", "should be an object");
        auto inputs = serving_of_json(serving.toObject(), file_, newer_, opened_.left_out);
        if (!inputs) return tl::unexpected(inputs.error());
        session.serving = std::move(*inputs);
    }
    if (const QJsonValue compare = root.value(QLatin1String("compare")); !compare.isUndefined()) {
        if (!compare.isObject()) return wrong("compare", "should be an object");
        auto inputs = compare_of_json(compare.toObject(), file_, engine_, newer_, opened_.left_out);
        if (!inputs) return tl::unexpected(inputs.error());
        session.compare = std::move(*inputs);
    }
    if (const QJsonValue cost = root.value(QLatin1String("cost")); !cost.isUndefined()) {
        if (!cost.isObject()) return wrong("cost", "should be an object");
        auto inputs = cost_inputs_of_json(cost.toObject(), file_, newer_, opened_.left_out);
        if (!inputs) return tl::unexpected(inputs.error());
        session.cost = std::move(*inputs);
    }
    session.view = root.value(QLatin1String("view")).toObject();
    return opened_;
}

}  // namespace

QByteArray write_session(const Session& session) {
    QJsonArray pins;
    for (const Pin& pin : session.pins)
        pins.append(QJsonObject{{QStringLiteral("name"), pin.name.left(kLongestName)},
                                {QStringLiteral("scenario"), json_of(pin.scenario)}});
    QJsonObject root{{QStringLiteral("format"), kFormat},
                     {QStringLiteral("version"), kSessionVersion},
                     {QStringLiteral("program"), session.program},
                     {QStringLiteral("scenario"), json_of(session.scenario)},
                     {QStringLiteral("pins"), pins},
                     {QStringLiteral("view"), session.view}};
    if (session.serving) root.insert(QStringLiteral("serving"), serving_json(*session.serving));
    if (session.compare) root.insert(QStringLiteral("compare"), compare_json(*session.compare));
    if (session.cost) root.insert(QStringLiteral("cost"), cost_inputs_json(*session.cost));
    if (session.predicted_us) root.insert(QStringLiteral("predicted_us"), *session.predicted_us);
    return QJsonDocument(root).toJson(QJsonDocument::Indented);
}

Result<OpenedSession> parse_session(const QByteArray& bytes, const QString& file, const Engine& engine) {
    const auto wrong = [&](std::string message, int line = 0) {
        return tl::unexpected(Error{std::move(message), {}, file.toStdString(), line});
    };
    if (bytes.size() > kMaxSessionBytes)
        return wrong(fmt::format("is larger than {} MiB; this is no session", kMaxSessionBytes >> 20));
    QJsonParseError error;
    const QByteArray body = bytes.startsWith("\xef\xbb\xbf") ? bytes.sliced(3) : bytes;
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    if (error.error != QJsonParseError::NoError) {
        const int line = static_cast<int>(body.left(error.offset).count('\n')) + 1;
        return wrong("is not JSON: " + error.errorString().toStdString(), line);
    }
    if (!document.isObject()) return wrong("should be a JSON object");
    return Reader(file, engine).read(document.object());
}

Result<OpenedSession> open_session(const QString& file, const Engine& engine) {
    QFile handle(file);
    if (!handle.open(QIODevice::ReadOnly))
        return tl::unexpected(Error{"can not be read: " + handle.errorString().toStdString(), {}, file.toStdString()});
    // One byte more than allowed, so that the parser sees that it is too large; a device file never ends.
    return parse_session(handle.read(kMaxSessionBytes + 1), file, engine);
}

Result<void> save_session(const QString& file, const Session& session) {
    QSaveFile handle(file);
    const QByteArray bytes = write_session(session);
    if (!handle.open(QIODevice::WriteOnly) || handle.write(bytes) != bytes.size() || !handle.commit())
        return tl::unexpected(
            Error{"can not be written: " + handle.errorString().toStdString(), {}, file.toStdString()});
    return {};
}

}  // namespace synperf::ui
