#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "southwell/privacy/budget.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/solvers/rounds/step_schedule.hpp"

namespace southwell::fit {

/// What an automatic choice may depend on: never a record.
struct PublicFacts {
  double records = 1.0;         ///< the public divisor
  std::size_t coordinates = 1;  ///< candidates of a selection
  std::size_t features = 1;     ///< of which a refined gcd chooses each once
  privacy::Budget budget{};
  double largest_smoothness = 1.0;  ///< of the declared M_j
  double data_part = 1.0;           ///< of the largest of them: beta s^2 / M
  double l1 = 0.0;  ///< strength of the penalty's l1 part, over the largest declared scale
  bool intercept = false;
  bool measures_features = true;  ///< by releases of their second moments, where it pays
  bool center_given = false;      ///< the intercept starts at a number that was declared
  std::size_t heads = 1;
  double record_norm = 1.0;  ///< typical l2 norm of a record
  bool norm_is_declared = false;
  bool by_schema = false;   ///< a schema makes records, with most of their features
  bool by_norm = false;     ///< sgd would descend by that
  bool calibrates = false;  ///< a factor for all margins is fitted at the end
  bool finds_norm = false;  ///< a mechanism will find another one
  double l2 = 0.0;  ///< strength of the penalty's quadratic part, over the squared least unit
  problem::SlopeLimits slopes{};
  std::optional<std::uint64_t> iterations{};  ///< where they are given
};

struct Defaults {
  std::uint64_t iterations = 1;
  double clip = 1.0;  ///< in units of a typical slope
  double step = 1.0;
  double share = 0.5;  ///< of gcd's selections
};

/// What both refined algorithms do about the intercept alone: releases before all others, and after
/// them for regressions.
struct InterceptRule {
  solvers::StepScheduleOptions first;
  solvers::StepScheduleOptions last;
  std::uint64_t last_releases = 2;
  double last_part = 0.0;  ///< of the budget; 0: none
};

/// What a refined gcd fit does; clips in units of the residuals' scale, or of the features'.
struct RefinedRule {
  std::uint64_t iterations = 1;
  std::uint64_t selections_per_gradient = 1;
  double share = 0.5;
  double clip = 1.0;                      ///< of selections
  solvers::StepScheduleOptions schedule;  ///< of all descents
  std::uint64_t early_releases = 6;
  std::uint64_t last_releases = 30;
  double last_weight = 4.0;       ///< the last descent's budget, against its turn
  bool descends_on_rest = false;  ///< with half of that, where coefficients are pruned
  double moments_part = 0.04;  ///< of a descent's budget, to second moments where they are released
  bool whitens = false;        ///< these are a matrix, and descents are in features it whitens
  double mapped_moments_part = 0.0;  ///< of the last such descent's, to those of mapped records
  InterceptRule intercept;
};

/// What refined gradient descent on all records does.
struct RefinedDescentRule {
  std::uint64_t iterations = 120;
  solvers::StepScheduleOptions schedule;
  std::uint64_t center_releases = 6;  ///< of the intercept alone, at first
  double center_part = 0.03;          ///< of the budget
  bool whitens = false;               ///< as in RefinedRule, with a part of the budget
  double moments_part = 0.1;
  double mapped_moments_part = 0.0;
  InterceptRule intercept;
};

/// The rules of docs/research/rules.md.
RefinedRule refined_gcd_rule(const PublicFacts& of);
/// Where records are limited, in the fit and in predictions, in units of the declared scales: above
/// what most records reach if the scales are right, so that wrong ones, and single cells that are
/// out of all proportion, do no harm.
double record_limit(const PublicFacts& of);
/// What takes out of a clip what the penalty's quadratic part adds to C_j.
double clip_unit(const PublicFacts& of);
RefinedDescentRule refined_sgd_rule(const PublicFacts& of);
/// What descent by the norm of a record does about a regression's intercept before all others.
struct CenterRule {
  solvers::StepScheduleOptions schedule;
  std::uint64_t releases = 6;
  double part = 0.03;  ///< of the budget
};
CenterRule center_rule(const PublicFacts& of);
/// solver = auto: greedy coordinates, or gradient descent on all records, and why.
struct SolverChoice {
  std::string solver;
  std::string why;
};
SolverChoice solver_choice(const PublicFacts& of);
Defaults gcd_defaults(const PublicFacts& of);
/// Of the selections of gcd as printed, with Laplace and with Gaussian releases.
double laplace_share(const PublicFacts& of, std::uint64_t iterations);
double gaussian_share(const PublicFacts& of);
Defaults cd_defaults(const PublicFacts& of);
Defaults sgd_defaults(const PublicFacts& of);

/// Of the declared scales, what PublicFacts has of them.
double largest_smoothness(const problem::Coordinates& all);
double largest_scale(const problem::Coordinates::Options& declared);
double data_part(const problem::Coordinates::Options& declared);
/// Whether the loss is one of classifiers.
bool classifies(const PublicFacts& of);
/// What many rules are made of: n mu.
double strength(const PublicFacts& of);
/// The mu of Gaussian differential privacy whose curve passes through (epsilon, delta).
double gaussian_equivalent(const privacy::Budget& budget);

}  // namespace southwell::fit
