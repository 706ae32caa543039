#include "southwell/solvers/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/solvers/reference/reference_search.hpp"

namespace southwell::solvers {
namespace {

using problem::AnyPenalty;

template <data::Design D>
Optimum solve(const Objective<D>& objective, const Columns<D>& columns,
              const ReferenceOptions& options, const SearchStart& start, core::ThreadPool& pool) {
  return std::visit(
      [&](const auto& penalty) {
        return Reference(objective, columns, penalty.kinked(), options, start, pool).run();
      },
      objective.penalty());
}

/// How many times wider than asked huber must be for every record to bend at a constant margin.
double widening(const problem::AnyLoss& loss, double margin, std::span<const double> target) {
  const auto* huber = std::get_if<problem::Huber>(&loss);
  if (!huber) return 1.0;
  double farthest = 0.0;
  for (const double y : target) farthest = std::max(farthest, std::fabs(margin - y));
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
double weakness(const AnyPenalty& penalty, const Columns<D>& columns) {
  const double hold = hold_of(penalty);
  if (hold == 0.0) return 1.0;
  double steepest = 0.0;
  for (std::size_t j = 0; j < columns.start().gradient.size(); ++j) {
    steepest =
        std::max(steepest, std::fabs(columns.start().gradient[j]) * columns.shapes()[j].scale);
  }
  return steepest / hold;
}

/// Where to start: at the optimum of easier problems on the way, roughly. From far away huber does
/// not bend, and a weak l1 term leaves more coefficients free than records can tell apart.
template <data::Design D>
SearchStart start_of(const Objective<D>& objective, const Columns<D>& columns, double margin,
                     const ReferenceOptions& options, core::ThreadPool& pool) {
  constexpr double kFactor = 10.0;
  constexpr double kFar = 1e3;
  double wide = widening(objective.loss(), margin, objective.target());
  double strong = weakness(objective.penalty(), columns) / kFactor;
  if (strong * kFactor < kFar) strong = 1.0;
  SearchStart start{.gradient_known = true};
  for (; wide > kFactor || strong > kFactor; wide /= kFactor, strong /= kFactor) {
    const Objective<D> easier(
        objective.design(), objective.target(), widened(objective.loss(), std::max(1.0, wide)),
        strengthened(objective.penalty(), std::max(1.0, strong)), objective.intercept());
    const ReferenceOptions rough{.gap = std::max(1e-3, options.gap),
                                 .passes = std::min(20, options.passes),
                                 .work = options.work};
    start.gradient_known = false;  // not that of the easier problem, nor from there on
    Optimum found = solve(easier, columns, rough, start, pool);
    start.at = std::move(found.at);
    start.work = found.work;
  }
  return start;
}

}  // namespace

template <data::Design D>
Optimum reference(const Objective<D>& objective, const ReferenceOptions& options,
                  core::ThreadPool& pool) {
  if (!(options.gap > 0.0)) {
    throw InvalidArgument("gap: given " + core::number_text(options.gap) +
                          ", accepted is a number > 0");
  }
  const core::StandardFloatEnvironment standard;
  const double margin = objective.intercept() == Intercept::free ? typical_target(objective) : 0.0;
  std::vector<double> slopes(objective.records());
  slopes_at_margins(objective, std::vector<double>(slopes.size(), margin), slopes);
  const Columns<D> columns(objective, std::move(slopes), pool);
  return solve(objective, columns, options, start_of(objective, columns, margin, options, pool),
               pool);
}

template Optimum reference(const Objective<data::DenseDesign<double>>&, const ReferenceOptions&,
                           core::ThreadPool&);
template Optimum reference(const Objective<data::DenseDesign<float>>&, const ReferenceOptions&,
                           core::ThreadPool&);
template Optimum reference(const Objective<data::SparseDesign>&, const ReferenceOptions&,
                           core::ThreadPool&);

}  // namespace southwell::solvers
