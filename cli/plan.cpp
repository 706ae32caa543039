#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "commands.hpp"
#include "data_options.hpp"
#include "fit_flags.hpp"
#include "noise_table.hpp"
#include "southwell/assess/planned_figures.hpp"
#include "southwell/assess/planned_tuning.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/fit/plan_table.hpp"
#include "validators.hpp"
#include "warnings.hpp"

namespace southwell::cli {
namespace {

struct Options {
  FitFlags fit;
  std::optional<std::size_t> features{};
  std::optional<std::size_t> settings{};
  bool json = false;
};

std::string cell(double number) {
  return std::isfinite(number) ? fmt::format("{:.3g}", number) : "-";
}

void print_as_table(const fit::PlanTable& found) {
  fmt::print("solver {}: {}\n\n", found.solver, found.why);
  if (found.held_out) {
    fmt::print("  of the records {} to fit, {} for private figures at no cost besides\n\n",
               found.held_out->fit, found.held_out->test);
  }
  fmt::print("  {:>9} {:>6} {:>10} {:>12} {:>8} {:>14} {:>13} {:>15}\n", "epsilon", "T",
             "selections", "epsilon each", "releases", "noise / sens.", "sd of a coef",
             "smallest effect");
  for (std::size_t k = 0; k < found.rows.size(); ++k) {
    const fit::PlanRow& row = found.rows[k];
    fmt::print("{} {:>9} {:>6} {:>10} {:>12} {:>8} {:>14} {:>13} {:>15}\n",
               k == found.chosen ? "*" : " ", cell(row.epsilon), row.iterations, row.selections,
               cell(row.selection_epsilon), row.releases, cell(row.release_scale),
               cell(row.coef_noise_sd), cell(row.smallest_effect));
  }
  fmt::print(
      "\n  * what a fit would do. Noise: of the last kind of release, in sensitivities. Smallest\n"
      "  effect: the coefficient that one selection finds with probability 0.9 among features\n"
      "  without effect (-: none is large enough). {}All of it from public numbers: no data\n"
      "  were read, nothing was spent.\n",
      found.in_target_scales ? "Both are in units of the target scale to be found.\n  " : "");
}

/// How wide the intervals of private figures would be, in a made-up case.
void print_figures(const fit::FitPlan& plan) {
  const assess::PlannedFigures planned = assess::planned_figures(plan);
  if (planned.figures.empty()) return;
  fmt::print("\n  95 % intervals to expect of private figures, for {}:\n", planned.law);
  fmt::print("  {:<20} {:>9} {:>9} {:>12} {:>12}\n", "figure", "about", "+-", "sd by noise",
             "by sampling");
  for (const assess::NamedFigure& each : planned.figures) {
    fmt::print("  {:<20} {:>9} {:>9} {:>12} {:>12}\n", each.name, cell(each.figure.value),
               cell(assess::half_width(each.figure)), cell(each.figure.noise_sd),
               cell(each.figure.sampling_sd));
  }
}

void print_tuning(const assess::PlannedTuning& planned) {
  // Numbers, and what follows from them.
  const std::size_t colon = planned.expectation.find(": ");
  fmt::print(
      "\n  A private choice among {} settings would leave each fit epsilon {} (way: {}).\n"
      "  What to expect: {}:\n  {}.\n",
      planned.settings, cell(planned.epsilon_of_each), planned.by_runs ? "runs" : "all",
      planned.expectation.substr(0, colon), planned.expectation.substr(colon + 2));
}

/// The rows of a table speak of one feature; here is every one by name.
void print_of_features(const fit::FitPlan& plan) {
  fmt::print("\n  Sd and smallest effect above are those of '{}'. Of the fit marked *:\n",
             core::printable(plan->feature_names.front()));
  print_noise(plan);
}

/// The form of the data to come: as the schema says, if there is one.
fit::DataShape planned_shape(const Options& options, const fit::FitSpec& spec) {
  fit::DataShape shape;
  shape.features = options.features.value_or(0);
  if (spec.table) {
    shape.features = spec.table->features();
    shape.feature_names = spec.table->feature_names();
    shape.has_units = spec.table->schema().unit().has_value();
  } else if (!options.features) {
    throw InvalidArgument("--features is required, unless with --schema");
  }
  if (spec.unit) shape.has_units = true;
  shape.records = spec.records.value_or(0);
  shape.is_imagined = true;
  return shape;
}

void run(const Options& options) {
  fit::FitSpec spec = options.fit.spec;
  spec.table = table_in("--schema", options.fit.schema);
  spec.features = options.features;
  const fit::DataShape shape = planned_shape(options, spec);
  if (spec.relation.value_or("replace_one") == "replace_one") spec.records.reset();
  const std::string& scale = options.fit.given.feature_scale;
  if (!scale.empty()) {
    spec.feature_scale = {options.fit.number_of("--feature-scale", scale)};
  }
  const fit::PlanTable found = fit::plan_table(spec, shape);
  std::optional<assess::PlannedTuning> tuning;
  if (options.settings) tuning = assess::planned_tuning(spec, shape, *options.settings);
  tell_warnings(found.warnings);
  if (options.json) {
    std::string table = fit::to_json(found);
    if (found.held_out) table = assess::with_planned_figures(table, fit::plan_fit(spec, shape));
    fmt::print("{}", tuning ? assess::with_planned_tuning(table, *tuning) : table);
  } else {
    print_as_table(found);
    if (found.held_out) print_figures(fit::plan_fit(spec, shape));
    if (spec.table) print_of_features(fit::plan_fit(spec, shape));
    if (tuning) print_tuning(*tuning);
  }
}

}  // namespace

void add_plan(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command =
      parent.add_subcommand("plan", "What a budget would buy, before any data are read");
  add_input_flags(command, options->fit.spec, options->fit.given, StartFlag::none);
  command.option("--feature-scale").description("Typical size of the features, a number [1]");
  command.option("--records").required().description("How many records there will be");
  command
      .add_option("--features", options->features,
                  "How many features there will be; required without a schema")
      .check(whole_number(1));
  command.add_option(
      "--schema", options->fit.schema,
      "The public schema of a raw table: features, their sizes and classes are as it "
      "says");
  command
      .add_option("--settings", options->settings,
                  "Also what a private choice among so many settings (southwell tune) would leave "
                  "each fit, and whether it is likely to pay")
      .check(whole_number(1));
  command.add_flag("--json", options->json, "Print JSON instead of a table");
  command.footer(
      "Shows, for a range of iterations at this budget and for other budgets, the events and\n"
      "their noise, the noise in a coefficient, and the smallest effect a selection finds.\n"
      "What is not given is as in fit; without --classes there are two of them. With --test-share\n"
      "there are the widths to expect of the intervals of private figures, in a made-up case.\n"
      "Pictures: southwell.plot.plan in Python.\n\n"
      "Examples:\n"
      "  southwell plan --schema insurance.json --records 1300 --epsilon 1 --delta 1e-6 \\\n"
      "      --loss squared\n"
      "  southwell plan --records 5000 --features 2000 --epsilon 1 --delta 1e-7 \\\n"
      "      --loss logistic --feature-scale 1\n"
      "  southwell plan --records 20000 --features 30 --epsilon 0.5 --delta 1e-8 \\\n"
      "      --loss squared --penalty l2 --alpha 0.01 --target-scale 12 --json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
