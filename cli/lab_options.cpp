#include "lab_options.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/core.h>

#include "lab/standardize.hpp"
#include "progress_bar.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/file_format.hpp"
#include "whole_number.hpp"

namespace southwell::cli {

void add_data_options(CLI::App& command, std::string& file, data::ReadOptions& read) {
  command.add_option("DATA", file, "The file: .csv, .libsvm, .svm, .npy, each also .gz")
      ->required();
  command.add_option("--target", read.target,
                     "CSV: the target's name or column number from 0 [target]; "
                     "npy: its column number or a second file");
  command
      .add_option("--features", read.features,
                  "libsvm: number of features; entries beyond it are dropped [the largest index]")
      ->check(whole_number(1));
  command.add_option("--threads", read.threads, "Number of threads [all cores]")
      ->check(thread_count());
}

data::Dataset read_data(const std::string& file, data::ReadOptions read) {
  if (!read.target && data::file_format(file) == data::FileFormat::csv) {
    read.target = data::kDefaultTargetName;
  }
  if (!read.target && data::file_format(file) == data::FileFormat::npy) {
    throw InvalidArgument("--target: not given; accepted is for " + file +
                          " a column number from 0 or a second .npy file");
  }
  ProgressBar reading("reading");
  read.progress = std::ref(reading);
  return data::read(file, read);
}

void add_lab_options(CLI::App& command, LabOptions& options, Purpose purpose) {
  add_data_options(command, options.data, options.read);
  command.add_flag("--standardize", options.standardize,
                   "Centre the columns and scale them to unit variance first");
  lab::ObjectiveSpec& spec = options.objective;
  auto* loss_option =
      command.add_option("--loss", spec.loss, "squared, logistic, huber, squared_hinge")
          ->check(CLI::IsMember({"squared", "logistic", "huber", "squared_hinge"}));
  if (purpose == Purpose::solving) loss_option->required();
  command.add_option("--penalty", spec.penalty, "none, l1, l2, elastic_net, box [none]")
      ->check(CLI::IsMember({"none", "l1", "l2", "elastic_net", "box"}));
  command.add_option("--alpha", spec.alpha, "Strength of l1, l2, elastic_net");
  command.add_option("--l1-ratio", spec.l1_ratio, "Share of l1 in elastic_net, 0 to 1");
  command.add_option("--lower", spec.lower, "Lower end of the box [-inf]");
  command.add_option("--upper", spec.upper, "Upper end of the box [inf]");
  command.add_option("--huber-width", spec.huber_width, "Where huber turns linear");
  if (purpose == Purpose::solving) {
    command.add_flag_callback(
        "--intercept", [&spec] { spec.intercept = lab::Intercept::free; },
        "An intercept, not penalised [on]");
    command
        .add_flag_callback(
            "--no-intercept", [&spec] { spec.intercept = lab::Intercept::none; },
            "No intercept, as in the paper")
        ->excludes("--intercept");
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
  constexpr std::size_t kMost = 20;
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < at.coef.size(); ++j) {
    if (at.coef[j] != 0.0) order.push_back(j);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double size = std::fabs(at.coef[a]);
    const double other = std::fabs(at.coef[b]);
    return size != other ? size > other : a < b;
  });
  fmt::print("\n  {:24} {:>16}\n", "feature", "coefficient");
  if (intercept == lab::Intercept::free)
    fmt::print("  {:24} {:16.8g}\n", "(intercept)", at.intercept);
  for (std::size_t k = 0; k < order.size() && k < kMost; ++k) {
    fmt::print("  {:24} {:16.8g}\n", feature_name(dataset, order[k]), at.coef[order[k]]);
  }
  if (order.size() > kMost) fmt::print("  ... {} more (--json has all)\n", order.size() - kMost);
}

void print_not_private() { fmt::print("\nnot private: computed from the records without noise\n"); }

}  // namespace southwell::cli
