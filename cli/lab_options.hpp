#pragma once

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "data_options.hpp"
#include "json_output.hpp"
#include "lab/objectives.hpp"
#include "southwell/data/read.hpp"

namespace southwell::cli {

/// What the commands under `lab` that look at an objective have in common.
struct LabOptions {
  std::string data;
  data::ReadOptions read;
  bool standardize = false;
  bool json = false;
  lab::ObjectiveSpec objective;
};

/// `solving` needs an objective and takes an intercept or not; `evaluating` follows its model.
enum class Purpose { solving, evaluating };

/// DATA, its reading, the objective and --json.
void add_lab_options(const Command& command, LabOptions& options, Purpose purpose);

/// The data as asked for, standardised if so.
data::Dataset read_lab_data(const LabOptions& options, core::ThreadPool& pool);

std::string feature_name(const data::Dataset& dataset, std::size_t j);

/// The keys every lab output has: version, private: false, and the objective's own.
nlohmann::json lab_json(const lab::ObjectiveSpec& objective);
/// `[{"index", "feature", "value"}]` of the coefficients that are not zero.
nlohmann::json support_json(const data::Dataset& dataset, const std::vector<double>& coef);
/// The same as lines of a table, the largest first; a long list is cut.
void print_support(const data::Dataset& dataset, const lab::Coefficients& at,
                   lab::Intercept intercept);
/// The line every lab command ends with.
void print_not_private();

}  // namespace southwell::cli
