#include "lab_options.hpp"

#include <optional>
#include <vector>

#include <fmt/core.h>

#include "coefficient_table.hpp"
#include "lab/standardize.hpp"
#include "objective_options.hpp"
#include "southwell/core/version.hpp"

namespace southwell::cli {

void add_lab_options(const Command& command, LabOptions& options, Purpose purpose) {
  add_data_options(command, options.data, options.read);
  command.add_flag("--standardize", options.standardize,
                   "Center the columns and scale them to unit variance first");
  Option loss = add_objective_options(command, options.objective);
  if (purpose == Purpose::solving) {
    loss.required();
    add_intercept_flags(command, [&spec = options.objective](bool wanted) {
      spec.intercept = wanted ? lab::Intercept::free : lab::Intercept::none;
    });
  }
  command.add_flag("--json", options.json, "Print JSON instead of a table");
}

data::Dataset read_lab_data(const LabOptions& options, core::ThreadPool& pool) {
  data::Dataset dataset = read_data(options.data, options.read);
  if (options.standardize) dataset.design = lab::standardized(dataset.design, pool);
  return dataset;
}

std::string feature_name(const data::Dataset& dataset, std::size_t j) {
  return dataset.feature_names.empty() ? data::default_feature_name(j) : dataset.feature_names[j];
}

nlohmann::json lab_json(const lab::ObjectiveSpec& objective) {
  nlohmann::json out = {{"southwell_version", kVersion},
                        {"private", false},
                        {"loss", objective.loss},
                        {"penalty", objective.penalty}};
  const auto add = [&out](const char* key, const std::optional<double>& value) {
    if (value) out[key] = number_or_null(*value);
  };
  add("alpha", objective.alpha);
  add("l1_ratio", objective.l1_ratio);
  add("lower", objective.lower);
  add("upper", objective.upper);
  add("huber_width", objective.huber_width);
  return out;
}

nlohmann::json support_json(const data::Dataset& dataset, const std::vector<double>& coef) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t j = 0; j < coef.size(); ++j) {
    if (coef[j] == 0.0) continue;
    list.push_back({{"index", j}, {"feature", feature_name(dataset, j)}, {"value", coef[j]}});
  }
  return list;
}

void print_support(const data::Dataset& dataset, const lab::Coefficients& at,
                   lab::Intercept intercept) {
  std::vector<CoefficientRow> rows;
  for (std::size_t j = 0; j < at.coef.size(); ++j) {
    if (at.coef[j] != 0.0) rows.push_back({feature_name(dataset, j), at.coef[j]});
  }
  std::optional<CoefficientRow> constant;
  if (intercept == lab::Intercept::free) constant = {"(intercept)", at.intercept};
  print_coefficients(constant, rows);
}

void print_not_private() { fmt::print("\nnot private: computed from the records without noise\n"); }

}  // namespace southwell::cli
