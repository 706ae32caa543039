#include "southwell/assess/tuning.hpp"

#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "coefficient_table.hpp"
#include "commands.hpp"
#include "core_dumps.hpp"
#include "data_options.hpp"
#include "fit_flags.hpp"
#include "json_output.hpp"
#include "ledger_option.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/overloaded.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/inputs.hpp"
#include "southwell/model/save_json.hpp"
#include "validators.hpp"
#include "warnings.hpp"

namespace southwell::cli {
namespace {

using nlohmann::json;

struct Options {
  FitFlags fit;
  std::optional<std::string> ledger;
  std::string grid;
  std::string out;
  bool dry_run = false;
};

/// One input of a setting: its name and what it is.
using Choice = std::pair<std::string, json>;
using Setting = std::vector<Choice>;

double number_in(const Choice& choice) {
  if (!choice.second.is_number()) {
    fit::refuse(choice.first, choice.second.dump(), "a number here, in a setting");
  }
  return choice.second.get<double>();
}
std::string text_in(const Choice& choice) {
  if (!choice.second.is_string()) {
    fit::refuse(choice.first, choice.second.dump(), "a word in quotes, in a setting");
  }
  return choice.second.get<std::string>();
}
bool switch_in(const Choice& choice) {
  if (!choice.second.is_boolean()) {
    fit::refuse(choice.first, choice.second.dump(), "true or false, in a setting");
  }
  return choice.second.get<bool>();
}
std::uint64_t whole_in(const Choice& choice) {
  if (!choice.second.is_number_unsigned()) {
    fit::refuse(choice.first, choice.second.dump(), "a whole number, in a setting");
  }
  return choice.second.get<std::uint64_t>();
}

/// Sets the input of a row by the type of its member. The word auto leaves it out.
void set(fit::FitSpec& spec, const fit::Input& input, const Choice& choice) {
  if (input.is_automatic() && choice.second == "auto") return;
  std::visit(
      core::Overloaded{
          [&](std::string problem::ObjectiveSpec::* m) { spec.objective.*m = text_in(choice); },
          [&](std::optional<double> problem::ObjectiveSpec::* m) {
            spec.objective.*m = number_in(choice);
          },
          [&](std::optional<double> fit::FitSpec::* m) { spec.*m = number_in(choice); },
          [&](std::optional<std::uint64_t> fit::FitSpec::* m) { spec.*m = whole_in(choice); },
          [&](std::optional<bool> fit::FitSpec::* m) { spec.*m = switch_in(choice); },
          [&](std::optional<std::string> fit::FitSpec::* m) { spec.*m = text_in(choice); },
          [&](const fit::NumberOrPrivate& m) { spec.*m.number = number_in(choice); },
          [&](const fit::NumbersOrData& m) { spec.*m.numbers = {number_in(choice)}; },
          [&](auto) {
            fit::refuse(input.name, choice.second.dump(), "nothing: it is not for settings");
          },
      },
      input.member);
}

/// Every combination of the values of an object of lists.
void add_combinations(const json& lists, std::vector<Setting>& settings) {
  std::vector<Setting> all{{}};
  for (const auto& [name, values] : lists.items()) {
    const json list = values.is_array() ? values : json::array({values});
    std::vector<Setting> longer;
    for (const Setting& setting : all) {
      for (const json& value : list) {
        longer.push_back(setting);
        longer.back().emplace_back(name, value);
      }
    }
    all = std::move(longer);
  }
  settings.insert(settings.end(), all.begin(), all.end());
}

/// An object of lists, or several of them.
std::vector<Setting> settings_in(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw DataError(file + ": cannot be opened");
  std::stringstream text;
  text << in.rdbuf();
  const json grid = core::parsed(text.str(), file, "settings as JSON");
  std::vector<Setting> settings;
  for (const json& lists : grid.is_array() ? grid : json::array({grid})) {
    if (!lists.is_object()) {
      throw DataError(file + ": accepted are objects such as {\"alpha\": [0.01, 0.1]}");
    }
    add_combinations(lists, settings);
  }
  return settings;
}

std::string name_of(const Setting& setting) {
  std::string name;
  for (const auto& [input, value] : setting) {
    name += (name.empty() ? "" : ", ") + input + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return name;
}

assess::TuningSpec spec_of(const Options& options, const fit::FitSpec& base) {
  assess::TuningSpec spec;
  for (const Setting& setting : settings_in(options.grid)) {
    fit::FitSpec one = base;
    for (const Choice& choice : setting) {
      const auto rows = fit::inputs();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const fit::Input& input) {
        return input.name == choice.first;
      });
      if (row == rows.end()) {
        fit::refuse("--grid", choice.first, "names of inputs, as southwell fit --help has them");
      }
      set(one, *row, choice);
    }
    spec.settings.push_back(std::move(one));
    spec.names.push_back(name_of(setting));
  }
  spec.epsilon = fit::required("epsilon", base.epsilon, "a positive finite number");
  spec.delta = fit::required("delta", base.delta, "a number above 0 and below 1");
  spec.test_share = base.test_share.value_or(spec.test_share);
  return spec;
}

void run(Options& options) {
  if (options.out.empty() && !options.dry_run) {
    throw InvalidArgument("--out is required, unless with --dry-run");
  }
  const Output to{"--out", options.dry_run ? "" : options.out};
  check_outputs({{"--out", options.out}}, files_with(options.ledger, options.fit.files()));
  options.fit.check();
  settings_in(options.grid);
  const std::unique_ptr<data::FileWriter> writer = open_output(to);
  const NoCoreDumps while_it_holds_records;
  const data::Dataset dataset = options.fit.dataset();
  const assess::Tuning tuning(spec_of(options, options.fit.resolved(dataset)),
                              fit::DataShape::of(dataset));
  warn_of(tuning.statement());
  if (options.dry_run) {
    fmt::print("{}\nnothing was fitted, nothing is spent\n", model::to_text(tuning.statement()));
    return;
  }
  ProgressBar fitting("fitting", ProgressBar::Estimate::none);
  const model::LinearModel model =
      tuning.find(dataset, {.progress = std::ref(fitting), .ledger = options.ledger});
  model::write(model, *writer);
  writer->commit();
  warn_of(model.privacy, tuning.statement());
  fmt::print("guarantee: {}\n", model.privacy.guarantee);
  for (const model::PublicInput& input : model.privacy.public_inputs) {
    if (input.name != "chosen_setting") continue;
    fmt::print("chosen: {}\n", core::printable(std::get<std::string>(input.value)));
  }
  print_coefficients(model);
  const std::string name = core::printable(options.out);
  fmt::print("\n{}: the chosen model with its statement (southwell inspect {})\n", name, name);
}

}  // namespace

