#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "commands.hpp"
#include "data_options.hpp"
#include "json_output.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/predict.hpp"

namespace southwell::cli {
namespace {

struct Options : ModelOptions {
  bool json = false;
};

void run(const Options& options) {
  data::check_options(options.data, options.read);
  const model::LinearModel model = model::load(options.model);
  const model::Evaluation figures = model::evaluate(
      model, read_data_for(model, options.data, options.read, data::TableUse::evaluate));
  const std::pair<const char*, double> rows[] = {
      {"loss_value", figures.loss_value}, {"mse", figures.mse}, {"r2", figures.r2},
      {"accuracy", figures.accuracy},     {"auc", figures.auc}, {"log_loss", figures.log_loss}};
  if (options.json) {
    nlohmann::json out{{"southwell_version", kVersion},
                       {"private", false},
                       {"records", figures.records},
                       {"left_out", figures.left_out}};
    for (const auto& [name, value] : rows) {
      if (!std::isnan(value)) out[name] = number_or_null(value);
    }
    print_json(out);
    return;
  }
  fmt::print("  {:12} {}\n", "records", figures.records);
  if (figures.left_out > 0) {
    fmt::print("  {:12} {} without a target or a value that the model uses\n", "left out",
               figures.left_out);
  }
  if (figures.records == 0) fmt::print("\nno record can be predicted: there are no figures\n");
  for (const auto& [name, value] : rows) {
    if (!std::isnan(value)) fmt::print("  {:12} {:.8g}\n", name, value);
  }
  fmt::print("\nnot private: these are exact figures of the records given\n");
}

}  // namespace

void add_evaluate(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand(
      "evaluate", "How well a model predicts given records; exact figures, not private");
  options->add_to(command);
  command.add_option("--target", options->read.target,
                     "CSV: the target's name or column number from 0 [that of the model's schema, "
                     "else target]; "
                     "npy: its column number or a second file");
  command.add_flag("--json", options->json, "Print JSON instead of a table");
  command.footer(
      "A record without a target, or without a value that the model uses, is left out of all\n"
      "figures; how many were is said. A label that the model does not know is a wrong\n"
      "prediction; in auc and the losses it counts as the first class, as in a fit.\n\n"
      "Examples:\n"
      "  southwell evaluate model.json test.csv --target target\n"
      "  southwell evaluate insurance.json new_insurance.csv    # a raw table, as the schema says\n"
      "  southwell evaluate a9a.json a9a.t.libsvm.gz --json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
