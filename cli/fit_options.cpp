#include "fit_options.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "data_options.hpp"
#include "objective_options.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/fit/feature_numbers.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/model/linear_model.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

/// The whole of `text` as a number of this kind, or nothing.
template <class Number>
std::optional<Number> parsed(const std::string& text) {
  if constexpr (std::is_integral_v<Number>) {
    return parsed_whole(text);
  } else {
    return parsed_number(text);
  }
}

/// A flag that takes a number or the word auto, which is its absence.
template <class Number>
void add_automatic(const Command& command, const std::string& flag, std::optional<Number>& value,
                   const std::string& help) {
  constexpr bool kWhole = std::is_integral_v<Number>;
  command.add_option(
      flag,
      [flag, &value](const std::string& text) {
        value = parsed<Number>(text);
        if (!value && text != "auto") {
          refuse(flag, text, kWhole ? "a whole number or auto" : "a number or auto");
        }
      },
      help + " [auto]");
}

void add_classes(const Command& command, std::vector<double>& classes) {
  command.add_option(
      "--classes",
      [&classes](const std::string& text) {
        constexpr const char* kAccepted = "numbers with commas between them, such as -1,1";
        classes.clear();
        for (const std::string& word : words_of("--classes", text, kAccepted)) {
          const auto label = parsed_number(word);
          if (!label) refuse("--classes", text, kAccepted);
          classes.push_back(*label);
        }
      },
      "The labels in order, the first negative; others count as the first [-1,1]");
}

void add_budget(const Command& command, fit::FitSpec& spec) {
  command.add_option("--epsilon", spec.epsilon, "Budget: epsilon").required();
  command.add_option("--delta", spec.delta, "Budget: delta; 0 means pure differential privacy")
      .required();
  command
      .add_option("--relation", spec.relation,
                  "Neighbours: replace_one or add_or_remove_one [replace_one]")
      .check(one_of({"replace_one", "add_or_remove_one"}));
  command
      .add_option("--records", spec.records,
                  "add_or_remove_one: the public number of records to divide by")
      .check(whole_number(1));
}

void add_scales(const Command& command, FitOptions& options) {
  command.add_option("--feature-scale", options.feature_scale,
                     "Typical size of the features: a number, a file (.csv feature,scale or one "
                     "number per line; .npy), or from_data [1]");
  command.add_option(
      "--target-scale",
      [&spec = options.spec](const std::string& text) {
        spec.target_scale_private = text == "private";
        spec.target_scale = parsed<double>(text);
        if (!spec.target_scale && !spec.target_scale_private) {
          refuse("--target-scale", text, "a number, or private");
        }
      },
      "Typical size of a regression target: a number, or private (found by a mechanism, at a part "
      "of the budget) [1]");
  add_classes(command, options.spec.classes);
}

/// A flag that takes on, off or the word auto, which is its absence.
void add_switch(const Command& command, const std::string& flag, std::optional<bool>& value,
                const std::string& help) {
  command.add_option(
      flag,
      [flag, &value](const std::string& text) {
        if (text != "on" && text != "off" && text != "auto") refuse(flag, text, "on, off or auto");
        value = text == "auto" ? std::nullopt : std::optional(text == "on");
      },
      help + " [auto]");
}

void add_refinements(const Command& command, fit::FitSpec& spec) {
  command.add_option("--refine", spec.refine,
                     "gcd, sgd: on, or off for the algorithm as printed; auto is on unless a clip, "
                     "step, release, selection or batch size is given [auto]");
  add_switch(command, "--attenuation", spec.attenuation,
             "refined: correct for what clipping takes from a gradient");
  add_switch(command, "--clip-tracking", spec.clip_tracking,
             "refined: the clip follows the size of the residuals");
  add_switch(command, "--margin-correction", spec.margin_correction,
             "refined, logistic loss: correct for what large margins do to gradients; auto is on "
             "without an l1 part in the penalty");
  add_switch(command, "--polish", spec.polish,
             "refined gcd: most of the descents' budget goes to the last");
  add_switch(command, "--exclude-visited", spec.exclude_visited,
             "refined gcd: choose no feature twice");
  add_switch(command, "--second-moment", spec.second_moment,
             "refined gcd: release how large the chosen features are, for clips and steps that fit "
             "features which are rare or smaller than declared");
  add_switch(
      command, "--prune", spec.prune,
      "refined gcd: coefficients within twice their stated noise become 0, and classifiers with "
      "an l1 part in the penalty descend once more on the others; auto is on with such a part");
  add_automatic(command, "--selections-per-gradient", spec.selections_per_gradient,
                "refined gcd: features chosen from one gradient");
  command.add_option(
      "--target-center",
      [&spec](const std::string& text) {
        spec.target_center = parsed<double>(text);
        spec.target_center_private = text == "private";
        if (!spec.target_center && !spec.target_center_private) {
          refuse("--target-center", text, "a number, or private");
        }
      },
      "Where the intercept of a regression starts: a number, or private (found by releases of a "
      "refined fit) [private]");
}

