#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "commands.hpp"
#include "data_options.hpp"
#include "json_output.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/model/predict.hpp"

namespace southwell::cli {
namespace {

struct Options : ModelOptions {
  bool json = false;
};

void run(const Options& options) {
  const model::LinearModel model = model::load(options.model);
  data::ReadOptions read = options.read;
  const data::FileFormat format = data::file_format(options.data);
  if (!read.target && format == data::FileFormat::csv) read.target = data::kDefaultTargetName;
  if (!read.target && format == data::FileFormat::npy) {
    throw InvalidArgument(
        "--target: is required for a .npy file: a column number or a second file");
  }
  const model::Evaluation figures =
      model::evaluate(model, read_data_for(model, options.data, std::move(read)));
  const std::pair<const char*, double> rows[] = {
      {"loss_value", figures.loss_value}, {"mse", figures.mse}, {"r2", figures.r2},
      {"accuracy", figures.accuracy},     {"auc", figures.auc}, {"log_loss", figures.log_loss}};
  if (options.json) {
    nlohmann::json out{{"southwell_version", kVersion},
                       {"private", false},
                       {"records", figures.records},
                       {"without_target", figures.without_target}};
    for (const auto& [name, value] : rows) {
      if (!std::isnan(value)) out[name] = number_or_null(value);
    }
    print_json(out);
    return;
  }
  fmt::print("  {:12} {}\n", "records", figures.records);
  if (figures.without_target > 0) {
    fmt::print("  {:12} {} without a target\n", "left out", figures.without_target);
  }
  for (const auto& [name, value] : rows) {
    if (!std::isnan(value)) fmt::print("  {:12} {:.8g}\n", name, value);
  }
  fmt::print("\nnot private: these are exact figures of the records given\n");
}

}  // namespace

void add_evaluate(CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App* command = parent.add_subcommand(
      "evaluate", "How well a model predicts given records; exact figures, not private");
  options->add_to(*command);
  command->add_option("--target", options->read.target,
                      "CSV: the target's name or column number from 0 [target]; "
                      "npy: its column number or a second file");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->footer(
      "A record without a target is left out. A label that the model does not know is a wrong\n"
      "prediction; in auc and the losses it counts as the first class, as in a fit.\n\n"
      "Examples:\n"
      "  southwell evaluate model.json test.csv --target target\n"
      "  southwell evaluate a9a.json a9a.t.libsvm.gz --json\n");
  command->callback([options] { run(*options); });
}

}  // namespace southwell::cli
