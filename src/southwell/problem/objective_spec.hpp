#pragma once

#include <optional>
#include <string>

#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/objective.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::problem {

/// An objective as the interfaces spell it. What does not apply to the loss or penalty is refused.
struct ObjectiveSpec {
  std::string loss;
  std::string penalty = "none";
  std::optional<double> alpha;
  std::optional<double> l1_ratio;
  std::optional<double> lower;
  std::optional<double> upper;
  std::optional<double> huber_width;
  Intercept intercept = Intercept::free;
};

/// Whether its penalty has an alpha.
bool has_strength(const ObjectiveSpec& spec);

AnyLoss loss_of(const ObjectiveSpec& spec);
AnyPenalty penalty_of(const ObjectiveSpec& spec);

}  // namespace southwell::problem
