#include "models/core_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <array>

namespace synperf::ui {

namespace {

// What the engine says, marked for translation. A text that is missing here is shown as it is.
[[maybe_unused]] constexpr std::array kMarked{
    QT_TRANSLATE_NOOP("core", "Dense matrix product as cuBLAS and CUTLASS run it."),
    QT_TRANSLATE_NOOP("core", "Shape"),
    QT_TRANSLATE_NOOP("core", "rows"),
    QT_TRANSLATE_NOOP("core", "Rows of A and C: the tokens of a batch."),
    QT_TRANSLATE_NOOP("core", "columns"),
    QT_TRANSLATE_NOOP("core", "Columns of B and C: the output features."),
    QT_TRANSLATE_NOOP("core", "elements"),
    QT_TRANSLATE_NOOP("core", "Columns of A and rows of B: the sum's length."),
    QT_TRANSLATE_NOOP("core", "Format of A and B. fp32 runs on the FMA pipe, all others on the tensor pipe."),
    QT_TRANSLATE_NOOP("core", "Tile"),
    QT_TRANSLATE_NOOP("core", "Kernel generation; auto takes the GPU's own."),
    QT_TRANSLATE_NOOP("core", "Rows of C that one CTA computes; 0 tries the library's tiles and takes the fastest."),
    QT_TRANSLATE_NOOP("core", "Columns of C that one CTA computes; 0 is automatic."),
    QT_TRANSLATE_NOOP("core", "Depth of one main-loop step; 0 is automatic."),
    QT_TRANSLATE_NOOP("core", "Main-loop steps in flight in shared memory; 0 is as many as fit, at most the library's."),
    QT_TRANSLATE_NOOP("core", "Slices of k computed by different CTAs and summed by a second kernel; 0 is automatic."),
    QT_TRANSLATE_NOOP("core", "Grid size where a profile gave it; 0 derives it from the tile."),
    QT_TRANSLATE_NOOP("core", "Memory"),
    QT_TRANSLATE_NOOP("core", "Different weights that take turns, as a model's layers do: B is in L2 only if all of them fit."),
    QT_TRANSLATE_NOOP("core", "Attention"),
    QT_TRANSLATE_NOOP("core", "FlashAttention-2 and -3, prefill and decode, for requests of any lengths."),
    QT_TRANSLATE_NOOP("core", "Requests"),
    QT_TRANSLATE_NOOP("core", "requests"),
    QT_TRANSLATE_NOOP("core", "Equal requests of q_len new and kv_len total tokens; ignored where q_lengths is given."),
    QT_TRANSLATE_NOOP("core", "tokens"),
    QT_TRANSLATE_NOOP("core", "New tokens of each request: the prompt in prefill, 1 in decode."),
    QT_TRANSLATE_NOOP("core", "All tokens each request attends to, the new ones included; at least q_len."),
    QT_TRANSLATE_NOOP("core", "New tokens of each request where they differ: 4096,7x31 is one of 4096 and 31 of 7."),
    QT_TRANSLATE_NOOP("core", "All tokens of each request, as many entries as q_lengths."),
    QT_TRANSLATE_NOOP("core", "Model"),
    QT_TRANSLATE_NOOP("core", "heads"),
    QT_TRANSLATE_NOOP("core", "Query heads on this GPU."),
    QT_TRANSLATE_NOOP("core", "Key and value heads on this GPU; num_heads must be a multiple."),
    QT_TRANSLATE_NOOP("core", "Elements of one head; padded to the next size that kernels exist for."),
    QT_TRANSLATE_NOOP("core", "A token sees only itself and what came before."),
    QT_TRANSLATE_NOOP("core", "Newest keys a query sees; 0 is all."),
    QT_TRANSLATE_NOOP("core", "Format"),
    QT_TRANSLATE_NOOP("core", "Format of the products."),
    QT_TRANSLATE_NOOP("core", "Format of the KV cache; auto is dtype."),
    QT_TRANSLATE_NOOP("core", "Kernel"),
    QT_TRANSLATE_NOOP("core", "auto: FlashAttention-3 for prefill on Hopper and data-centre Blackwell, else FlashAttention-2."),
    QT_TRANSLATE_NOOP("core", "Tokens of a KV-cache page; 1 or 0 is contiguous."),
    QT_TRANSLATE_NOOP("core", "Keys of one FA2 CTA when the KV length is split; 0 is the library's choice."),
    QT_TRANSLATE_NOOP("core", "Root-mean-square normalisation of each row, with or without a residual add."),
    QT_TRANSLATE_NOOP("core", "Rows; one CTA each."),
    QT_TRANSLATE_NOOP("core", "Elements each row has in the output on this GPU."),
    QT_TRANSLATE_NOOP("core", "Format of the tensors."),
    QT_TRANSLATE_NOOP("core", "Adds a residual first and writes the sum back: two reads and two writes."),
    QT_TRANSLATE_NOOP("core", "Gated activation: silu(gate) x up, both halves of each row read, one written."),
    QT_TRANSLATE_NOOP("core", "Tensor pipe"),
    QT_TRANSLATE_NOOP("core", "FMA pipe"),
    QT_TRANSLATE_NOOP("core", "XU pipe"),
    QT_TRANSLATE_NOOP("core", "Shared memory"),
    QT_TRANSLATE_NOOP("core", "L2 bandwidth"),
    QT_TRANSLATE_NOOP("core", "DRAM bandwidth"),
    QT_TRANSLATE_NOOP("core", "Launch latency"),
    QT_TRANSLATE_NOOP("core", "Tensor pipe, all SMs equally busy"),
    QT_TRANSLATE_NOOP("core", "FMA pipe, all SMs equally busy"),
    QT_TRANSLATE_NOOP("core", "XU pipe, all SMs equally busy"),
    QT_TRANSLATE_NOOP("core", "Shared memory, all SMs equally busy"),
    QT_TRANSLATE_NOOP("core", "L2 bandwidth, all SMs equally busy"),
    QT_TRANSLATE_NOOP("core", "DRAM bandwidth, all SMs equally busy"),
    QT_TRANSLATE_NOOP("core", "All work of the busiest pipe at its datasheet rate, spread evenly."),
    QT_TRANSLATE_NOOP("core", "Tail, %1 of %2 SMs idle"),
    QT_TRANSLATE_NOOP("core", "Busiest SM above the mean"),
    QT_TRANSLATE_NOOP("core", "What the busiest SM has more than the mean, while the others wait for it."),
    QT_TRANSLATE_NOOP("core", "Sustained below peak rate"),
    QT_TRANSLATE_NOOP("core", "Real kernels do not hold the datasheet rate: tile edges, power limit, memory protocol."),
    QT_TRANSLATE_NOOP("core", "Pipeline fill and drain"),
    QT_TRANSLATE_NOOP("core", "The first loads of every CTA before its main loop runs."),
    QT_TRANSLATE_NOOP("core", "Other pipes and loads not hidden"),
    QT_TRANSLATE_NOOP("core", "Memory and compute overlap only in part; main loops wait for loads."),
    QT_TRANSLATE_NOOP("core", "Then: split reduction"),
    QT_TRANSLATE_NOOP("core", "Then: split-KV merge"),
    QT_TRANSLATE_NOOP("core", "A kernel that waits for this one."),
    QT_TRANSLATE_NOOP("core", "Launch"),
    QT_TRANSLATE_NOOP("core", "From the launch in a CUDA graph to the first CTA, and back."),
    QT_TRANSLATE_NOOP("core", "a quarter more DRAM bandwidth"),
    QT_TRANSLATE_NOOP("core", "twice the L2 capacity"),
    QT_TRANSLATE_NOOP("core", "half the launch latency"),
    QT_TRANSLATE_NOOP("core", "tensor clock held at %1 MHz"),
    QT_TRANSLATE_NOOP("core", "everything chosen automatically: %1 CTAs, %2 waves"),
    QT_TRANSLATE_NOOP("core", "tile_m %1: %2 CTAs, %3 waves"),
    QT_TRANSLATE_NOOP("core", "tile_n %1: %2 CTAs, %3 waves"),
    QT_TRANSLATE_NOOP("core", "split_k %1: %2 CTAs, %3 waves"),
    QT_TRANSLATE_NOOP("core", "analytical model, no trained efficiency yet"),
    QT_TRANSLATE_NOOP("core", "hardware"),
    QT_TRANSLATE_NOOP("core", "persistent, static stride"),
    QT_TRANSLATE_NOOP("core", "persistent, queue"),
    QT_TRANSLATE_NOOP("core", "persistent, longest first"),
    QT_TRANSLATE_NOOP("core", "persistent, least loaded"),
};

QString translated(const QString& key) { return QCoreApplication::translate("core", key.toUtf8().constData()); }

}  // namespace

QString coreText(std::string_view text) {
    const QString plain = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    if (const QString exact = translated(plain); exact != plain) return exact;
    // Numbers that stand alone, neither part of a name like fp32 nor of one like FlashAttention-2.
    static const QRegularExpression number(QStringLiteral("(?<![\\w.-])\\d+(?:\\.\\d+)?(?![\\w.])"));
    QString key;
    QStringList numbers;
    qsizetype end = 0;
    for (auto match = number.globalMatch(plain); match.hasNext() && numbers.size() < 9;) {
        const QRegularExpressionMatch found = match.next();
        numbers << found.captured();
        key += plain.mid(end, found.capturedStart() - end) + QLatin1Char('%') + QString::number(numbers.size());
        end = found.capturedEnd();
    }
    if (numbers.isEmpty()) return plain;
    key += plain.mid(end);
    QString result = translated(key);
    if (result == key) return plain;
    for (qsizetype i = numbers.size(); i > 0; --i) result.replace(QLatin1Char('%') + QString::number(i), numbers[i - 1]);
    return result;
}

}  // namespace synperf::ui
