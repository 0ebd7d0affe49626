#include "models/command_line.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>

#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"

namespace synperf::ui {

namespace {

class CommandLine {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

constexpr qsizetype kLongestLine = 1 << 20;

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool is_automatic(const ParamSchema& schema, const ParamValue& value) {
    if (!schema.zero_is_automatic) return false;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == 0;
    if (const auto* real = std::get_if<double>(&value)) return *real == 0;
    return false;
}

// What was typed into the GPU, against the catalogue's.
void append_gpu_edits(QStringList& words, const Scenario& scenario, const GpuSpec& base) {
    for (const GpuFieldInfo& field : gpu_fields()) {
        const double now = scenario.gpu[field.field], before = base[field.field];
        if (std::isnan(now) || now == before) continue;
        words << QStringLiteral("--set") << shell_quoted(view(field.key) + QLatin1Char('=') + QString::number(now, 'g', 17));
    }
}

struct Words {
    QString family, gpu;
    bool analytical = false;
    std::vector<std::pair<QString, QString>> params, gpu_fields;
};

Result<std::pair<QString, QString>> assignment(const QString& word, const char* option) {
    const qsizetype equals = word.indexOf(QLatin1Char('='));
    if (equals <= 0) return failure(fmt::format("\"{}\" after {} should be name=value", word.toStdString(), option));
    return std::pair{word.left(equals), word.mid(equals + 1)};
}

// Options of the command line that say how to print, and whether a value follows.
const std::vector<std::pair<QString, bool>>& output_options() {
    static const std::vector<std::pair<QString, bool>> options{
        {QStringLiteral("--json"), false},
        {QStringLiteral("--csv"), false},
        {QStringLiteral("--why"), false},
        {QStringLiteral("--out"), true},
        {QStringLiteral("-o"), true}};
    return options;
}

// 0 where `word` is no output option, else how many words it takes.
qsizetype output_option_words(const QString& word) {
    for (const auto& [name, takes_value] : output_options()) {
        if (word == name) return takes_value ? 2 : 1;
        if (takes_value && word.startsWith(name + QLatin1Char('='))) return 1;
    }
    return 0;
}

Result<Words> sort_words(const QStringList& words) {
    Words sorted;
    qsizetype at = 0;
    if (at < words.size() && words[at] == QLatin1String("$")) ++at;
    if (at < words.size() && words[at].section(QLatin1Char('/'), -1) == QLatin1String("synperf")) ++at;
    if (at < words.size() && (words[at] == QLatin1String("predict") || words[at] == QLatin1String("timeline"))) {
        ++at;
    } else {
        return failure("a command line starts with \"synperf predict KERNEL\"");
    }
    for (; at < words.size(); ++at) {
        QString word = words[at];
        QString value;
        if (const qsizetype skip = output_option_words(word); skip > 0) {
            at += skip - 1;
            continue;
        }
        if (word == QLatin1String("--analytical")) {
            sorted.analytical = true;
            continue;
        }
        // "--gpu=ID" and "-pm=1" carry their value, "--gpu ID" does not.
        bool has_value = false;
        if (word.startsWith(QLatin1String("--"))) {
            if (const qsizetype equals = word.indexOf(QLatin1Char('=')); equals > 0) {
                value = word.mid(equals + 1);
                word = word.left(equals);
                has_value = true;
            }
        } else if (word.startsWith(QLatin1String("-p")) && word.size() > 2) {
            value = word.mid(2);
            word = QStringLiteral("-p");
            has_value = true;
        }
        if (!word.startsWith(QLatin1Char('-'))) {
            if (!sorted.family.isEmpty() && word.contains(QLatin1Char('='))) {
                const auto pair = assignment(word, "a parameter");
                if (!pair) return tl::unexpected(pair.error());
                sorted.params.push_back(*pair);
                continue;
            }
            if (!sorted.family.isEmpty())
                return failure(fmt::format("\"{}\" is one word too many", word.toStdString()));
            sorted.family = word;
            continue;
        }
        const bool known = word == QLatin1String("--gpu") || word == QLatin1String("-g") ||
                           word == QLatin1String("-p") || word == QLatin1String("--param") ||
                           word == QLatin1String("--set");
        if (!known) {
            return failure(
                fmt::format("unknown option {}: a scenario is KERNEL, --gpu ID, -p name=value, --set field=value, --analytical",
                            word.toStdString()));
        }
        if (!has_value) {
            if (++at >= words.size()) return failure(fmt::format("{} needs a value", word.toStdString()));
            value = words[at];
        }
        if (word == QLatin1String("--gpu") || word == QLatin1String("-g")) {
            sorted.gpu = value;
            continue;
        }
        const auto pair = assignment(value, word == QLatin1String("--set") ? "--set" : "-p");
        if (!pair) return tl::unexpected(pair.error());
        (word == QLatin1String("--set") ? sorted.gpu_fields : sorted.params).push_back(*pair);
    }
    if (sorted.family.isEmpty()) return failure("the kernel is missing: synperf predict KERNEL --gpu ID");
    return sorted;
}

Result<Params> params_from(const Words& words, const KernelFamily& family) {
    const std::vector<ParamSchema>& schema = family.schema();
    Params params = default_params(schema);
    for (const auto& [name, text] : words.params) {
        const std::size_t index = param_index(schema, name.toStdString());
        if (index == schema.size()) {
            std::vector<std::string> known;
            for (const ParamSchema& param : schema) known.push_back(param.name);
            return failure(
                fmt::format("{} has no such parameter{}", family.id(), did_you_mean(name.toStdString(), known)),
                name.toStdString());
        }
        const Result<ParamValue> value = parse_param(schema[index], text.toStdString());
        if (!value) return tl::unexpected(value.error());
        params.values[index] = *value;
    }
    return params;
}

}  // namespace

QString shell_quoted(const QString& word) {
    // \z: "$" would let a line end pass.
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_@%+=:,./-]+\\z"));
    if (plain.match(word).hasMatch()) return word;
    QString escaped = word;
    escaped.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + escaped + QLatin1Char('\'');
}

QString command_line(const Scenario& scenario, const Engine& engine) {
    if (scenario.family == nullptr) return {};
    const std::string& gpu = scenario.edited_from.empty() ? scenario.gpu.id : scenario.edited_from;
    QStringList words{QStringLiteral("synperf"), QStringLiteral("predict"), view(scenario.family->id()),
                      QStringLiteral("--gpu"), shell_quoted(QString::fromStdString(gpu))};
    const std::vector<ParamSchema>& schema = scenario.family->schema();
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const ParamValue& value = scenario.params.values[i];
        const QString text = QString::fromStdString(to_text(value));
        if (is_automatic(schema[i], value) || (text.isEmpty() && value == schema[i].initial)) continue;
        words << QStringLiteral("-p") << shell_quoted(QString::fromStdString(schema[i].name) + QLatin1Char('=') + text);
    }
    if (!scenario.edited_from.empty()) {
        if (const auto base = engine.gpus.find(gpu)) append_gpu_edits(words, scenario, **base);
    }
    if (scenario.analytical) words << QStringLiteral("--analytical");
    return words.join(QLatin1Char(' '));
}

