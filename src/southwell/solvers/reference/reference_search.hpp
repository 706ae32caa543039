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
#include "southwell/solvers/reference/reference_gram.hpp"
#include "southwell/solvers/reference/reference_model.hpp"
#include "southwell/solvers/reference/reference_slopes.hpp"

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
        quadratic_(std::holds_alternative<problem::Squared>(objective.loss())),
        coef_(objective.features() + 1, 0.0),
        slopes_(objective.records()),
        weights_(objective.records(), 1.0),
        gradient_(objective.features()),
        features_(objective.features()) {
    std::iota(features_.begin(), features_.end(), std::size_t{0});
    loss_at_zero_ = loss_of_nothing_ = loss_of_constant(0.0);
    if (has_intercept()) {
      coef_.back() = typical_target(objective);
      if (coef_.back() != 0.0) {
        loss_of_nothing_ = std::min(loss_at_zero_, loss_of_constant(coef_.back()));
      }
    }
    const double nearest_zero = kinked.prox(0.0, 1.0);
    for (const std::size_t j : features_) coef_[j] = nearest_zero * columns_.shapes()[j].scale;
    if (start.at) {
      for (const std::size_t j : features_) {
        coef_[j] = start.at->coef[j] * columns.shapes()[j].scale;
      }
      coef_.back() = static_cast<double>(start.at->intercept + centers(*start.at));
    }
    start_known_ = start.gradient_known && nearest_zero == 0.0;
    work_ = start.work;
    if (start_known_) {
      margins_.assign(objective.records(), coef_.back());
    } else {
      refresh_margins();
    }
  }

  Optimum run() {
    Optimum result;
    const auto p = static_cast<double>(objective_.features());
    result.objective_at_zero = loss_at_zero_ + p * penalty_.kinked.value(0.0);
    for (result.passes = 1;; ++result.passes) {
      // Margins are kept up to date move by move; what is certified are the coefficients as they
      // are.
      if (!fresh_margins_) refresh_margins();
      certify(result);
      if ((result.gap <= options_.gap || stuck_) && rounding_matters()) certify_exactly(result);
      if (ended(result)) break;
      choose_working_set();
      stuck_ = !improve_on_working_set(result.objective);
    }
    result.work = work_;
    result.at = coefficients();
    return result;
  }

 private:
  static constexpr std::size_t kGramAlways = 400;  // a matrix of this size costs little
  static constexpr std::size_t kGramAtMost =
      2048;  // and of this size is worth it if all else fails

  static constexpr double kFlatMost = 1e-3;
  static constexpr double kFlatLeast = 1e-12;

  /// In the data's own units.
  Coefficients coefficients() const {
    Coefficients out{std::vector<double>(objective_.features()), 0.0};
    for (const std::size_t j : features_) out.coef[j] = coef_[j] / columns_.shapes()[j].scale;
    out.intercept = static_cast<double>(coef_.back() - centers(out));
    return out;
  }

  /// What centering takes from the margins. In long double: where means are large, the intercept is
  /// a small difference of large numbers.
  long double centers(const Coefficients& at) const {
    long double sum = 0.0L;
    for (const std::size_t j : features_) {
      sum += static_cast<long double>(columns_.shapes()[j].center) * at.coef[j];
    }
    return sum;
  }

  /// The margins of the coefficients as they are handed out.
  void refresh_margins() {
    const Coefficients at = coefficients();
    coef_.back() = static_cast<double>(at.intercept + centers(at));
    std::vector<std::size_t> list;
    std::vector<double> factors;
    for (std::size_t j = 0; j < coef_.size(); ++j) {
      if (coef_[j] == 0.0) continue;
      list.push_back(j);
      factors.push_back(coef_[j]);
    }
    margins_.resize(objective_.records());
    columns_.combine(list, factors, margins_, pool_);
    fresh_margins_ = true;
  }

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
      slopes_at_margins(objective_, margins_, slopes_);
      columns_.dots(features_, slopes_, gradient_, pool_);
    }
    work_ += static_cast<double>(objective_.design().stored_entries());
    double largest = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      largest = std::max(largest, std::fabs(coef_[j]));
      size += std::fabs(gradient_[j]);
    }
    loss_now_ = objective_.loss_value(margins_);
    result.objective = loss_now_ + objective_.penalty_value(coefficients());
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
      gradient_[j] += penalty_.curvature(j) * coef_[j];
    }
  }

  double relative_gap(const Optimum& result, double bound) const {
    const double gap = std::max(0.0, result.objective - bound);
    return gap > 0.0 ? gap / scale_ : 0.0;
  }

  /// Whether the rounding of margins and targets could move the gap by a tenth of what is asked.
  bool rounding_matters() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < margins_.size(); ++i) {
      largest = std::max(largest, std::fabs(margins_[i]) + std::fabs(objective_.target()[i]));
    }
    const double rounding = std::numeric_limits<double>::epsilon() * largest;  // of a slope
    return rounding > 0.1 * violation_for(options_.gap * scale_);
  }

  /// The gap again, from slopes of more than double precision at the coefficients as they are
  /// handed out; where the rounding of those is what is in the way, from slopes as a Newton step
  /// would make them that no rounding stops. Any slopes prove a bound.
  void certify_exactly(Optimum& result) {
    constexpr int kSteps = 4;
    const Coefficients found = coefficients();
    Slopes at = slopes_at(objective_, found);
    result.objective = at.loss + objective_.penalty_value(found);
    scale_ = std::max(result.objective, 1e-6 * loss_of_nothing_);
    const Certificate certificate(objective_.penalty(), reach_, columns_.shapes());
    const SlopeNewton newton(columns_, penalty_, coef_, pool_);
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

  /// All free coordinates, and of those at a kink the ones that violate optimality most.
  void choose_working_set() {
    const std::size_t p = objective_.features();
    list_.clear();
    std::vector<std::pair<double, std::size_t>> at_kink;
    most_violated_ = 0.0;
    for (std::size_t j = 0; j < p; ++j) {
      const double violation = penalty_.violation(j, coef_[j], gradient_[j]);
      most_violated_ = std::max(most_violated_, violation);
      if (penalty_.is_free(j, coef_[j])) {
        list_.push_back(j);
      } else if (violation > 0.0) {
        at_kink.emplace_back(violation, j);
      }
    }
    const std::size_t few =
        std::max<std::size_t>(10, static_cast<std::size_t>(std::sqrt(static_cast<double>(p))) / 2);
    const std::size_t room = std::max(few, list_.size());
    all_inside_ = at_kink.size() <= room;
    if (!all_inside_) {
      std::nth_element(at_kink.begin(), at_kink.begin() + static_cast<std::ptrdiff_t>(room),
                       at_kink.end(), std::greater<>());
      at_kink.resize(room);
    }
    for (const auto& [violation, j] : at_kink) list_.push_back(j);
    std::sort(list_.begin(), list_.end());
    if (has_intercept()) list_.push_back(p);
    l2_.resize(list_.size());
    for (std::size_t k = 0; k < list_.size(); ++k) l2_[k] = penalty_.curvature(list_[k]);
  }

  /// The violation at which the gap would be small enough, by what a violation can cost at most.
  double violation_for(double gap) const {
    // How far a coefficient can be moved at most: alpha |w| <= F for l1, the reach otherwise.
    const double edge = penalty_.kinked.dual_domain().hi;
    const double lengths = edge > 0.0 && std::isfinite(edge)
                               ? scale_ / edge
                               : 2.0 * reach_ * static_cast<double>(objective_.features());
    const double straight = 0.5 * gap / lengths;
    const auto size = static_cast<double>(std::max<std::size_t>(1, list_.size()));
    const double curved = std::sqrt(penalty_.l2 * gap / size);
    return has_intercept() ? straight : std::max(straight, curved);
  }

  /// False if nothing moves any more.
  bool improve_on_working_set(double value) {
    constexpr int kSteps = 50;
    // While features outside wait to come in, the inside need not be finished.
    const double enough = tightened_ * violation_for(options_.gap * scale_);
    const double target = all_inside_ ? enough : std::max(enough, 0.1 * most_violated_);
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps && work_ < options_.work; ++step) {
      std::vector<double> gradient(list_.size());
      const double violation = working_gradient(gradient, step == 0);
      if (violation <= target) {
        if (step == 0) tightened_ *= 0.1;  // the guess was too generous: the gap is still open
        return true;
      }
      if (step > 3 && violation > 0.9 * before) return false;
      before = violation;
      if (!newton_step(gradient, violation, value)) return false;
    }
    return true;
  }

  /// The gradient on the working set; returns the largest violation there.
  double working_gradient(std::vector<double>& gradient, bool just_certified) {
    if (just_certified && !has_intercept()) {
      for (std::size_t k = 0; k < list_.size(); ++k) gradient[k] = gradient_[list_[k]];
    } else {
      problem::derivatives(objective_.loss(), margins_, objective_.target(), slopes_);
      columns_.dots(list_, slopes_, gradient, pool_);
      for (std::size_t k = 0; k < list_.size(); ++k) gradient[k] += l2_[k] * coef_[list_[k]];
    }
    double violation = 0.0;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      violation = std::max(violation, penalty_.violation(list_[k], coef_[list_[k]], gradient[k]));
    }
    return violation;
  }

  void refresh_weights() {
    if (quadratic_) return;
    problem::curvatures(objective_.loss(), margins_, objective_.target(), weights_);
    double sum = 0.0;
    for (const double h : weights_) sum += h;
    const double typical = sum > 0.0 ? sum / static_cast<double>(weights_.size())
                                     : problem::curvature_bound(objective_.loss());
    // A flat record may bend once it moves; a little curvature keeps the step within sight.
    for (double& h : weights_) h = h > 0.0 ? h : flat_ * typical;
  }

  /// Minimises the quadratic model and goes there as far as the objective falls. False if it does
  /// not fall any more.
  bool newton_step(const std::vector<double>& gradient, double violation, double& value) {
    refresh_weights();
    const auto size = static_cast<double>(list_.size());
    const auto n = static_cast<double>(objective_.records());
    std::vector<double> to(list_.size());
    for (std::size_t k = 0; k < list_.size(); ++k) to[k] = coef_[list_[k]];
    if (list_.size() <= gram_limit_) {
      gram_.compute(columns_, list_, weights_, quadratic_ ? Gram::Held::keep : Gram::Held::forget,
                    pool_);
      GramModel model(gram_, gradient, l2_);
      ModelMinimiser(model, penalty_, list_, to).run(1e-3 * violation);
      work_ += 0.5 * size * size * n + model.work();
    } else {
      ColumnModel model(columns_, list_, weights_, gradient, l2_, pool_);
      ModelMinimiser(model, penalty_, list_, to).run(0.03 * violation);
      work_ += size * n + model.work();
      if (model.struggled()) gram_limit_ = kGramAtMost;
    }
    return line_search(gradient, to, value);
  }

  bool line_search(const std::vector<double>& gradient, const std::vector<double>& to,
                   double& value) {
    constexpr double kRounding = 1e-14;
    std::vector<double> moves(list_.size());
    for (std::size_t k = 0; k < list_.size(); ++k) moves[k] = to[k] - coef_[list_[k]];
    std::vector<double> along(objective_.records());
    columns_.combine(list_, moves, along, pool_);
    std::vector<double> trial(objective_.records());
    double promised = 0.0;  // by the gradient; the penalty's share is exact
    for (std::size_t k = 0; k < list_.size(); ++k) {
      const double w = coef_[list_[k]];
      promised += (gradient[k] - l2_[k] * w) * moves[k] + penalty_.value(list_[k], to[k]) -
                  penalty_.value(list_[k], w);
    }
    for (double step = 1.0; step > 1e-12; step *= 0.5) {
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = margins_[i] + step * along[i];
      const double loss = objective_.loss_value(trial);
      double change = loss - loss_now_;
      for (std::size_t k = 0; k < list_.size(); ++k) {
        const double w = coef_[list_[k]];
        change += penalty_.value(list_[k], step == 1.0 ? to[k] : w + step * moves[k]) -
                  penalty_.value(list_[k], w);
      }
      if (!(change <= 1e-4 * step * promised + kRounding * std::fabs(value))) continue;
      for (std::size_t k = 0; k < list_.size(); ++k) {
        coef_[list_[k]] = step == 1.0 ? to[k] : coef_[list_[k]] + step * moves[k];
      }
      // Whole steps mean that flat records stay flat, short ones that they do not.
      flat_ = step == 1.0 ? std::max(kFlatLeast, 0.1 * flat_) : std::min(kFlatMost, 10.0 * flat_);
      margins_.swap(trial);
      loss_now_ = loss;
      value += change;
      fresh_margins_ = false;
      return true;
    }
    return false;
  }

  const Objective<D>& objective_;
  const ReferenceOptions& options_;
  core::ThreadPool& pool_;
  const Columns<D>& columns_;
  CoordinatePenalty<P> penalty_;
  bool quadratic_;

  std::vector<double> coef_;  // in the columns' units, the intercept last
  std::vector<double> margins_;
  bool fresh_margins_ = true;
  std::vector<double> slopes_;
  std::vector<double> weights_;
  std::vector<double> gradient_;  // of the smooth part, by feature, in the columns' units
  std::vector<std::size_t> features_;

  std::vector<std::size_t> list_;  // the working set
  std::vector<double> l2_;         // its l2 strengths
  bool all_inside_ = false;        // every violating feature is in it
  Gram gram_;
  std::size_t gram_limit_ = kGramAlways;

  bool start_known_ = false;  // the columns know the gradient at margins_
  double loss_at_zero_ = 0.0;
  double loss_of_nothing_ = 0.0;  // without features
  double loss_now_ = 0.0;         // at margins_
  double scale_ = 0.0;
  double reach_ = 0.0;
  double most_violated_ = 0.0;
  double tightened_ = 1.0;
  double flat_ = kFlatMost;  // the curvature lent to a flat record, as a share of the typical one
  double work_ = 0.0;
  bool stuck_ = false;  // the last search moved nothing any more
  double best_gap_ = std::numeric_limits<double>::infinity();
  double best_objective_ = std::numeric_limits<double>::infinity();
  int since_best_ = 0;
};

}  // namespace southwell::solvers
