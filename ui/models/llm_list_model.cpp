#include "models/llm_list_model.h"

#include <QLocale>
#include <QStringList>

namespace synperf::ui {

QString llm_summary(const LlmConfig& config) {
    const QLocale locale;
    const double all = parameter_count(config), active = active_parameter_count(config);
    QStringList parts{LlmListModel::tr("%1 B parameters").arg(locale.toString(all / 1e9, 'f', all < 1e11 ? 2 : 0))};
    if (active < 0.95 * all) parts << LlmListModel::tr("%1 B a token").arg(locale.toString(active / 1e9, 'f', 1));
    parts << LlmListModel::tr("%1 layers").arg(config.layers.size());
    const WeightFormats& weights = config.weights;
    QStringList formats;
    for (const std::string* format : {&weights.attention, &weights.mlp, &weights.experts})
        if (const QString name = QString::fromStdString(*format); !formats.contains(name)) formats << name;
    parts << formats.join(QLatin1Char('/'));
    return parts.join(QStringLiteral(", "));
}

void LlmListModel::setModels(std::vector<LlmConfig> models) {
    beginResetModel();
    models_ = std::move(models);
    endResetModel();
}

int LlmListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(models_.size()); }

QVariant LlmListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const LlmConfig& config = llm(index.row());
    switch (role) {
        case Qt::DisplayRole: return QString::fromStdString(config.id);
        case Qt::ToolTipRole: return QString::fromStdString(config.source);
        case secondRole: return llm_summary(config);
        case searchRole: return QString::fromStdString(config.id + "\n" + config.model_type);
        default: return {};
    }
}

}  // namespace synperf::ui
