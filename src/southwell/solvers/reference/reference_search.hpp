#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/solvers/reference/reference.hpp"
#include "southwell/solvers/reference/reference_certificate.hpp"
#include "southwell/solvers/reference/reference_model.hpp"
#include "southwell/solvers/reference/reference_point.hpp"
#include "southwell/solvers/reference/reference_slopes.hpp"
#include "southwell/solvers/reference/reference_working_set.hpp"

namespace southwell::solvers {

using problem::Coefficients;
using problem::Intercept;
using problem::KinkedPenalty;
using problem::Objective;

struct SearchStart {
  std::optional<Coefficients> at{};  ///< absent: no features, and the typical target
  bool gradient_known = false;       ///< without features, the columns' start has it for this loss
  double work = 0.0;                 ///< done so far
};

/// The search for the optimum.
template <data::Design D, KinkedPenalty P>
class Reference {
 public:
  Reference(const Objective<D>& objective, const Columns<D>& columns, const P& kinked,
            const ReferenceOptions& options, const SearchStart& start, core::ThreadPool& pool)
      : objective_(objective),
        options_(options),
        pool_(pool),
        columns_(columns),
        penalty_{kinked, problem::curvature(objective.penalty()), columns_.shapes()},
        point_(objective, columns, pool),
        set_(objective, columns, penalty_, point_, pool),
        slopes_(objective.records()),
        gradient_(objective.features()),
        features_(objective.features()) {
    std::iota(features_.begin(), features_.end(), std::size_t{0});
    loss_at_zero_ = loss_of_nothing_ = loss_of_constant(0.0);
    if (has_intercept()) {
      point_.coef.back() = typical_target(objective);
      if (point_.coef.back() != 0.0) {
        loss_of_nothing_ = std::min(loss_at_zero_, loss_of_constant(point_.coef.back()));
      }
    }
    const double nearest_zero = kinked.prox(0.0, 1.0);
    for (const std::size_t j : features_)
      point_.coef[j] = nearest_zero * columns_.shapes()[j].scale;
    if (start.at) {
      for (const std::size_t j : features_) {
        point_.coef[j] = start.at->coef[j] * columns.shapes()[j].scale;
      }
      point_.coef.back() = static_cast<double>(start.at->intercept + point_.centers(*start.at));
    }
    start_known_ = start.gradient_known && nearest_zero == 0.0;
    work_ = start.work;
    if (start_known_) {
      point_.margins.assign(objective.records(), point_.coef.back());
    } else {
      point_.refresh_margins();
    }
  }

  Reference(const Reference&) = delete;  // its parts refer to each other
  Reference& operator=(const Reference&) = delete;

  Optimum run() {
    Optimum result;
    const auto p = static_cast<double>(objective_.features());
    result.objective_at_zero = loss_at_zero_ + p * penalty_.kinked.value(0.0);
    for (result.passes = 1;; ++result.passes) {
      // Margins are kept up to date move by move; what is certified are the coefficients as they
      // are.
      if (!point_.fresh_margins) point_.refresh_margins();
      certify(result);
      if ((result.gap <= options_.gap || stuck_) && rounding_matters()) certify_exactly(result);
      if (ended(result)) break;
      set_.choose(gradient_);
      stuck_ = !improve_on_working_set(result.objective);
    }
    result.work = work_;
    result.at = point_.coefficients();
    return result;
  }

 private:
  double loss_of_constant(double margin) const {
    return objective_.loss_value(std::vector<double>(objective_.records(), margin));
  }

  bool has_intercept() const { return objective_.intercept() == Intercept::free; }

