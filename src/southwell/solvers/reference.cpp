#include "southwell/solvers/reference.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/solvers/reference_search.hpp"

namespace southwell::solvers {
namespace {

using problem::AnyPenalty;

template <data::Design D>
Optimum solve(const Objective<D>& objective, const Columns<D>& columns,
              const ReferenceOptions& options, const std::optional<Coefficients>& start,
              core::ThreadPool& pool) {
  return std::visit(
      [&](const auto& penalty) {
        return Reference(objective, columns, penalty.kinked(), options, start, pool).run();
      },
      objective.penalty());
}

/// How many times wider than asked huber must be for every record to bend at the start.
double widening(const problem::AnyLoss& loss, std::span<const double> margins,
                std::span<const double> target) {
  const auto* huber = std::get_if<problem::Huber>(&loss);
  if (!huber) return 1.0;
  double farthest = 0.0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    farthest = std::max(farthest, std::fabs(margins[i] - target[i]));
  }
  return farthest / huber->width();
}

problem::AnyLoss widened(const problem::AnyLoss& loss, double times) {
  const auto* huber = std::get_if<problem::Huber>(&loss);
  return huber ? problem::Huber(huber->width() * times) : loss;
}

AnyPenalty strengthened(const AnyPenalty& penalty, double times) {
  return std::visit(
      [&](const auto& p) -> AnyPenalty {
        if constexpr (requires { p.stronger(times); }) return p.stronger(times);
        return p;
      },
      penalty);
}

/// The slope at which an l1 term lets go of 0; 0 where there is none.
double hold_of(const AnyPenalty& penalty) {
  return std::visit(
      [](const auto& p) {
        const problem::Interval domain = p.kinked().dual_domain();
        return std::isfinite(domain.hi) ? domain.hi : 0.0;
      },
      penalty);
}

/// How many times an l1 penalty is too weak to hold every coefficient at 0 in the start.
template <data::Design D>
double weakness(const Objective<D>& objective, std::span<const double> margins,
                core::ThreadPool& pool) {
  const double hold = hold_of(objective.penalty());
  if (hold == 0.0) return 1.0;
  std::vector<double> slopes(objective.records());
  std::vector<double> gradient(objective.features());
  problem::derivatives(objective.loss(), margins, objective.target(), slopes);
  objective.slopes_to_gradient(slopes, gradient, pool);
  double steepest = 0.0;
  for (const double g : gradient) steepest = std::max(steepest, std::fabs(g));
  return steepest / hold;
}

/// Where to start: at the optimum of easier problems on the way, roughly. From far away huber does
/// not bend, and a weak l1 term leaves more coefficients free than records can tell apart.
template <data::Design D>
std::optional<Coefficients> warm_start(const Objective<D>& objective, const Columns<D>& columns,
                                       const ReferenceOptions& options, core::ThreadPool& pool) {
  constexpr double kFactor = 10.0;
  constexpr double kFar = 1e3;
  const std::vector<double> margins(objective.records(), objective.intercept() == Intercept::free
                                                             ? typical_target(objective)
                                                             : 0.0);
  double wide = widening(objective.loss(), margins, objective.target());
  double strong = weakness(objective, margins, pool) / kFactor;
  if (strong * kFactor < kFar) strong = 1.0;
  std::optional<Coefficients> start;
  for (; wide > kFactor || strong > kFactor; wide /= kFactor, strong /= kFactor) {
    const Objective<D> easier(
        objective.design(), objective.target(), widened(objective.loss(), std::max(1.0, wide)),
        strengthened(objective.penalty(), std::max(1.0, strong)), objective.intercept());
    const ReferenceOptions rough{.gap = std::max(1e-3, options.gap),
                                 .passes = std::min(20, options.passes)};
    start = solve(easier, columns, rough, start, pool).at;
  }
  return start;
}

}  // namespace

template <data::Design D>
Optimum reference(const Objective<D>& objective, const ReferenceOptions& options,
                  core::ThreadPool& pool) {
  if (!(options.gap > 0.0)) {
    throw InvalidArgument("gap: given " + std::to_string(options.gap) +
                          ", accepted is a number > 0");
  }
  const core::StandardFloatEnvironment standard;
  const Columns<D> columns(objective, pool);
  return solve(objective, columns, options, warm_start(objective, columns, options, pool), pool);
}

template Optimum reference(const Objective<data::DenseDesign<double>>&, const ReferenceOptions&,
                           core::ThreadPool&);
template Optimum reference(const Objective<data::DenseDesign<float>>&, const ReferenceOptions&,
                           core::ThreadPool&);
template Optimum reference(const Objective<data::SparseDesign>&, const ReferenceOptions&,
                           core::ThreadPool&);

}  // namespace southwell::solvers