void add_algorithm(const Command& command, fit::FitSpec& spec) {
  command.add_option("--solver", spec.solver,
                     "gcd: greedy coordinate descent; cd: random coordinates; sgd: gradient "
                     "descent on batches or on all records; auto: gcd or sgd [gcd]");
  command.add_option("--mode", spec.mode, "certified, or paper (no guarantee) [certified]");
  command.add_option("--rule", spec.rule, "gcd: gs_s, gs_r, gs_q [gs_s]");
  add_automatic(command, "--iterations", spec.iterations, "T, exactly");
  add_automatic(command, "--clip", spec.clip,
                "Largest share of a record in a gradient (sgd: of all of it)");
  add_automatic(command, "--step", spec.step, "Step length, in units of 1 / M_j (sgd: absolute)");
  add_automatic(command, "--share", spec.share, "gcd: part of the budget that selections get");
  command.add_option("--selection", spec.selection,
                     "gcd: exponential, permute_and_flip, noisy_max [exponential]");
  command.add_option("--release", spec.release,
                     "gcd, cd: laplace, gaussian [gcd: the one with less noise; cd: gaussian]");
  add_automatic(command, "--batch-size", spec.batch_size,
                "sgd: expected number of records in a step; auto takes all: gradient descent");
  command.add_option("--sampling", spec.sampling, "sgd: poisson [poisson]");
  command.add_option("--iterate", spec.iterate,
                     "sgd: average of the last half of the steps, or last [average]");
  command
      .add_option("--seed-for-tests", spec.seed_for_tests,
                  "Noise that can be foreseen: turns the guarantee off")
      .check(whole_number(0));
  command.add_flag("--allow-leaks", spec.allow_leaks,
                   "Accept what is read from the records: turns the guarantee off");
}

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

double FitOptions::number_of(const std::string& flag, const std::string& given) {
  const auto number = parsed<double>(given);
  if (!number) refuse(flag, given, "a number");
  return *number;
}

void FitOptions::add_inputs_to(const Command& command) {
  add_objective_options(command, spec.objective).required();
  add_intercept_flags(command, [this](bool wanted) { spec.intercept = wanted; });
  add_budget(command, spec);
  add_scales(command, *this);
  add_algorithm(command, spec);
  add_refinements(command, spec);
}

void FitOptions::add_to(const Command& command) {
  add_data_options(command, data, read);
  command
      .add_option(
          "--storage",
          [this](const std::string& word) {
            read.storage = word == "f32" ? data::Storage::f32 : data::Storage::f64;
          },
          "Numbers in memory: f64, f32 [as given]")
      .check(one_of({"f64", "f32"}));
  add_inputs_to(command);
  command.add_option("--start", start,
                     "Where to begin: a model (.json; its cost is added), or public coefficients "
                     "(.csv feature,coef; .npy) [zero]");
}

fit::FitSpec FitOptions::known() const {
  fit::FitSpec out = spec;
  out.features = read.features;
  out.threads = read.threads;
  if (feature_scale == "from_data") {
    out.feature_scale_from_data = true;
  } else if (const auto scale = parsed_number(feature_scale)) {
    out.feature_scale = {*scale};
  }
  return out;
}

bool FitOptions::scale_is_a_file() const {
  return !feature_scale.empty() && feature_scale != "from_data" && !parsed_number(feature_scale);
}

std::vector<std::string> FitOptions::files() const {
  std::vector<std::string> files = files_of(data, read);
  if (scale_is_a_file()) files.push_back(feature_scale);
  if (!start.empty()) files.push_back(start);
  return files;
}

void FitOptions::check() const {
  with_target(data, read);
  if (scale_is_a_file() && !is_number_file(feature_scale)) {
    refuse("--feature-scale", feature_scale,
           "a number, from_data, or a file (.csv feature,scale or .npy, each also .gz)");
  }
  if (!start.empty() && !is_model_file(start) && !is_number_file(start)) {
    refuse("--start", start,
           "a model (.json), or public coefficients (.csv feature,coef or .npy), each also .gz");
  }
  fit::FitSpec inputs = known();
  if (!start.empty()) inputs.start = std::make_shared<const model::LinearModel>();
  // What stands for the form of the data until they are read.
  fit::DataShape shape;
  shape.records = 1;
  shape.features = inputs.features.value_or(1);
  shape.features_counted = data::file_format(data) == data::FileFormat::libsvm;
  fit::check_inputs(inputs, shape);
}

fit::FitSpec FitOptions::resolved(const data::Dataset& dataset) const {
  fit::FitSpec out = known();
  if (scale_is_a_file()) out.feature_scale = scales_from_file(feature_scale, dataset);
  if (!start.empty()) {
    out.start_name = start;
    out.start = std::make_shared<const model::LinearModel>(
        is_model_file(start) ? model::load(start) : public_start(start, dataset, spec));
  }
  return out;
}

}  // namespace southwell::cli