  /// One gradient of all features; with it, objective and lower bound.
  void certify(Optimum& result) {
    if (start_known_) {
      slopes_ = columns_.start().slopes;
      gradient_ = columns_.start().gradient;
      start_known_ = false;
    } else {
      slopes_at_margins(objective_, point_.margins, slopes_);
      columns_.dots(features_, slopes_, gradient_, pool_);
    }
    work_ += static_cast<double>(objective_.design().stored_entries());
    double largest = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      largest = std::max(largest, std::fabs(point_.coef[j]));
      size += std::fabs(gradient_[j]);
    }
    point_.loss = objective_.loss_value(point_.margins);
    result.objective = point_.loss + objective_.penalty_value(point_.coefficients());
    if (!std::isfinite(result.objective) || !std::isfinite(size)) {
      throw DataError(
          "data: values that are not finite, or too large to square; the optimum needs "
          "finite numbers");
    }
    scale_ = std::max(result.objective, 1e-6 * loss_of_nothing_);
    reach_ = 10.0 * std::max(std::sqrt(2.0 * scale_), largest);
    const Certificate certificate(objective_.penalty(), reach_, columns_.shapes());
    result.gap = relative_gap(result, certificate.lower_bound(objective_.loss(), slopes_,
                                                              objective_.target(), gradient_));
    result.certificate = certificate.name();
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      gradient_[j] += penalty_.curvature(j) * point_.coef[j];
    }
  }

  double relative_gap(const Optimum& result, double bound) const {
    const double gap = std::max(0.0, result.objective - bound);
    return gap > 0.0 ? gap / scale_ : 0.0;
  }

  /// Whether the rounding of margins and targets could move the gap by a tenth of what is asked.
  bool rounding_matters() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < point_.margins.size(); ++i) {
      largest = std::max(largest, std::fabs(point_.margins[i]) + std::fabs(objective_.target()[i]));
    }
    const double rounding = std::numeric_limits<double>::epsilon() * largest;  // of a slope
    return rounding > 0.1 * violation_for(options_.gap * scale_);
  }

  /// The gap again, from slopes of more than double precision at the coefficients as they are
  /// handed out; where the rounding of those is what is in the way, from slopes as a Newton step
  /// would make them that no rounding stops. Any slopes prove a bound.
  void certify_exactly(Optimum& result) {
    constexpr int kSteps = 4;
    const Coefficients found = point_.coefficients();
    Slopes at = slopes_at(objective_, found);
    result.objective = at.loss + objective_.penalty_value(found);
    scale_ = std::max(result.objective, 1e-6 * loss_of_nothing_);
    const Certificate certificate(objective_.penalty(), reach_, columns_.shapes());
    const SlopeNewton newton(columns_, penalty_, point_.coef, pool_);
    std::vector<double> gradient(objective_.features());
    double best = -std::numeric_limits<double>::infinity();
    for (int step = 0;; ++step) {
      if (has_intercept())
        balance(objective_.loss(), at.curvatures, objective_.target(), at.slopes);
      columns_.dots(features_, at.slopes, gradient, pool_);
      best = std::max(best, certificate.lower_bound(objective_.loss(), at.slopes,
                                                    objective_.target(), gradient));
      result.gap = relative_gap(result, best);
      if (result.gap <= options_.gap || step == kSteps) return;
      const double work = newton.step(gradient, 0.1 * options_.gap * scale_, at);
      if (work == 0.0) return;
      work_ += work;
    }
  }

  bool ended(Optimum& result) {
    result.reached = result.gap <= options_.gap;
    if (result.reached) {
      result.ended = "the gap was reached";
    } else if (result.passes >= options_.passes) {
      result.ended = "the bound on its passes was met";
    } else if (work_ >= options_.work) {
      result.ended = "the bound on its work was met";
    } else if (stalled(result)) {
      result.ended = "the gap fell no further in double precision";
    }
    return !result.ended.empty();
  }

  /// Rounding has the last word: give up when neither the gap has fallen for many passes nor, where
  /// the bound is 0 and the gap therefore 1, the objective by much.
  bool stalled(const Optimum& result) {
    constexpr int kPatience = 30;
    if (result.gap < best_gap_ || result.objective < 0.99 * best_objective_) {
      best_gap_ = std::min(best_gap_, result.gap);
      best_objective_ = result.objective;
      since_best_ = 0;
    }
    return ++since_best_ > kPatience;
  }

  /// The violation at which the gap would be small enough, by what a violation can cost at most.
  double violation_for(double gap) const {
    // How far a coefficient can be moved at most: alpha |w| <= F for l1, the reach otherwise.
    const double edge = penalty_.kinked.dual_domain().hi;
    const double lengths = edge > 0.0 && std::isfinite(edge)
                               ? scale_ / edge
                               : 2.0 * reach_ * static_cast<double>(objective_.features());
    const double straight = 0.5 * gap / lengths;
    const auto size = static_cast<double>(std::max<std::size_t>(1, set_.size()));
    const double curved = std::sqrt(penalty_.l2 * gap / size);
    return has_intercept() ? straight : std::max(straight, curved);
  }

  /// False if nothing moves any more.
  bool improve_on_working_set(double value) {
    constexpr int kSteps = 50;
    // While features outside wait to come in, the inside need not be finished.
    const double enough = tightened_ * violation_for(options_.gap * scale_);
    const double target =
        set_.holds_all_that_violate() ? enough : std::max(enough, 0.1 * set_.most_violated());
    double before = std::numeric_limits<double>::infinity();
    std::vector<double> gradient;
    for (int step = 0; step < kSteps && work_ < options_.work; ++step) {
      const double violation = set_.gradient(step == 0 ? &gradient_ : nullptr, gradient);
      if (violation <= target) {
        if (step == 0) tightened_ *= 0.1;  // the guess was too generous: the gap is still open
        return true;
      }
      if (step > 3 && violation > 0.9 * before) return false;
      before = violation;
      if (!set_.newton_step(gradient, violation, value, work_)) return false;
    }
    return true;
  }

  const Objective<D>& objective_;
  const ReferenceOptions& options_;
  core::ThreadPool& pool_;
  const Columns<D>& columns_;
  CoordinatePenalty<P> penalty_;
  ReferencePoint<D> point_;
  WorkingSet<D, P> set_;

  std::vector<double> slopes_;
  std::vector<double> gradient_;  // of the smooth part, by feature, in the columns' units
  std::vector<std::size_t> features_;

  bool start_known_ = false;  // the columns know the gradient at its margins
  double loss_at_zero_ = 0.0;
  double loss_of_nothing_ = 0.0;  // without features
  double scale_ = 0.0;
  double reach_ = 0.0;
  double tightened_ = 1.0;
  double work_ = 0.0;
  bool stuck_ = false;  // the last search moved nothing any more
  double best_gap_ = std::numeric_limits<double>::infinity();
  double best_objective_ = std::numeric_limits<double>::infinity();
  int since_best_ = 0;
};

}  // namespace southwell::solvers
