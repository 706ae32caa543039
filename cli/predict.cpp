#include "southwell/model/predict.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "data_options.hpp"
#include "outputs.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/csv_text.hpp"
#include "southwell/data/file_writer.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options : ModelOptions {
  std::string kind;
  std::string out;
};

/// Columns of predictions: record i, column k at i * names.size() + k.
struct Predictions {
  std::vector<std::string> names;
  std::vector<double> values;
  std::map<double, std::string> words{};  ///< of labels that have a name
};

std::map<double, std::string> words_of_labels(const model::LinearModel& model) {
  std::map<double, std::string> words;
  for (std::size_t k = 0; k < model.class_names.size(); ++k) {
    words.emplace(model.classes[k], model.class_names[k]);
  }
  return words;
}

std::vector<std::string> per_class(const model::LinearModel& model, std::string_view what) {
  std::vector<std::string> names;
  names.reserve(model.classes.size());
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    names.push_back(fmt::format("{}_{}", what, model::class_name(model, k)));
  }
  return names;
}

/// Throws InvalidArgument for a kind that the model does not have.
Predictions predictions(const model::LinearModel& model, std::string kind,
                        std::vector<double> margins) {
  if (kind.empty()) kind = model.classes.empty() ? "margin" : "label";
  if (kind == "label") {
    return {{"prediction"}, model::labels(model, margins), words_of_labels(model)};
  }
  if (kind == "probability") {
    return {per_class(model, "probability"), model::probabilities(model, margins)};
  }
  if (model.heads.size() == 1) return {{"prediction"}, std::move(margins)};
  return {per_class(model, "margin"), std::move(margins)};
}

/// Puts the lines together and hands them to `put` in pieces.
template <class Put>
void write_lines(const Predictions& predicted, const data::Dataset& dataset, Put&& put) {
  std::string lines;
  const auto end_line = [&] {
    lines.back() = '\n';  // in place of the last comma
    if (lines.size() < std::size_t{1} << 20) return;
    put(lines);
    lines.clear();
  };
  const auto add = [&](std::string_view text) {
    data::append_spreadsheet_text(lines, text);
    lines += ',';
  };
  if (!dataset.id_name.empty()) add(dataset.id_name);
  for (const std::string& name : predicted.names) add(name);
  end_line();
  const std::size_t width = predicted.names.size();
  for (std::size_t i = 0; i < dataset.records(); ++i) {
    if (!dataset.id_name.empty()) add(dataset.ids[i]);
    for (std::size_t k = 0; k < width; ++k) {
      const double value = predicted.values[i * width + k];
      const auto word = predicted.words.find(value);
      // A number reads back to the same number.
      add(word == predicted.words.end() ? fmt::format("{}", value) : word->second);
    }
    end_line();
  }
  put(lines);
}

void run(const Options& options) {
  const Output out{"--out", options.out};
  std::vector<std::string> inputs = files_of(options.data, options.read);
  inputs.push_back(options.model);
  check_outputs({out}, inputs);
  data::check_options(options.data, options.read);
  const std::unique_ptr<data::FileWriter> writer = open_output(out);
  const model::LinearModel model = model::load(options.model);
  predictions(model, options.kind, {});  // a kind it does not have is refused before data are read
  const data::Dataset dataset =
      read_data_for(model, options.data, options.read, data::TableUse::predict);
  const Predictions predicted = predictions(model, options.kind, model::margins(model, dataset));
  write_lines(predicted, dataset,
              [&writer](const std::string& lines) { write_piece(writer.get(), lines); });
  if (writer) writer->commit();
}

}  // namespace

void add_predict(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand("predict", "Predictions of a model, as CSV");
  options->add_to(command);
  command
      .add_option("--kind", options->kind,
                  "margin, probability or label [label for classes, margin for a regression]")
      .check(one_of({"margin", "probability", "label"}));
  command.add_option(
      "--id", options->read.id,
      "CSV: a column to put before the predictions, by name or number (of a raw table by name)");
  command.add_option("--target", options->read.target,
                     "A column that is no feature, by name or number: needed only where columns "
                     "have no names to match by");
  command.add_option("--out", options->out, "CSV file to write [standard output]");
  command.footer(
      "Columns are matched by name where model and data have names; what the model does not use\n"
      "may hold anything. A missing value that it uses gives the prediction nan. A model with a "
      "schema\n"
      "takes the raw table: what is missing or unknown there is as the schema says, and labels are "
      "words.\n"
      "Text that a spreadsheet would run gets an apostrophe in front, and quotes: an id whose "
      "first\n"
      "character, blanks aside, is = + - @, a tab, a carriage return or an apostrophe, unless it "
      "is\n"
      "a number such as -12.5. To have the ids again, take one apostrophe off the front of those\n"
      "that begin with one.\n\n"
      "Examples:\n"
      "  southwell predict model.json new.csv --id patient --out predictions.csv\n"
      "  southwell predict model.json - --kind probability < new.csv\n"
      "  southwell predict a9a.json a9a.t.libsvm --kind probability\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
