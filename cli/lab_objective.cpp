#include <memory>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab/coefficients.hpp"
#include "lab/limit.hpp"
#include "lab/standardize.hpp"
#include "lab_options.hpp"
#include "southwell/core/error.hpp"

namespace southwell::cli {
namespace {

struct Options : LabOptions {
  std::string coefficients;
};

/// The command line's objective where it names a loss, else the file's own.
lab::ObjectiveSpec objective_of(const Options& options, const lab::CoefficientsFile& file) {
  const lab::ObjectiveSpec& given = options.objective;
  if (!given.loss.empty()) return given;
  if (given.penalty != "none" || given.alpha || given.l1_ratio || given.lower || given.upper ||
      given.huber_width) {
    throw InvalidArgument("loss: needed where --penalty or one of its numbers is given");
  }
  if (file.objective) return *file.objective;
  throw InvalidArgument("loss: not given, and " + options.coefficients + " does not name one");
}

/// Coefficients of standardised data mean nothing on raw ones: the file's word counts.
bool standardize(const Options& options, const lab::CoefficientsFile& file) {
  if (options.standardize && file.standardized == false) {
    throw InvalidArgument("--standardize: given, but " + options.coefficients +
                          " holds coefficients of the data as they are");
  }
  return file.standardized.value_or(options.standardize);
}

void run(const Options& options) {
  core::ThreadPool pool(options.read.threads);
  data::Dataset dataset = read_data(options.data, options.read);
  const lab::CoefficientsFile file =
      lab::read_coefficients(options.coefficients, dataset.feature_names, dataset.features());
  if (standardize(options, file)) dataset.design = lab::standardized(dataset.design, pool);
  dataset.design = lab::limited(dataset.design, file.record_limit, pool);
  const lab::ObjectiveSpec spec = objective_of(options, file);
  const lab::Evaluation found = lab::evaluate(dataset, spec, file.at);
  if (options.json) {
    nlohmann::json out = lab_json(spec);
    out.update({{"objective", number_or_null(found.objective())},
                {"loss_value", found.loss_value},
                {"penalty_value", number_or_null(found.penalty_value)},
                {"records", dataset.records()}});
    print_json(out);
    return;
  }
  fmt::print("  {:24} {}\n", "records", dataset.records());
  fmt::print("  {:24} {} + {}\n", "objective of", spec.loss, spec.penalty);
  fmt::print("  {:24} {:.10g}\n", "objective", found.objective());
  fmt::print("  {:24} {:.10g}\n", "loss", found.loss_value);
  fmt::print("  {:24} {:.10g}\n", "penalty", found.penalty_value);
  print_not_private();
}

}  // namespace

void add_lab_objective(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command =
      lab.add_subcommand("objective", "The objective of given coefficients; not private");
  command
      .add_option(
          "COEF", options->coefficients,
          "A model or the JSON of `lab optimum`, a CSV feature,coef, or an .npy; each also .gz")
      .required();
  add_lab_options(command, *options, Purpose::evaluating);
  command.footer(
      "A model and the JSON of `lab optimum` name their objective: --loss, --penalty, ... are "
      "then\n"
      "not needed, and replace it as a whole where --loss is given. The intercept is the file's; "
      "in\n"
      "a CSV it is the feature (intercept). The JSON of a run with --standardize is evaluated on\n"
      "standardised data. Features go by their names where file and data have them.\n"
      "Not private: the value is that of the records.\n"
      "\n"
      "Examples:\n"
      "  southwell lab objective model.json heart.csv --target sick\n"
      "  southwell lab objective truth.csv square.csv --loss squared --penalty l1 --alpha 30\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
