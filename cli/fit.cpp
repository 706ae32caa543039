#include "southwell/fit/fit.hpp"

#include <functional>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "commands.hpp"
#include "core_dumps.hpp"
#include "data_options.hpp"
#include "fit_flags.hpp"
#include "noise_table.hpp"
#include "progress_bar.hpp"
#include "released_model.hpp"
#include "southwell/assess/held_out_fit.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/ledger/ledger.hpp"
#include "warnings.hpp"

namespace southwell::cli {
namespace {

// Whatever is printed here is a function of public inputs or of the released model: no number of
// rows, no time, no training loss.

struct Options {
  FitFlags fit;
  ModelOutput out;
  bool json = false;
};

/// What a ledger says to the fit that is planned, before anything is charged.
void print_admission(const Options& options, const model::Statement& planned) {
  if (!options.out.ledger) return;
  const ledger::LedgerState state = ledger::Ledger(*options.out.ledger).state();
  const ledger::Entry entry = state.admitted("fit", planned, "").entry;
  fmt::print("\nledger: it would be admitted");
  if (entry.admission == ledger::Admission::whole) {
    fmt::print(" as the only entry: the ledger is closed then");
  } else if (entry.admission == ledger::Admission::plan) {
    fmt::print(" as a member of plan {}", entry.plan);
  }
  fmt::print("\n");
}

void print_plan(const Options& options, const fit::FitPlan& plan) {
  if (options.json) {
    fmt::print("{}", model::to_json(plan->statement));
    return;
  }
  fmt::print("{}", model::to_text(plan->statement));
  print_noise(plan);
  print_admission(options, plan->statement);
  fmt::print("\nnothing was fitted, nothing is spent\n");
}

fit::FitPlan planned(const FitFlags& options, const data::Dataset& dataset) {
  return fit::plan_fit(options.resolved(dataset), fit::DataShape::of(dataset));
}

void run(Options& options) {
  if (options.json && !options.out.dry_run) {
    throw InvalidArgument(
        "--json: given without --dry-run, accepted is both; southwell inspect "
        "--json prints a model's statement");
  }
  const std::unique_ptr<data::FileWriter> writer = options.fit.checked_output(options.out);
  const NoCoreDumps while_it_holds_records;
  const data::Dataset dataset = options.fit.dataset();
  const fit::FitPlan plan = planned(options.fit, dataset);
  warn_of(plan->statement);
  if (options.out.dry_run) {
    print_plan(options, plan);
    return;
  }
  ProgressBar fitting("fitting", ProgressBar::Estimate::none);
  const model::LinearModel model = assess::fit_and_assess(
      dataset, plan, {.progress = std::ref(fitting), .ledger = options.out.ledger});
  write_and_print(model, plan->statement, *writer, options.out.file,
                  {.model = "the model", .figures = "that were held out"});
}

}  // namespace

void add_fit(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command =
      parent.add_subcommand("fit", "Fit a private linear model, with a statement of its privacy");
  options->fit.add_to(command);
  options->out.add_to(command,
                      "Print the statement and the noise to expect; fit and write nothing");
  command.add_flag("--json", options->json,
                   "With --dry-run: print the statement as JSON, for southwell ledger plan");
  command.footer(
      "Public inputs are for you to declare. The form of the data (columns, names and, under\n"
      "replace_one, the number of records) is public too; scales, classes and the features of a\n"
      "sparse file are never read from records, unless you allow leaks: then there is no "
      "guarantee.\n"
      "Values inside records never stop a fit: missing and infinite ones are clipped.\n\n"
      "A raw table (words, dates, numbers in their own units, missing cells) takes a schema: what "
      "its\n"
      "columns are, from what is known without the records. Target, classes, sizes, features and\n"
      "units are then as it says, the model carries it, and whatever a record holds is read: a "
      "cell\n"
      "that does not fit is missing. Without a schema a CSV holds numbers, and text is an "
      "error.\n\n"
      "With --test-share the model is fitted on a random part of the records and comes with "
      "private\n"
      "figures of how well it predicts the others, for the same budget: no record is in both.\n\n"
      "Examples:\n"
      "  southwell schema init insurance.csv --out insurance.json    # then fill it in\n"
      "  southwell fit insurance.csv --schema insurance.json --loss squared \\\n"
      "      --epsilon 1 --delta 1e-6 --out model.json\n"
      "  zcat visits.csv.gz | southwell fit - --schema visits.json --delimiter ';' --loss logistic "
      "\\\n"
      "      --epsilon 1 --delta 1e-6 --out model.json\n"
      "  southwell fit square.csv --loss squared --penalty l1 --alpha 30 --epsilon 1 \\\n"
      "      --delta 1e-6 --no-intercept --out model.json\n"
      "  southwell fit a9a.libsvm.gz --features 123 --loss logistic --classes -1,1 --epsilon 1 \\\n"
      "      --delta 1e-6 --feature-scale 1 --out a9a.json\n"
      "  southwell fit square.csv --loss squared --epsilon 1 --delta 1e-6 --test-share 0.2 \\\n"
      "      --out model.json\n"
      "  southwell fit square.csv --loss squared --epsilon 1 --delta 1e-6 --dry-run\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
