#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "southwell/privacy/budget.hpp"
#include "southwell/problem/any_loss.hpp"
#include "southwell/solvers/pace.hpp"

namespace southwell::model {

/// What an automatic choice may depend on: never a record.
struct DefaultsOf {
  double records = 1.0;         ///< the public divisor
  std::size_t coordinates = 1;  ///< candidates of a selection
  privacy::Budget budget{};
  double largest_smoothness = 1.0;  ///< of the declared M_j
  double l2 = 0.0;                  ///< of the penalty, which is in them
  bool kinked = false;              ///< whether the penalty makes coefficients 0
  bool intercept = false;
  bool centre_given = false;         ///< the intercept starts at a number that was declared
  double first_slope = 0.0;          ///< |l'| at 0 of a loss that classifies; 0 of others
  bool unbounded_residuals = false;  ///< the squared loss
  std::optional<std::uint64_t> iterations{};  ///< where they are given
};

struct Defaults {
  std::uint64_t iterations = 1;
  double clip = 1.0;  ///< in units of derivative_scale
  double step = 1.0;
  double share = 0.5;  ///< of gcd's selections
};

/// What a refined gcd fit does; clips in units of the residuals' scale, or of the features'.
struct RefinedRule {
  std::uint64_t iterations = 1;
  std::uint64_t rounds = 1;
  double share = 0.5;
  double clip = 1.0;          ///< of selections
  solvers::PaceOptions pace;  ///< of all descents
  std::uint64_t early_releases = 6;
  std::uint64_t last_releases = 30;
  double last_weight = 4.0;  ///< the last descent's budget, against its turn
};

/// What refined gradient descent on all records does.
struct RefinedDescentRule {
  std::uint64_t iterations = 120;
  solvers::PaceOptions pace;
  std::uint64_t centre_releases = 6;  ///< of the intercept alone, at first
  double centre_part = 0.03;          ///< of the budget
  solvers::PaceOptions centre_pace;
};

/// The rules of docs/defaults.md.
RefinedRule refined_gcd_rule(const DefaultsOf& of);
RefinedDescentRule refined_sgd_rule(const DefaultsOf& of);
/// Whether gradient descent on all records serves better than greedy coordinates: solver = auto.
bool descent_serves_better(const DefaultsOf& of);
Defaults gcd_defaults(const DefaultsOf& of);
Defaults cd_defaults(const DefaultsOf& of);
Defaults sgd_defaults(const DefaultsOf& of);

/// |l'(0, y)| of a loss that classifies: the same for both labels.
double first_slope(const problem::AnyLoss& loss);
/// How large |l'| may get at the start: the target's scale, or what bounds it anyway.
double derivative_scale(const problem::AnyLoss& loss, double target_scale);

/// The mu of Gaussian differential privacy whose curve passes through (epsilon, delta).
double gaussian_equivalent(const privacy::Budget& budget);

}  // namespace southwell::model
