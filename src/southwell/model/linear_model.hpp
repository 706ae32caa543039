#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "southwell/model/attachments.hpp"
#include "southwell/model/statement.hpp"
#include "southwell/problem/head_target.hpp"
#include "southwell/problem/objective_spec.hpp"

namespace southwell::model {

/// What the constant is called in tables and files of coefficients: no feature may be.
inline constexpr const char* kInterceptName = "(intercept)";

/// A coefficient that is not zero.
struct Coefficient {
  std::size_t index = 0;
  double value = 0.0;
  /// Of the privacy noise in it; 0 where it was given at the start, not a number where the noise is
  /// not determined at this budget.
  double noise_sd = 0.0;

  /// Whether two standard deviations of that noise leave its sign.
  bool has_sign() const { return std::fabs(value) > 2.0 * noise_sd; }
};

/// The coefficients of one margin. A regression and two classes have one head, more classes one
/// each.
struct Head {
  std::vector<Coefficient> coef;  ///< by increasing index
  double intercept = 0.0;
  double intercept_noise_sd = 0.0;
};

/// One iteration of the fit. Privacy covers all iterates, so users get them.
struct ModelStep {
  std::size_t head = 0;
  std::size_t index = 0;  ///< of the feature; the number of features for the intercept
  double gradient = 0.0;  ///< as released
  double value = 0.0;     ///< of the coefficient, after the step
};

/// A fitted linear model: margins x'coef + intercept, with what it promises.
struct LinearModel {
  problem::ObjectiveSpec objective;
  std::size_t features = 0;
  std::vector<std::string> feature_names;  ///< empty if the data did not name them
  std::vector<double> classes;             ///< empty for a regression; the first is negative
  std::vector<std::string> class_names;    ///< empty, or what each class is called where it has
                                           ///< no number of its own
  /// Of more than two classes and the loss logistic: which law the margins of the heads have.
  problem::Multiclass multiclass = problem::Multiclass::one_against_rest;
  std::vector<Head> heads;
  std::vector<ModelStep> path;  ///< empty where it was not kept
  Statement privacy;
  Attachments attachments;
};

/// As the data call it, x1 .. xp where they do not; the number of features is the intercept.
std::string feature_name(const LinearModel& model, std::size_t index);
/// Its name, or its number where it has none.
std::string class_name(const LinearModel& model, std::size_t index);

/// The model file, JSON version 2, with a SHA-256 checksum over the rest. Written to a temporary
/// file and renamed: no half-written model is ever visible. Where a model has more than a thousand
/// coefficients they are packed (docs/model_file.md): values come back exactly, a noise that
/// differs from coefficient to coefficient at most 1e-7 larger. Throws DataError.
void save(const LinearModel& model, const std::filesystem::path& file);
/// Refuses what is corrupted, truncated, from a later version, or no model. Throws DataError.
LinearModel load(const std::filesystem::path& file);

/// The same as text: what `save` writes and `load` reads. `name` stands in messages.
std::string to_json(const LinearModel& model);
LinearModel from_json(const std::string& text, const std::string& name);
/// The `privacy` part, with coefficients or without: what `inspect --json` prints.
std::string to_json(const Statement& statement);

}  // namespace southwell::model
