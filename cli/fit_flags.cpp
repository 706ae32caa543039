#include "fit_flags.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "data_options.hpp"
#include "ledger_option.hpp"
#include "outputs.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/fit/classes_from_data.hpp"
#include "southwell/fit/feature_numbers.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

std::vector<double> scales_from_file(const std::string& file, const data::Dataset& dataset) {
  const fit::FeatureNumbers numbers =
      fit::read_feature_numbers(file, "scale", dataset.feature_names, dataset.features());
  std::vector<double> scales;
  for (std::size_t j = 0; j < numbers.of_feature.size(); ++j) {
    if (!numbers.of_feature[j]) {
      const std::string name =
          dataset.feature_names.empty() ? data::default_feature_name(j) : dataset.feature_names[j];
      throw DataError(file + ": no scale for the feature '" + core::printable(name) +
                      "'; accepted is one for each");
    }
    scales.push_back(*numbers.of_feature[j]);
  }
  if (numbers.intercept) throw DataError(file + ": a scale for (intercept); its scale is 1");
  return scales;
}

/// Coefficients from a file, public by declaration: a model without a statement.
model::LinearModel public_start(const std::string& file, const data::Dataset& dataset,
                                const fit::FitSpec& spec) {
  const fit::FeatureNumbers numbers =
      fit::read_feature_numbers(file, "coef", dataset.feature_names, dataset.features());
  model::LinearModel start;
  start.objective = spec.objective;
  start.features = dataset.features();
  start.feature_names = dataset.feature_names;
  start.heads.resize(1);
  for (std::size_t j = 0; j < start.features; ++j) {
    const double value = numbers.of_feature[j].value_or(0.0);
    if (value != 0.0) start.heads[0].coef.push_back({j, value, 0.0});
  }
  start.heads[0].intercept = numbers.intercept.value_or(0.0);
  return start;
}

bool is_model_file(const std::string& file) {
  return file.ends_with(".json") || file.ends_with(".json.gz");
}

/// By its name a file of numbers that belong to features.
bool is_number_file(const std::string& file) {
  try {
    return data::file_format(file) != data::FileFormat::libsvm;
  } catch (const DataError&) {
    return false;
  }
}

}  // namespace

double FitFlags::number_of(const std::string& flag, const std::string& given) {
  const auto number = parsed_number(given);
  if (!number) refuse(flag, given, "a number");
  return *number;
}

void FitFlags::add_to(const Command& command) {
  add_data_options(command, data, read);
  command.add_option("--schema", schema,
                     "The public schema of a raw table (southwell schema init writes one): target, "
                     "classes, scales and units are as it says");
  command
      .add_option(
          "--storage",
          [this](const std::string& word) {
            read.storage = word == "f32" ? data::Storage::f32 : data::Storage::f64;
          },
          "Numbers in memory: f64, f32 [as given]")
      .check(one_of({"f64", "f32"}));
  add_input_flags(command, spec, given, StartFlag::taken);
}

fit::FitSpec FitFlags::known() const {
  fit::FitSpec out = spec;
  out.features = read.features;
  out.threads = read.threads;
  if (given.feature_scale == "from_data") {
    out.feature_scale_from_data = true;
  } else if (const auto scale = parsed_number(given.feature_scale)) {
    out.feature_scale = {*scale};
  }
  return out;
}

data::Dataset FitFlags::dataset() const {
  if (spec.table) return read_raw_table(data, *spec.table, read, data::TableUse::fit);
  data::ReadOptions options = read;
  options.id = spec.unit;
  options.id_input = "unit";
  data::Dataset out = read_data(data, std::move(options));
  if (spec.unit) out.record_units = units_of(out, read.missing);
  return out;
}

bool FitFlags::scale_is_a_file() const {
  return !given.feature_scale.empty() && given.feature_scale != "from_data" &&
         !parsed_number(given.feature_scale);
}

std::vector<std::string> FitFlags::files() const {
  std::vector<std::string> files =
      schema.empty() ? files_of(data, read) : std::vector<std::string>{data, schema};
  if (scale_is_a_file()) files.push_back(given.feature_scale);
  if (!given.start.empty()) files.push_back(given.start);
  return files;
}

void ModelOutput::add_to(const Command& command, const std::string& help_of_dry_run) {
  command.add_option("--out", file,
                     "The model file to write (.json); required, unless with --dry-run");
  command.add_flag("--dry-run", dry_run, help_of_dry_run);
  add_ledger_option(command, ledger);
}

std::unique_ptr<data::FileWriter> FitFlags::checked_output(const ModelOutput& output) {
  if (output.file.empty() && !output.dry_run) {
    throw InvalidArgument("--out is required, unless with --dry-run");
  }
  check_outputs({{"--out", output.file}}, files_with(output.ledger, files()));
  check();
  return open_output({"--out", output.dry_run ? "" : output.file});
}

void FitFlags::check() {
  spec.table = table_in("--schema", schema);
  if (spec.table) {
    if (!spec.table->schema().target()) {
      refuse("--schema", schema, "a schema in which one field has the role target");
    }
    check_beside_schema(spec.table->schema(), read);
    check_is_table("--schema", data);
  } else {
    with_target(data, read);
  }
  if (scale_is_a_file() && !is_number_file(given.feature_scale)) {
    refuse("--feature-scale", given.feature_scale,
           "a number, from_data, or a file (.csv feature,scale or .npy, each also .gz)");
  }
  if (!given.start.empty() && !is_model_file(given.start) && !is_number_file(given.start)) {
    refuse("--start", given.start,
           "a model (.json), or public coefficients (.csv feature,coef or .npy), each also .gz");
  }
  for (const std::string& file : {scale_is_a_file() ? given.feature_scale : "", given.start}) {
    if (!file.empty() && !std::filesystem::exists(file)) {
      throw DataError(file + ": cannot be opened: No such file or directory");
    }
  }
  check_unit_column(data, spec.unit);
  fit::FitSpec inputs = known();
  if (!given.start.empty()) inputs.start = std::make_shared<const model::LinearModel>();
  // What stands for the form of the data until they are read.
  fit::DataShape shape;
  shape.records = 1;
  shape.features = spec.table ? spec.table->features() : inputs.features.value_or(1);
  shape.has_units = spec.unit.has_value() || (spec.table && spec.table->schema().unit());
  shape.features_counted = !spec.table && data::file_format(data) == data::FileFormat::libsvm;
  fit::check_inputs(inputs, shape);
}

fit::FitSpec FitFlags::resolved(const data::Dataset& dataset) const {
  fit::FitSpec out = known();
  if (out.unit && !out.table) out.unit = dataset.id_name;  // where it was given by number
  if (scale_is_a_file()) out.feature_scale = scales_from_file(given.feature_scale, dataset);
  if (!given.start.empty()) {
    out.start_name = given.start;
    out.start = std::make_shared<const model::LinearModel>(
        is_model_file(given.start) ? model::load(given.start)
                                   : public_start(given.start, dataset, spec));
  }
  return fit::with_classes_of(dataset, std::move(out));
}

}  // namespace southwell::cli
