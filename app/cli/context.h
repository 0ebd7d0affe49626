// What the subcommands share: the streams, the exit code, and what is loaded on first use.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_catalogue.h"
#include "prediction/engine.h"
#include "serving/collectives.h"

namespace synperf::cli {

inline constexpr int kBadInput = 1;

class Context {
public:
    Context(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}

    [[nodiscard]] std::ostream& out() const { return out_; }
    [[nodiscard]] std::ostream& err() const { return err_; }

    /// The specs folder; fails where the program finds none.
    [[nodiscard]] Result<std::filesystem::path> specs() const;
    /// Shipped GPUs with the user's own over them. Files that did not load are told on stderr, once.
    [[nodiscard]] Result<const GpuCatalogue*> gpus();

    /// A kernel file that was named on the command line: it is put over what the folders have, and must be good.
    void use_kernel_file(std::filesystem::path file) { kernel_files_.push_back(std::move(file)); }
    /// Predict without trained models; before the engine is first asked for.
    void use_analytical() {
        analytical_ = true;
        if (engine_) engine_->predictor = engine_->predictor.analytical();
    }
    /// Everything that predictions need, GPUs included.
    [[nodiscard]] Result<const Engine*> engine();

    /// Curves and topologies of collectives, with the user's own over the shipped ones.
    [[nodiscard]] Result<const CollectiveModel*> collectives();

    /// Prints the one line of an error; the program ends with exit code 1.
    void fail(const Error& error);
    void warn(const Error& error);
    [[nodiscard]] int exit_code() const { return exit_code_; }

private:
    std::ostream& out_;
    std::ostream& err_;
    int exit_code_ = 0;
    bool analytical_ = false;
    std::optional<GpuCatalogue> gpus_;
    std::optional<Engine> engine_;
    std::optional<CollectiveModel> collectives_;
    std::vector<std::filesystem::path> kernel_files_;
};

}  // namespace synperf::cli
