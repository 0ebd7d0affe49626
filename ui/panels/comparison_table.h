// A comparison as a table: a row a measure, a column a GPU.
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "models/compare_worker.h"

namespace synperf::ui {

class ComparisonTable : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit ComparisonTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// The number behind a cell, in the row's unit: what columns are ordered by. Unset for words and what is missing.
    enum Roles : int { valueRole = Qt::UserRole + 1 };

    void setComparison(ComparisonPtr comparison);
    /// For narrow columns cells are folded: 1 breaks before an interval and inside a difference, 2 inside an interval and between words too.
    static constexpr int kMostFolded = 2;
    /// A cell as it is where nothing is folded, for copies.
    static constexpr int kWholeTextRole = Qt::UserRole + 40;
    void setFolded(int folded);
    [[nodiscard]] int folded() const { return folded_; }
    /// Lines that the cells of a row take.
    [[nodiscard]] int lines(int row) const;

    /// What the words of a filter leave: words that are part of a GPU's name choose GPUs, any of them; a measure needs all the others.
    struct Shown {
        std::vector<bool> rows, columns;
    };
    [[nodiscard]] Shown shown(const QString& words) const;

    /// Ids of the GPUs by the measure of a row, those without an answer last either way.
    [[nodiscard]] std::vector<std::string> order(int row, bool descending) const;
    /// Row of a measure by its key ("latency", "ceiling", "ttft", ...), -1 where there is none.
    [[nodiscard]] int row(std::string_view key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Cell {
        QString text{};
        std::optional<double> value{};
        int tone = 0;  ///< above 0: a loss, below: a gain
        QString more{};
        bool missing = false;  ///< no answer
    };
    struct Measure {
        std::string key;
        QString label;
        QString help;
        std::vector<Cell> cells;
    };
    template <class Make>
    void add(const char* key, const QString& label, const QString& help, Make make);
    void addKernelRows();
    void addQueryRows();
    [[nodiscard]] Cell change(std::size_t index) const;
    [[nodiscard]] Cell difference(std::size_t index) const;

    [[nodiscard]] Cell cost(const Range& cost, const Quote& quote) const;

    ComparisonPtr comparison_;
    int folded_ = 0;
    std::vector<Measure> measures_;
};

/// "H100 SXM5 80GB"
[[nodiscard]] QString comparedName(const Comparison& comparison, std::size_t index);
/// What "not distinguishable" and its like stand on.
[[nodiscard]] QString certaintyHelp(Certainty certainty);
/// In a word or two, for beside a number.
[[nodiscard]] QString confidenceMark(Confidence confidence);
/// "2 % not measured": of a step's kernels, in a word or two.
[[nodiscard]] QString notMeasuredText(double share);
inline constexpr double kMuch = 0.2;  ///< of a step: worth a warning
/// A sentence of the engine in the user's language, with names instead of ids.
[[nodiscard]] QString sentenceText(const std::string& sentence, const CompareInputs& inputs);

}  // namespace synperf::ui