void add_tune(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand(
      "tune", "Choose among settings of a fit privately: one budget for all fits and the choice");
  options->fit.add_to(command);
  command
      .add_option("--grid", options->grid,
                  "The settings, a JSON file: {\"alpha\": [0.001, 0.01]} for all combinations of "
                  "what its lists hold, or a list of such objects")
      .required();
  add_ledger_option(command, options->ledger);
  command.add_option("--out", options->out,
                     "The model file to write (.json); required, unless with --dry-run");
  command.add_flag("--dry-run", options->dry_run,
                   "Print the statement; fit and write nothing, spend nothing");
  command.footer(
      "All settings are fitted on one random part of the records, and compared on the other\n"
      "(--test-share [0.2]) by a mechanism. The budget pays for all fits together, so each has\n"
      "less of it: about half for 3 settings, a fifth for 20. Where the automatic choice is "
      "nearly\n"
      "right, an untuned fit with the whole budget is better; --dry-run says what each would "
      "have.\n"
      "Settings must not be chosen by looking at the records. Of the other models nothing is "
      "kept.\n\n"
      "Examples:\n"
      "  echo '{\"alpha\": [0.001, 0.01, 0.1]}' > grid.json\n"
      "  southwell tune a9a.libsvm.gz --features 123 --loss logistic --penalty l2 --classes -1,1 "
      "\\\n"
      "      --epsilon 1 --delta 1e-6 --grid grid.json --out model.json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
