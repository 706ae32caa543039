#include "lab/objectives.hpp"

#include <sstream>
#include <stdexcept>

#include "southwell/core/error.hpp"

namespace southwell::lab {
solvers::Optimum optimum(const data::Dataset& dataset, const ObjectiveSpec& spec, double gap,
                         core::ThreadPool& pool) {
  return visit_objective(dataset, spec, [&](const auto& objective) {
    return solvers::reference(objective, {.gap = gap}, pool);
  });
}

void require_reached(const solvers::Optimum& optimum) {
  if (optimum.reached) return;
  std::ostringstream message;
  message << "the optimum was not found (" << optimum.ended << "): its relative gap is "
          << optimum.gap << ", and what depends on it would not be exact";
  throw std::runtime_error(message.str());
}

Evaluation evaluate(const data::Dataset& dataset, const ObjectiveSpec& spec,
                    const Coefficients& at) {
  return visit_objective(dataset, spec, [&](const auto& objective) {
    if (at.coef.size() != objective.features()) {
      throw DataError("coefficients: " + std::to_string(at.coef.size()) + " for " +
                      std::to_string(objective.features()) + " features; one for each is needed");
    }
    return Evaluation{objective.loss_value(objective.margins(at)), objective.penalty_value(at)};
  });
}

}  // namespace southwell::lab
