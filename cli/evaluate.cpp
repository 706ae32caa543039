#include "southwell/assess/private_evaluation.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "commands.hpp"
#include "core_dumps.hpp"
#include "data_options.hpp"
#include "json_output.hpp"
#include "ledger_option.hpp"
#include "outputs.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/predict.hpp"
#include "validators.hpp"
#include "warnings.hpp"

namespace southwell::cli {
namespace {

struct Options : ModelOptions {
  std::optional<double> epsilon;
  std::optional<double> delta;
  assess::EvaluationSpec spec;
  std::optional<std::string> ledger;
  bool json = false;
  std::string html;

  bool is_private() const { return epsilon || delta; }
};

void print_exact(const Options& options, const model::LinearModel& model) {
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
  if (model.privacy.has_units()) {
    fmt::print(
        "Each record counts once here. In the fit, and in private figures by unit, {}\n"
        "count once together.\n",
        core::printable(model.privacy.unit));
  }
}

/// What is asked of a private evaluation; the units of a raw table are those of its schema.
assess::EvaluationSpec spec_of(const Options& options, const data::TableEncoding* table) {
  assess::EvaluationSpec spec = options.spec;
  spec.epsilon = fit::required("epsilon", options.epsilon, "a positive finite number");
  spec.delta = fit::required("delta", options.delta, "a number above 0 and below 1");
  if (table == nullptr) {
    check_unit_column(options.data, spec.unit);
    return spec;
  }
  if (spec.unit) fit::refuse("unit", *spec.unit, "the unit of the schema, or none");
  if (const auto unit = table->schema().unit()) spec.unit = table->schema().fields()[*unit].name;
  return spec;
}

// Whatever is printed here is a function of public inputs or of the released figures: no number of
// rows, none that were left out.
void print_private(const Options& options, const model::LinearModel& model,
                   data::FileWriter* page) {
  const auto schema = model::table_of(model);
  const bool is_table = schema && data::file_format(options.data) == data::FileFormat::csv;
  assess::EvaluationSpec spec = spec_of(options, is_table ? schema.get() : nullptr);
  // What can be refused before the data are read.
  fit::DataShape shape;
  shape.records = 1;
  shape.has_units = spec.unit.has_value();
  assess::PrivateEvaluation(spec, model, shape);
  data::ReadOptions read = options.read;
  if (!is_table && spec.unit) {
    read.id = spec.unit;
    read.id_input = "unit";
  }
  data::Dataset dataset = read_data_for(model, options.data, read, data::TableUse::assess);
  if (!is_table && spec.unit) {
    dataset.record_units = units_of(dataset, read.missing);
    spec.unit = dataset.id_name;  // where it was given by number
  }
  const assess::PrivateEvaluation evaluation(spec, model, fit::DataShape::of(dataset));
  warn_of(evaluation.statement());
  const assess::PrivateFigures figures = evaluation.find(dataset, options.ledger);
  if (page != nullptr) {
    page->write(assess::to_html(figures, model::HtmlForm::page));
    page->commit();
  }
  if (options.json) {
    fmt::print("{}", assess::to_json(figures));
    return;
  }
  fmt::print("guarantee: {}\n", figures.privacy.guarantee);
  if (figures.privacy.has_units()) {
    fmt::print("unit: {}, which count once together\n", core::printable(figures.privacy.unit));
  }
  fmt::print("\n{}", assess::to_text(figures));
  fmt::print(
      "\nThe guarantee is that of the figures; the model has a statement of its own. --json has\n"
      "the curves and the whole statement too.\n");
}

void run(const Options& options) {
  const Output html{"--html", options.html};
  std::vector<std::string> inputs = files_of(options.data, options.read);
  inputs.push_back(options.model);
  check_outputs({html}, files_with(options.ledger, inputs));
  data::check_options(options.data, options.read);
  const std::unique_ptr<data::FileWriter> page = open_output(html);
  const model::LinearModel model = model::load(options.model);
  const NoCoreDumps while_it_holds_records;
  if (options.is_private()) return print_private(options, model, page.get());
  print_exact(options, model);
}

/// What makes sense with a budget alone.
void refuse_without_budget(const Command& command, const Options& options) {
  if (options.is_private()) return;
  for (const char* const flag : {"--relation", "--records", "--unit", "--target-scale", "--ledger",
                                 "--seed-for-tests", "--html"}) {
    if (command.has(flag)) {
      throw InvalidArgument(std::string(flag) +
                            ": given without a budget, only valid with --epsilon and --delta");
    }
  }
}

void add_budget(const Command& parent, Options& options) {
  const Command command = parent.group("With a budget: private figures");
  command
      .add_option("--epsilon", options.epsilon,
                  "The budget's epsilon: smaller is more private, and noisier")
      .check(any_number());
  command.add_option("--delta", options.delta, "The budget's delta, above 0, far below 1 / records")
      .check(any_number());
  command
      .add_option("--relation", options.spec.relation,
                  "Which data sets must look alike: " + core::listed(privacy::kRelationNames) +
                      " [replace_one]")
      .check(one_of(privacy::kRelationNames));
  command
      .add_option("--records", options.spec.records,
                  "The public number of records, under add_or_remove_one")
      .check(whole_number(1));
  command.add_option("--unit", options.spec.unit,
                     "What a unit is called: of a .csv file the column that says whose each record "
                     "is; a unit's records are protected together");
  command
      .add_option("--target-scale", options.spec.target_scale,
                  "Of a regression: the size that errors are counted in, up to four of it [that of "
                  "the fit]")
      .check(any_number());
  add_ledger_option(command, options.ledger);
  command
      .add_option("--seed-for-tests", options.spec.seed_for_tests,
                  "Noise that can be foreseen: turns the guarantee off")
      .check(whole_number(0));
  command.add_option("--html", options.html,
                     "Also write the figures, drawn, and the statement as a page for a browser");
}

}  // namespace

void add_evaluate(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand(
      "evaluate",
      "How well a model predicts given records: private figures with a budget, else exact ones");
  options->add_to(command);
  command.add_option("--target", options->read.target,
                     "CSV: the target's name or column number from 0 [that of the model's schema, "
                     "else target]; "
                     "npy: its column number or a second file");
  command.add_flag("--json", options->json, "Print JSON instead of a table");
  add_budget(command, *options);
  command.footer(
      "Without a budget the figures are exact, and not private. A record without a target, or\n"
      "without a value that the model uses, is left out of all of them; how many were is said.\n"
      "A label that the model does not know is a wrong prediction; in auc and the losses it\n"
      "counts as the first class, as in a fit.\n\n"
      "Exact figures count records. Private figures of a model whose fit knew whose each record "
      "is\n"
      "count units where --unit, or the model's schema, says whose each one is.\n\n"
      "With a budget the records are protected: figures come from a histogram with noise, each\n"
      "with an interval that has this noise and the chance of a sample. How many records were\n"
      "left out is not said, and unknown labels count in accuracy alone. Its cost adds to that\n"
      "of everything else done with the same people: evaluate on records the fit did not see.\n\n"
      "Examples:\n"
      "  southwell evaluate model.json test.csv --target target\n"
      "  southwell evaluate insurance.json new_insurance.csv    # a raw table, as the schema says\n"
      "  southwell evaluate a9a.json a9a.t.libsvm.gz --json\n"
      "  southwell evaluate a9a.json a9a.t.libsvm.gz --epsilon 1 --delta 1e-6 --html page.html\n");
  command.callback([command, options] {
    refuse_without_budget(command, *options);
    run(*options);
  });
}

}  // namespace southwell::cli
