#pragma once

#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/problem/objective.hpp"
#include "southwell/problem/objective_spec.hpp"
#include "southwell/solvers/reference/reference.hpp"

namespace southwell::lab {

using problem::Coefficients;
using problem::Intercept;
using problem::ObjectiveSpec;

/// f(objective) on the design as it is stored.
template <class F>
auto visit_objective(const data::Dataset& dataset, const ObjectiveSpec& spec, F&& f) {
  const problem::AnyLoss loss = loss_of(spec);
  const problem::AnyPenalty penalty = penalty_of(spec);
  return std::visit(
      [&](const auto& design) {
        return f(problem::Objective(design, std::span<const double>(dataset.target), loss, penalty,
                                    spec.intercept));
      },
      dataset.design);
}

/// The optimum, by solvers/reference.
solvers::Optimum optimum(const data::Dataset& dataset, const ObjectiveSpec& spec, double gap,
                         core::ThreadPool& pool);

/// Throws std::runtime_error unless the optimum has reached its gap: what is computed from another
/// would be called exact and is not.
void require_reached(const solvers::Optimum& optimum);

struct Evaluation {
  double loss_value = 0.0;
  double penalty_value = 0.0;
  double objective() const { return loss_value + penalty_value; }
};

/// The objective at given coefficients.
Evaluation evaluate(const data::Dataset& dataset, const ObjectiveSpec& spec,
                    const Coefficients& at);

}  // namespace southwell::lab
