#include "southwell/assess/tuning.hpp"

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include <fmt/core.h>

#include "commands.hpp"
#include "core_dumps.hpp"
#include "data_options.hpp"
#include "fit_flags.hpp"
#include "progress_bar.hpp"
#include "released_model.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/fit/input_check.hpp"
#include "tune_settings.hpp"
#include "validators.hpp"
#include "warnings.hpp"

namespace southwell::cli {
namespace {

// Whatever is printed here is a function of public inputs or of the released model: nothing of
// other models, and not how many there were where that is secret.

struct Options {
  FitFlags fit;
  std::string grid;
  double choice_share = 0.2;
  std::string way = "auto";
  ModelOutput out;
};

assess::TuningSpec spec_of(const Options& options, const fit::FitSpec& base) {
  assess::TuningSpec spec;
  for (const Setting& setting : settings_in(options.grid, options.fit.given.lists)) {
    spec.settings.push_back(with_setting(base, setting));
    spec.names.push_back(name_of(setting));
  }
  spec.epsilon = fit::required("epsilon", base.epsilon, "a positive finite number");
  spec.delta = fit::required("delta", base.delta, "a number above 0 and below 1");
  spec.choice_share = options.choice_share;
  spec.test_share = base.test_share;
  // A ledger adds up lists of mechanisms, which a secret number of runs is not.
  spec.way = options.out.ledger && options.way == "auto" ? "all" : options.way;
  return spec;
}

std::string input_of(const model::Statement& statement, const char* name) {
  for (const model::PublicInput& input : statement.public_inputs) {
    if (input.name == name) return core::printable(std::get<std::string>(input.value));
  }
  return "";
}

void run(Options& options) {
  options.fit.spec = with_setting(options.fit.spec, single_values(options.fit.given.lists));
  settings_in(options.grid, options.fit.given.lists);
  const std::unique_ptr<data::FileWriter> writer = options.fit.checked_output(options.out);
  const NoCoreDumps while_it_holds_records;
  const data::Dataset dataset = options.fit.dataset();
  const assess::Tuning tuning(spec_of(options, options.fit.resolved(dataset)),
                              fit::DataShape::of(dataset));
  warn_of(tuning.statement());
  if (options.out.dry_run) {
    fmt::print("{}\n{}\nnothing was fitted, nothing is spent\n", model::to_text(tuning.statement()),
               tuning.plan().expectation());
    return;
  }
  ProgressBar fitting("tuning", ProgressBar::Estimate::none);
  const model::LinearModel model =
      tuning.find(dataset, {.progress = std::ref(fitting), .ledger = options.out.ledger});
  write_and_print(model, tuning.statement(), *writer, options.out.file,
                  {.model = "the chosen model",
                   .figures = "that no fit and no choice has seen",
                   .lines = "chosen: " + input_of(model.privacy, "chosen_setting") + "\n"});
}

}  // namespace

void add_tune(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand(
      "tune", "Choose among settings of a fit privately: one budget for all fits and the choice");
  options->fit.given.lists = listed_inputs();
  options->fit.add_to(command);
  command.add_option("--grid", options->grid,
                     "The settings, a JSON file: {\"alpha\": [0.001, 0.01]} for all combinations "
                     "of what its lists hold, or a list of such objects");
  command
      .add_option("--choice-share", options->choice_share,
                  "Share of the records that the models are compared on [0.2]")
      .check(number(0.0, 1.0));
  command
      .add_option("--way", options->way,
                  "all: fit all settings. runs: a secret number of settings drawn at random. "
                  "[auto: whichever leaves a fit more of the budget, by public numbers]")
      .check(one_of(assess::kWayNames));
  options->out.add_to(command, "Print the statement; fit and write nothing, spend nothing");
  command.footer(
      "Settings are fitted on one random part of the records, and compared on another by a\n"
      "mechanism, together with the model without features. The budget pays for all of it, so a\n"
      "fit has less of it than an untuned one: --dry-run says how much, and which way was taken\n"
      "and why. Often tuning does not pay: with 20 settings at epsilon 1 an untuned fit was "
      "better\n"
      "on 9 of 13 regression sets, as good on 4 and worse on none (docs/tune.md). --dry-run says\n"
      "what to expect. With --test-share there are private figures of the chosen model, on a third "
      "part.\n"
      "Settings must not be chosen by looking at the records. Of the other models nothing is "
      "kept.\n\n"
      "Examples:\n"
      "  southwell tune a9a.libsvm.gz --features 123 --loss logistic --penalty l2 --classes -1,1 "
      "\\\n"
      "      --epsilon 1 --delta 1e-6 --alpha 0.001,0.01,0.1 --out model.json\n"
      "  echo '{\"penalty\": [\"l1\", \"l2\"], \"alpha\": [0.01, 0.1]}' > grid.json\n"
      "  southwell tune square.csv --loss squared --epsilon 1 --delta 1e-6 --grid grid.json "
      "--dry-run\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
