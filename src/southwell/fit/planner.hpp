#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "southwell/fit/draft.hpp"
#include "southwell/fit/fit_plan.hpp"

namespace southwell::fit {

/// Of what depends on a scale that a mechanism is to find.
inline constexpr const char* kToFollow = "to follow from the target scale";

/// Fills in the decisions of a fit one after the other, and notes each with its source. Internal:
/// fit_plan.cpp uses it.
class Planner {
 public:
  Planner(const FitSpec& spec, const DataShape& shape);
  Planner(const Planner&) = delete;  // the draft refers to the decisions beside it
  Planner& operator=(const Planner&) = delete;

  /// Which solver it is to be: asked first.
  SolverChoice solver();
  /// All else, for this one.
  Decisions plan(const SolverChoice& choice);
  /// The refusals of a plan that need no data.
  void check();

 private:
  const FitSpec& spec() const { return out_.spec; }
  bool is_paper() const { return draft_.mode == Mode::paper; }
  bool chooses_solver() const { return spec().solver.value_or("auto") == "auto"; }
  bool is_regression() const { return !problem::classifies(out_.loss); }
  problem::Coordinates coordinates() const { return problem::Coordinates(out_.coordinates); }
  void no_guarantee(std::string why) { out_.no_guarantee.push_back(std::move(why)); }

  // What is to be fitted, for which promise (planner.cpp).
  void plan_objective();
  void plan_budget();
  void plan_mode();
  void plan_algorithm(const SolverChoice& choice);
  SolverChoice better_solver() const;
  /// What is known before the data's form is looked into.
  PublicFacts first_facts() const;
  void check_algorithm();
  // The data, as far as they are public (planned_data.cpp).
  void check_test_share() const;
  void plan_shape();
  /// Of so many records those that are fitted on.
  std::uint64_t fitted_of(std::uint64_t records) const;
  void plan_units();
  void plan_classes();
  void plan_class_weight();
  void plan_coordinates();
  void plan_feature_scale();
  void check_record_norm() const;
  void plan_record_norm();
  /// Whether a mechanism finds the norm of so many records, for a solver that follows it.
  bool finds_norm(std::uint64_t records) const;
  /// As declared, or by the public rule that needs no mechanism.
  double declared_norm() const;
  void check_target_scale() const;
  void plan_target_scale();
  void plan_alpha();
  void check_target_center();
  // Numbers (planner.cpp).
  void plan_numbers();
  PublicFacts public_facts(double records, std::size_t coordinates) const;
  double in_range(const char* name, double automatic) const;
  void plan_figures();
  void plan_start();
  void state();

  const DataShape& shape_;
  bool is_check_ = false;  ///< the data are still to come
  bool alpha_given_ = false;
  /// This is one of two plans, of which that norm decides.
  std::optional<double> descends_up_to_;
  Decisions out_;
  Draft draft_;
};

}  // namespace southwell::fit
