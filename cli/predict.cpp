#include "southwell/model/predict.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "data_options.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/file_writer.hpp"

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
};

std::vector<std::string> per_class(const model::LinearModel& model, std::string_view what) {
  std::vector<std::string> names;
  names.reserve(model.classes.size());
  for (const double label : model.classes) names.push_back(fmt::format("{}_{}", what, label));
  return names;
}

Predictions predictions(const model::LinearModel& model, std::string kind,
                        const data::Dataset& dataset) {
  if (kind.empty()) kind = model.classes.empty() ? "margin" : "label";
  std::vector<double> margins = model::margins(model, dataset);
  if (kind == "label") return {{"prediction"}, model::labels(model, margins)};
  if (kind == "probability") {
    return {per_class(model, "probability"), model::probabilities(model, margins)};
  }
  if (model.heads.size() == 1) return {{"prediction"}, std::move(margins)};
  return {per_class(model, "margin"), std::move(margins)};
}

/// Text as a CSV field: in quotes where it has to be.
void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
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
    append_field(lines, text);
    lines += ',';
  };
  if (!dataset.id_name.empty()) add(dataset.id_name);
  for (const std::string& name : predicted.names) add(name);
  end_line();
  const std::size_t width = predicted.names.size();
  for (std::size_t i = 0; i < dataset.records(); ++i) {
    if (!dataset.id_name.empty()) add(dataset.ids[i]);
    for (std::size_t k = 0; k < width; ++k) {
      add(fmt::format("{}", predicted.values[i * width + k]));  // reads back to the same number
    }
    end_line();
  }
  put(lines);
}

void run(const Options& options) {
  refuse_to_overwrite(options.out, {options.model, options.data});
  const model::LinearModel model = model::load(options.model);
  const data::Dataset dataset = read_data_for(model, options.data, options.read);
  const Predictions predicted = predictions(model, options.kind, dataset);
  if (options.out.empty()) {
    write_lines(predicted, dataset, [](const std::string& lines) {
      if (std::fwrite(lines.data(), 1, lines.size(), stdout) != lines.size()) {
        throw DataError("standard output cannot be written");
      }
    });
    return;
  }
  data::FileWriter writer(options.out);
  write_lines(predicted, dataset, [&writer](const std::string& lines) { writer.write(lines); });
  writer.commit();
}

}  // namespace

void add_predict(CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App* command = parent.add_subcommand("predict", "Predictions of a model, as CSV");
  options->add_to(*command);
  command
      ->add_option("--kind", options->kind,
                   "margin, probability or label [label for classes, margin for a regression]")
      ->check(CLI::IsMember({"margin", "probability", "label"}));
  command->add_option("--id", options->read.id,
                      "CSV: a column to put before the predictions, by name or number");
  command->add_option("--target", options->read.target,
                      "A column that is no feature, by name or number: needed only where columns "
                      "have no names to match by");
  command->add_option("--out", options->out, "CSV file to write [standard output]");
  command->footer(
      "Columns are matched by name where model and data have names; what the model does not use\n"
      "may hold anything. A missing value that it uses gives the prediction nan.\n\n"
      "Examples:\n"
      "  southwell predict model.json new.csv --id patient --out predictions.csv\n"
      "  southwell predict a9a.json a9a.t.libsvm --kind probability\n");
  command->callback([options] { run(*options); });
}

}  // namespace southwell::cli
