#include "prediction/learned_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/features.h"
#include "hardware/architecture.h"

namespace synperf {

namespace {

using nlohmann::json;

constexpr std::size_t kMostMembers = 16;
constexpr std::size_t kMostColumns = 1024;
constexpr std::size_t kMostWidth = 4096;
constexpr std::string_view kEnding = ".model";

json offsets_json(const std::array<BoundOffsets, 3>& offsets) {
    json all = json::array();
    for (const BoundOffsets& one : offsets) all.push_back({{"interval", one.interval}, {"p80", one.p80}, {"reach", one.reach}});
    return all;
}

void read_offsets(const json& from, std::array<BoundOffsets, 3>& offsets) {
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = {from.at(i).at("interval").get<double>(), from.at(i).at("p80").get<double>(), from.at(i).value("reach", 0.0)};
}

const std::vector<float>& array(const ModelArchive& archive, const std::string& name, std::size_t size) {
    const auto at = archive.arrays.find(name);
    if (at == archive.arrays.end()) throw std::out_of_range(fmt::format("the array \"{}\" is missing", name));
    if (size > 0 && at->second.values.size() != size) {
        throw std::out_of_range(fmt::format("the array \"{}\" has {} numbers, {} are needed", name, at->second.values.size(), size));
    }
    return at->second.values;
}

// One of two words.
bool is_first(const json& header, const char* key, std::string_view first, std::string_view second) {
    const auto word = header.at(key).get<std::string>();
    if (word != first && word != second) throw std::out_of_range(fmt::format("has the {} \"{}\", this program knows {} and {}", key, word.substr(0, 40), first, second));
    return word == first;
}

// Predictions quote it.
void check_card(const json& card) {
    if (!card.is_object() || (card.contains("rows") && !card["rows"].is_number()) || (card.contains("date") && !card["date"].is_string())) {
        throw std::out_of_range("has a card that is no object with a number of rows and a date");
    }
}

// Throws what is wrong; the caller names the file.
LearnedModel read_model(const ModelArchive& archive) {
    const json& header = archive.header;
    const int version = header.at("feature_version").get<int>();
    if (version != kFeatureVersion) {
        throw std::out_of_range(fmt::format("was trained on version {} of the features, this program computes version {}; train it anew", version, kFeatureVersion));
    }
    LearnedModel model;
    model.name = header.at("name").get<std::string>();
    header.at("features").get_to(model.features);
    header.at("gpus").get_to(model.gpus);
    header.at("generations").get_to(model.generations);
    header.at("implementations").get_to(model.implementations);
    model.map = is_first(header, "map", "exponential", "logistic") ? EfficiencyMap::exponential : EfficiencyMap::logistic;
    read_offsets(header.at("offsets"), model.offsets);
    for (std::size_t i = 0; i < model.correction.size(); ++i) model.correction[i] = header.at("correction").at(i).get<double>();
    model.usual_distance = header.at("usual_distance").get<double>();
    model.card = header.at("card");
    check_card(model.card);
    const std::size_t columns = model.features.size();
    if (columns == 0 || columns > kMostColumns) throw std::out_of_range(fmt::format("has {} features, 1 to {} are read", columns, kMostColumns));
    NetworkShape shape;
    shape.inputs = columns;
    shape.outputs = kOutputs;
    header.at("hidden").get_to(shape.hidden);
    shape.activation = is_first(header, "activation", "relu", "silu") ? Activation::relu : Activation::silu;
    if (shape.hidden.size() > 8 || std::ranges::any_of(shape.hidden, [](std::size_t width) { return width == 0 || width > kMostWidth; })) {
        throw std::out_of_range("has hidden layers of no usable width");
    }
    model.scaler = {array(archive, "mean", columns), array(archive, "scale", columns)};
    const auto members = header.at("members").get<std::size_t>();
    if (members == 0 || members > kMostMembers) throw std::out_of_range(fmt::format("has {} networks, 1 to {} are read", members, kMostMembers));
    for (std::size_t m = 0; m < members; ++m) {
        Network network{shape, {}, {}};
        const auto last = network.layers().back();
        network.parameters = array(archive, fmt::format("network {}", m), last.bias + last.outputs);
        model.members.push_back(std::move(network));
    }
    model.centres = array(archive, "centres", 0);
    if (model.centres.size() % columns != 0) throw std::out_of_range("has centres of another width");
    for (const auto& [name, values] : archive.arrays) {
        if (std::ranges::any_of(values.values, [](float value) { return !std::isfinite(value); })) throw std::out_of_range(fmt::format("the array \"{}\" has a number that is not finite", name));
    }
    return model;
}

}  // namespace

std::string generation_key(const GpuSpec& gpu) {
    const std::string& generation = architecture_of(gpu.compute_capability).kernel_generation;
    return generation == "sm80" ? fmt::format("{} {}", generation, gpu.compute_capability) : generation;
}

std::string implementation_key(std::string_view implementation, const GpuSpec& gpu) { return fmt::format("{} | {}", implementation, generation_key(gpu)); }

GpuDistance LearnedModel::distance_of(const GpuSpec& gpu, std::string_view implementation) const {
    if (std::ranges::find(implementations, implementation_key(implementation, gpu)) == implementations.end()) return GpuDistance::foreign;
    // An edited copy of a GPU carries its name but not its numbers: only the shipped one was measured.
    if (gpu.origin == SpecOrigin::shipped && std::ranges::find(gpus, gpu.id) != gpus.end()) return GpuDistance::trained;
    return std::ranges::find(generations, generation_key(gpu)) != generations.end() ? GpuDistance::sibling : GpuDistance::foreign;
}

Result<LearnedModel> LearnedModel::read(const std::filesystem::path& file) {
    const auto archive = read_archive(file);
    if (!archive) return tl::unexpected(archive.error());
    try {
        LearnedModel model = read_model(*archive);
        model.file = file;
        return model;
    } catch (const json::exception&) {
        return tl::unexpected(Error{"is no model of kernel efficiency: its header lacks what one needs", {}, file.string()});
    } catch (const std::out_of_range& wrong) {
        return tl::unexpected(Error{wrong.what(), {}, file.string()});
    }
}

Result<void> LearnedModel::write(const std::filesystem::path& path) const {
    ModelArchive archive;
    const NetworkShape& shape = members.front().shape;
    archive.header = {{"name", name}, {"feature_version", kFeatureVersion}, {"features", features}, {"gpus", gpus}, {"generations", generations},
                      {"implementations", implementations}, {"map", map == EfficiencyMap::exponential ? "exponential" : "logistic"}, {"offsets", offsets_json(offsets)},
                      {"correction", correction}, {"usual_distance", usual_distance},
                      {"hidden", shape.hidden}, {"activation", shape.activation == Activation::relu ? "relu" : "silu"}, {"members", members.size()}, {"card", card}};
    archive.arrays["mean"] = {scaler.mean, false};
    archive.arrays["scale"] = {scaler.scale, false};
    archive.arrays["centres"] = {centres, true};
    for (std::size_t m = 0; m < members.size(); ++m) archive.arrays[fmt::format("network {}", m)] = {members[m].parameters, true};
    return write_archive(archive, path);
}

ModelSet ModelSet::load(const std::vector<std::filesystem::path>& folders, const std::function<Result<void>(const LearnedModel&)>& check) {
    ModelSet set;
    for (const std::filesystem::path& folder : folders) {
        std::error_code ignored;
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
            if (entry.path().extension() == kEnding) files.push_back(entry.path());
        }
        std::ranges::sort(files);
        for (const std::filesystem::path& file : files) {
            auto model = LearnedModel::read(file);
            if (!model) {
                set.problems_.push_back(model.error());
                continue;
            }
            const Result<void> checked = check ? check(*model) : Result<void>{};
            if (checked) {
                set.put(std::make_shared<const LearnedModel>(std::move(*model)));
            } else {
                set.problems_.push_back({checked.error().message, checked.error().field, file.string()});
            }
        }
    }
    return set;
}

const LearnedModel* ModelSet::find(std::string_view name) const {
    const auto at = models_.find(name);
    return at == models_.end() ? nullptr : at->second.get();
}

void ModelSet::put(std::shared_ptr<const LearnedModel> model) { models_[model->name] = std::move(model); }

}  // namespace synperf
