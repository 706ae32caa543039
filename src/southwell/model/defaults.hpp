#pragma once

#include <cstddef>
#include <cstdint>

#include "southwell/privacy/budget.hpp"
#include "southwell/problem/any_loss.hpp"

namespace southwell::model {

/// What an automatic choice may depend on: never a record.
struct DefaultsOf {
  double records = 1.0;         ///< the public divisor
  std::size_t coordinates = 1;  ///< candidates of a selection
  privacy::Budget budget{};
  problem::AnyLoss loss;
  double target_scale = 1.0;
};

struct Defaults {
  std::uint64_t iterations = 1;
  double clip = 1.0;
  double step = 1.0;
  double share = 0.8;
};

/// The rule of docs/defaults.md for plain DP-GCD.
Defaults gcd_defaults(const DefaultsOf& of);

/// The mu of Gaussian differential privacy whose curve passes through (epsilon, delta).
double gaussian_equivalent(const privacy::Budget& budget);

}  // namespace southwell::model
