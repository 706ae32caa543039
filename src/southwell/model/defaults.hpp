#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "southwell/privacy/budget.hpp"
#include "southwell/problem/any_loss.hpp"

namespace southwell::model {

/// What an automatic choice may depend on: never a record.
struct DefaultsOf {
  double records = 1.0;         ///< the public divisor
  std::size_t coordinates = 1;  ///< candidates of a selection
  privacy::Budget budget{};
  double largest_smoothness = 1.0;            ///< of the declared M_j
  std::optional<std::uint64_t> iterations{};  ///< where they are given
};

struct Defaults {
  std::uint64_t iterations = 1;
  double clip = 1.0;  ///< in units of derivative_scale
  double step = 1.0;
  double share = 0.5;  ///< of gcd's selections
};

/// The rules of docs/defaults.md.
Defaults gcd_defaults(const DefaultsOf& of);
Defaults cd_defaults(const DefaultsOf& of);
Defaults sgd_defaults(const DefaultsOf& of);

/// How large |l'| may get at the start: the target's scale, or what bounds it anyway.
double derivative_scale(const problem::AnyLoss& loss, double target_scale);

/// The mu of Gaussian differential privacy whose curve passes through (epsilon, delta).
double gaussian_equivalent(const privacy::Budget& budget);

}  // namespace southwell::model