QString command_line_caveat(const Scenario& scenario, const Engine& engine) {
    const std::string& id = scenario.edited_from.empty() ? scenario.gpu.id : scenario.edited_from;
    const auto base = engine.gpus.find(id);
    if (!base) {
        return CommandLine::tr("it works once \"Save this GPU among mine\" has saved %1, which no spec file holds yet")
            .arg(QString::fromStdString(id));
    }
    for (const GpuFieldInfo& field : gpu_fields()) {
        const double now = scenario.gpu[field.field], before = (**base)[field.field];
        if (std::isnan(now) && !std::isnan(before)) {
            return CommandLine::tr("it can not say that %1 is unknown: save the GPU first and copy again")
                .arg(view(field.label));
        }
        if (scenario.edited_from.empty() && now != before && !std::isnan(now)) {
            return CommandLine::tr("%1 among the saved GPUs has another %2: save this one first and copy again")
                .arg(QString::fromStdString(id), view(field.label));
        }
    }
    return {};
}

Result<QStringList> split_shell_words(const QString& line) {
    if (line.size() > kLongestLine) return failure("the line is longer than a command line can be");
    QStringList words;
    QString word;
    bool in_word = false;
    QChar quote;
    for (qsizetype at = 0; at < line.size(); ++at) {
        const QChar c = line[at];
        if (!quote.isNull()) {
            if (c == quote) {
                quote = QChar();
            } else if (quote == QLatin1Char('"') && c == QLatin1Char('\\') && at + 1 < line.size()) {
                word += line[++at];
            } else {
                word += c;
            }
        } else if (c == QLatin1Char('\'') || c == QLatin1Char('"')) {
            quote = c;
            in_word = true;
        } else if (c == QLatin1Char('\\') && at + 1 < line.size()) {
            if (line[++at] == QLatin1Char('\n')) continue;
            word += line[at];
            in_word = true;
        } else if (c.isSpace()) {
            if (in_word) words << word;
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (!quote.isNull()) return failure("a quote is not closed");
    if (in_word) words << word;
    return words;
}

Result<Scenario> scenario_from_command_line(const QString& line, const Scenario& now, const Engine& engine) {
    const Result<QStringList> split = split_shell_words(line);
    if (!split) return tl::unexpected(split.error());
    const Result<Words> words = sort_words(*split);
    if (!words) return tl::unexpected(words.error());

    const auto family = engine.kernels.find(words->family.toStdString());
    if (!family) return tl::unexpected(family.error());
    Scenario scenario;
    scenario.family = *family;
    if (words->gpu.isEmpty()) {
        scenario.gpu = now.gpu;
        scenario.edited_from = now.edited_from;
    } else {
        const auto gpu = engine.gpus.find(words->gpu.toStdString());
        if (!gpu) return tl::unexpected(gpu.error());
        scenario.gpu = **gpu;
    }
    const Result<Params> params = params_from(*words, **family);
    if (!params) return tl::unexpected(params.error());
    scenario.params = *params;
    scenario.analytical = words->analytical;

    for (const auto& [key, text] : words->gpu_fields) {
        const GpuFieldInfo* field = find_gpu_field(key.toStdString());
        if (field == nullptr) return failure("no such field of a GPU spec", key.toStdString());
        bool is_number = false;
        const double value = text.toDouble(&is_number);
        if (!is_number) return failure(fmt::format("\"{}\" is not a number", text.toStdString()), key.toStdString());
        if (const std::string wrong = check_value(field->field, value); !wrong.empty())
            return failure(wrong, key.toStdString());
        scenario = with_gpu_field(std::move(scenario), field->field, value);
    }
    if (now.family == scenario.family && now.params == scenario.params && now.gpu.id == scenario.gpu.id &&
        now.gpu.values == scenario.gpu.values)
        scenario.measured_us = now.measured_us;
    return scenario;
}

}  // namespace synperf::ui
