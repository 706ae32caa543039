#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "southwell/data/table/table_encoding.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/problem/objective_spec.hpp"

namespace southwell::fit {

// What a fit makes is kept in the room of models.
using model::kInterceptName;
using model::LinearModel;
using model::MechanismUse;
using model::PublicInput;
using model::Source;
using model::Statement;

/// Every public input of a fit, in the words of the interfaces. What is absent has its default or
/// its automatic value (docs/settings.md); what does not apply to the rest is refused.
struct FitSpec {
  problem::ObjectiveSpec objective;
  /// How a raw table becomes features; what its schema declares need not be given again.
  std::shared_ptr<const data::TableEncoding> table;
  std::optional<bool> intercept;  ///< on

  std::optional<double> epsilon;         ///< required: a promise is for somebody to choose
  std::optional<double> delta;           ///< required; 0 is pure differential privacy
  std::optional<std::string> relation;   ///< replace_one, add_or_remove_one
  std::optional<std::uint64_t> records;  ///< the divisor under add_or_remove_one
  std::optional<std::size_t> features;   ///< declared: a sparse file's own number is a leak
  std::vector<double> feature_scale;     ///< one number, or one per feature; empty: 1
  bool feature_scale_from_data = false;  ///< a leak
  std::optional<double> record_norm;     ///< typical l2 norm of a record
  bool record_norm_private = false;      ///< found by a mechanism, at a part of the budget
  std::optional<double> target_scale;    ///< absent: as below, unless a clip is given
  bool target_scale_private = false;     ///< found by a mechanism, at a part of the budget
  std::vector<double> classes;           ///< required for a loss that classifies
  bool classes_from_data = false;        ///< a leak: `classes` are the labels that occur
  std::vector<std::string>
      class_names;                    ///< empty, or one for each of `classes`: the model keeps them
  std::vector<double> class_weight;   ///< empty, or one for each class: all count alike
  std::optional<std::string> unit;    ///< what a unit of the data is called; absent: id
  std::optional<std::string> solver;  ///< auto, gcd, cd, sgd
  std::optional<std::string> mode;    ///< certified, paper
  std::optional<std::string> rule;    ///< gs_s, gs_r, gs_q
  std::optional<std::uint64_t> iterations;
  std::optional<double> clip;
  std::optional<double> step;
  std::optional<double> share;
  std::optional<std::string> refine;      ///< auto, on, off: gcd's refinements, and sgd's
  std::optional<bool> attenuation;        ///< correct for what clipping takes away
  std::optional<bool> clip_tracking;      ///< the clip follows the residuals
  std::optional<bool> margin_correction;  ///< a Newton step along the coefficients, logistic loss
  std::optional<bool> polish;             ///< most of the descents' budget goes to the last
  std::optional<double> target_center;    ///< where the intercept starts; absent: 0, or as below
  bool target_center_private = false;     ///< by releases, as in a refined fit anyway
  std::optional<bool> exclude_visited;    ///< choose no feature twice
  std::optional<bool> second_moment;      ///< release how large chosen features are
  std::optional<bool> prune;              ///< coefficients that may be noise alone end at 0
  std::optional<std::uint64_t> selections_per_gradient;
  std::optional<bool> calibrate_probabilities;  ///< a factor for all margins, at the end
  std::optional<bool> select_iterate;           ///< choose between the model and less of it
  std::optional<double> test_share;             ///< of the units: private figures on them
  std::optional<std::string> selection;         ///< exponential, permute_and_flip, noisy_max
  std::optional<std::string> release;           ///< laplace, gaussian
  std::optional<std::uint64_t> batch_size;  ///< sgd: expected; the number of records is full batch
  std::optional<std::string> sampling;      ///< sgd: poisson
  std::optional<std::string> iterate;       ///< sgd: average (of the last half), last
  std::shared_ptr<const LinearModel>
      start;               ///< a model, or public coefficients without a statement
  std::string start_name;  ///< what the user called it
  int threads = 0;         ///< 0: all cores
  std::optional<std::uint64_t> seed_for_tests;
  bool allow_leaks = false;
  bool one_plan = false;  ///< among several fits: no mechanism decides for another solver
};

}  // namespace southwell::fit
