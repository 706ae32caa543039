#include "lab/objective_spec.hpp"

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

void refuse_unless(bool applies, const std::optional<double>& given, std::string_view name,
                   std::string_view of, const std::string& chosen) {
  if (given && !applies) {
    throw InvalidArgument(std::string(name) + ": given, but it belongs to " + std::string(of) +
                          "; chosen is " + chosen);
  }
}

double needed(const std::optional<double>& given, std::string_view name,
              const std::string& chosen) {
  if (!given) throw InvalidArgument(std::string(name) + ": needed by " + chosen + ", not given");
  return *given;
}

}  // namespace

problem::AnyLoss loss_of(const ObjectiveSpec& spec) {
  const bool huber = spec.loss == problem::Huber::kName;
  refuse_unless(huber, spec.huber_width, "huber_width", "the loss huber", spec.loss);
  return problem::make_loss(spec.loss,
                            huber ? needed(spec.huber_width, "huber_width", spec.loss) : 1.0);
}

problem::AnyPenalty penalty_of(const ObjectiveSpec& spec) {
  const bool box = spec.penalty == problem::Box::kName;
  const bool net = spec.penalty == problem::ElasticNet::kName;
  const bool strength =
      net || spec.penalty == problem::L1::kName || spec.penalty == problem::L2::kName;
  const std::string& chosen = spec.penalty;
  refuse_unless(strength, spec.alpha, "alpha", "the penalties l1, l2 and elastic_net", chosen);
  refuse_unless(net, spec.l1_ratio, "l1_ratio", "the penalty elastic_net", chosen);
  refuse_unless(box, spec.lower, "lower", "the penalty box", chosen);
  refuse_unless(box, spec.upper, "upper", "the penalty box", chosen);
  if (box && !spec.lower && !spec.upper) {
    throw InvalidArgument("lower, upper: the penalty box needs at least one of them");
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return problem::make_penalty({.name = chosen,
                                .alpha = strength ? needed(spec.alpha, "alpha", chosen) : 0.0,
                                .l1_ratio = net ? needed(spec.l1_ratio, "l1_ratio", chosen) : 0.0,
                                .lower = spec.lower.value_or(-kInfinity),
                                .upper = spec.upper.value_or(kInfinity)});
}

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
