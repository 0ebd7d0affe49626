// The inputs of the Cost workspace: candidates, limits, prices and load. Every edit is one of the document's.
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <optional>

#include "models/candidate_model.h"
#include "models/document.h"
#include "models/gpu_list_model.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QListView;
class QPushButton;
class QVBoxLayout;

namespace synperf::ui {

class SearchPopup;
class ValueField;

class CostForm : public QWidget {
    Q_OBJECT
public:
    explicit CostForm(Document& document, QWidget* parent = nullptr);

    void setError(const QString& message);  ///< of the engine; empty: none
    void setCurrencies(const QStringList& codes);
    void catalogueChanged();
    void openGpuPicker();
    void removeCandidate();
    /// What is wrong with what stands in a field now; empty while all can be read.
    [[nodiscard]] QString inputError() const;
    [[nodiscard]] CandidateModel& candidates() { return candidates_; }
    [[nodiscard]] QListView& list() { return *list_; }

signals:
    void pricesRequested();
    void inputErrorChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Field {
        ValueField* field = nullptr;
        QLabel* error = nullptr;
        QString name;
        double least = 0, most = 0;
        bool whole = false, optional = true;  ///< optional: empty is 0, none
        std::function<double(const CostInputs&)> get;
        std::function<void(CostInputs&, double)> set;
        std::optional<double> shown;
        QString wrong;
    };
    void buildCandidates(QVBoxLayout* column);
    void buildFields(QVBoxLayout* column);
    Field& addField(QGridLayout* grid, const char* key, const QString& name, const QString& tip, const QString& unit, std::function<double(const CostInputs&)> get, std::function<void(CostInputs&, double)> set);
    void addChoice(QGridLayout* grid, QComboBox* box, const char* key, const QString& name, const QString& tip);
    void typed(const std::string& key, const QString& text);
    void refresh();
    void fitList();

    Document& document_;
    CandidateModel candidates_;
    GpuListModel gpus_;
    QListView* list_;
    QPushButton *add_, *remove_;
    SearchPopup* picker_;
    QComboBox *kind_, *currency_;
    QLabel* error_;
    std::map<std::string, Field> fields_;
};

}  // namespace synperf::ui
