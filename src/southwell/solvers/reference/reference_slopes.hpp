#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "southwell/problem/objective.hpp"
#include "southwell/solvers/reference/reference_certificate.hpp"
#include "southwell/solvers/reference/reference_gram.hpp"
#include "southwell/solvers/reference/reference_model.hpp"

namespace southwell::solvers {

using problem::Coefficients;
using problem::Intercept;
using problem::Objective;

/// Where an intercept starts: far from every target huber would not bend.
template <data::Design D>
double typical_target(const Objective<D>& objective) {
  const problem::AnyLoss& loss = objective.loss();
  const bool real = std::holds_alternative<problem::Squared>(loss) ||
                    std::holds_alternative<problem::Huber>(loss);
  if (!real) return 0.0;  // classes
  std::vector<double> values(objective.target().begin(), objective.target().end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The derivatives of the loss, summing to 0 if there is an intercept.
template <data::Design D>
void slopes_at_margins(const Objective<D>& objective, std::span<const double> margins,
                       std::span<double> slopes) {
  problem::derivatives(objective.loss(), margins, objective.target(), slopes);
  if (objective.intercept() == Intercept::none) return;
  std::vector<double> bends(margins.size());
  problem::curvatures(objective.loss(), margins, objective.target(), bends);
  balance(objective.loss(), bends, objective.target(), slopes);
}

/// The first and second derivatives of the loss by record, and its mean.
struct Slopes {
  std::vector<double> slopes;
  std::vector<double> curvatures;
  double loss = 0.0;
};

/// At margins of more than double precision: where targets are large, a slope is the small
/// difference of two large numbers.
template <data::Design D>
Slopes slopes_at(const problem::Objective<D>& objective, const problem::Coefficients& at) {
  std::vector<long double> precise(objective.records(), at.intercept);
  for (std::size_t j = 0; j < objective.features(); ++j) {
    if (at.coef[j] == 0.0) continue;
    const long double w = at.coef[j];
    objective.visit_column(j, [&](const auto& column) {
      column.for_each([&](std::size_t i, double x) { precise[i] += w * x; });
    });
  }
  const std::vector<double> margins(precise.begin(), precise.end());
  Slopes out{std::vector<double>(margins.size()), std::vector<double>(margins.size()), 0.0};
  problem::derivatives(objective.loss(), margins, objective.target(), out.slopes);
  problem::curvatures(objective.loss(), margins, objective.target(), out.curvatures);
  long double by_rounding = 0.0L;  // to second order
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const auto rest = static_cast<double>(precise[i] - margins[i]);
    by_rounding += rest * (out.slopes[i] + 0.5 * out.curvatures[i] * rest);
    out.slopes[i] += out.curvatures[i] * rest;
  }
  out.loss = objective.loss_value(margins) +
             static_cast<double>(by_rounding / static_cast<long double>(margins.size()));
  return out;
}

/// Moves slopes as a Newton step of the free coefficients would, which no rounding of coefficients
/// stops.
template <data::Design D, problem::KinkedPenalty P>
class SlopeNewton {
 public:
  /// `coef` in the columns' units, the intercept last.
  SlopeNewton(const Columns<D>& columns, const CoordinatePenalty<P>& penalty,
              std::span<const double> coef, core::ThreadPool& pool)
      : columns_(columns), penalty_(penalty), coef_(coef), pool_(pool) {
    for (std::size_t j = 0; j < coef.size(); ++j) {
      const bool intercept = j + 1 == coef.size();
      if (intercept ? columns.has_intercept() : penalty.is_free(j, coef[j])) list_.push_back(j);
    }
  }

  /// `spare` of the objective may be lost on the way. Returns the multiplications it took, 0 if the
  /// free coefficients are too many.
  double step(std::span<const double> gradient, double spare, Slopes& at) const {
    constexpr std::size_t kMost = 2048;
    if (list_.empty() || list_.size() > kMost) return 0.0;
    std::vector<double> slopes, l2, kinks;
    double straight = 0.0;
    for (const std::size_t j : list_) {
      l2.push_back(penalty_.curvature(j));
      kinks.push_back(penalty_.subdifferential(j, coef_[j]).lo);
      slopes.push_back(j == gradient.size() ? 0.0 : gradient[j] + l2.back() * coef_[j]);
      straight += kinks.back() * coef_[j];
    }
    // A little inside of an l1 term's dual domain, over whose edge rounding must not push them.
    const double inside = straight > 0.0 ? 1.0 - std::min(1e-3, spare / straight) : 0.0;
    for (std::size_t k = 0; k < list_.size(); ++k) slopes[k] += inside * kinks[k];
    Gram gram;
    gram.compute(columns_, list_, at.curvatures, Gram::Held::forget, pool_);
    std::vector<std::size_t> places(list_.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::vector<double> moves(list_.size());
    GramModel(gram, slopes, l2).solve(places, slopes, moves);
    std::vector<double> along(at.slopes.size());
    columns_.combine(list_, moves, along, pool_);
    for (std::size_t i = 0; i < along.size(); ++i) at.slopes[i] += at.curvatures[i] * along[i];
    const auto size = static_cast<double>(list_.size());
    return size * size * (static_cast<double>(along.size()) + size / 6.0);
  }

 private:
  const Columns<D>& columns_;
  const CoordinatePenalty<P>& penalty_;
  std::span<const double> coef_;
  core::ThreadPool& pool_;
  std::vector<std::size_t> list_;  // the free ones
};

}  // namespace southwell::solvers
