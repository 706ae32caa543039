#include "southwell/solvers/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/solvers/reference_certificate.hpp"
#include "southwell/solvers/reference_gram.hpp"
#include "southwell/solvers/reference_model.hpp"

namespace southwell::solvers {
namespace {

using problem::AnyPenalty;
using problem::Coefficients;
using problem::Intercept;
using problem::KinkedPenalty;
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

template <data::Design D, KinkedPenalty P>
class Reference {
 public:
  Reference(const Objective<D>& objective, const Columns<D>& columns, const P& kinked,
            const ReferenceOptions& options, const std::optional<Coefficients>& start,
            core::ThreadPool& pool)
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
    for (const std::size_t j : features_) {
      coef_[j] = penalty_.prox(j, 0.0, 1.0);
    }
    if (has_intercept()) coef_.back() = typical_target(objective);
    loss_of_nothing_ = std::min(loss_of_constant(0.0), loss_of_constant(coef_.back()));
    if (start) {
      for (const std::size_t j : features_) {
        coef_[j] = start->coef[j] * columns.shapes()[j].scale;
      }
      coef_.back() = static_cast<double>(start->intercept + centres(*start));
    }
    refresh_margins();
  }

  Optimum run() {
    Optimum result;
    const double at_zero = loss_of_constant(0.0);
    const auto p = static_cast<double>(objective_.features());
    result.objective_at_zero = at_zero + p * kinked_value(0.0);
    for (result.passes = 1;; ++result.passes) {
      certify(result);
      if (result.gap <= options_.gap && !fresh_margins_) {
        // The margins were kept up to date move by move; the last word is on the margins of the
        // coefficients as they are.
        refresh_margins();
        certify(result);
      }
      result.reached = result.gap <= options_.gap;
      if (result.reached || result.passes >= options_.passes || work_ >= options_.work ||
          stalled(result)) {
        break;
      }
      choose_working_set();
      improve_on_working_set(result.objective);
    }
    result.at = coefficients();
    return result;
  }

 private:
  static constexpr std::size_t kGramAlways = 400;  // a matrix of this size costs little
  static constexpr std::size_t kGramAtMost =
      2048;  // and of this size is worth it if all else fails

  double kinked_value(double w) const { return penalty_.value(0, w); }

  /// In the data's own units.
  Coefficients coefficients() const {
    Coefficients out{std::vector<double>(objective_.features()), 0.0};
    for (const std::size_t j : features_) out.coef[j] = coef_[j] / columns_.shapes()[j].scale;
    out.intercept = static_cast<double>(coef_.back() - centres(out));
    return out;
  }

  /// What centring takes from the margins. In long double: where means are large, the intercept is
  /// a small difference of large numbers.
  long double centres(const Coefficients& at) const {
    long double sum = 0.0L;
    for (const std::size_t j : features_) {
      sum += static_cast<long double>(columns_.shapes()[j].centre) * at.coef[j];
    }
    return sum;
  }

  /// The margins of the coefficients as they are handed out.
  void refresh_margins() {
    const Coefficients at = coefficients();
    coef_.back() = static_cast<double>(at.intercept + centres(at));
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
    problem::derivatives(objective_.loss(), margins_, objective_.target(), slopes_);
    if (has_intercept()) {
      std::vector<double> bends(objective_.records());
      problem::curvatures(objective_.loss(), margins_, objective_.target(), bends);
      balance(objective_.loss(), bends, objective_.target(), slopes_);
    }
    columns_.dots(features_, slopes_, gradient_, pool_);
    double largest = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      largest = std::max(largest, std::fabs(coef_[j]));
      size += std::fabs(gradient_[j]);
    }
    result.objective = objective_.loss_value(margins_) + objective_.penalty_value(coefficients());
    if (!std::isfinite(result.objective) || !std::isfinite(size)) {
      throw DataError(
          "data: values that are not finite, or too large to square; the optimum needs "
          "finite numbers");
    }
    scale_ = std::max(result.objective, 1e-6 * loss_of_nothing_);
    reach_ = 10.0 * std::max(std::sqrt(2.0 * scale_), largest);
    const Certificate certificate(objective_.penalty(), reach_, columns_.shapes());
    const double bound =
        certificate.lower_bound(objective_.loss(), slopes_, objective_.target(), gradient_);
    const double gap = std::max(0.0, result.objective - bound);
    result.gap = gap > 0.0 ? gap / scale_ : 0.0;
    result.certificate = certificate.name();
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      gradient_[j] += penalty_.curvature(j) * coef_[j];
    }
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
  double target_violation() const {
    const double gap = options_.gap * scale_;
    // How far a coefficient can be moved at most: alpha |w| <= F for l1, the reach otherwise.
    const double edge = penalty_.kinked.dual_domain().hi;
    const double lengths = edge > 0.0 && std::isfinite(edge)
                               ? scale_ / edge
                               : 2.0 * reach_ * static_cast<double>(objective_.features());
    const double straight = 0.5 * gap / lengths;
    const double curved = std::sqrt(penalty_.l2 * gap / static_cast<double>(list_.size()));
    return tightened_ * (has_intercept() ? straight : std::max(straight, curved));
  }

  void improve_on_working_set(double value) {
    constexpr int kSteps = 50;
    // While features outside wait to come in, the inside need not be finished.
    const double target =
        all_inside_ ? target_violation() : std::max(target_violation(), 0.1 * most_violated_);
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps && work_ < options_.work; ++step) {
      std::vector<double> gradient(list_.size());
      const double violation = working_gradient(gradient, step == 0);
      if (violation <= target) {
        if (step == 0) tightened_ *= 0.1;  // the guess was too generous: the gap is still open
        return;
      }
      if (step > 3 && violation > 0.9 * before) return;
      before = violation;
      if (!newton_step(gradient, violation, value)) return;
    }
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
    for (double& h : weights_) h = h > 0.0 ? h : 1e-3 * typical;
  }

  /// Minimises the quadratic model and goes there as far as the objective falls. False if it does
  /// not fall any more.
  bool newton_step(const std::vector<double>& gradient, double violation, double& value) {
    refresh_weights();
    const auto size = static_cast<double>(list_.size());
    std::vector<double> to(list_.size());
    for (std::size_t k = 0; k < list_.size(); ++k) to[k] = coef_[list_[k]];
    if (list_.size() <= gram_limit_) {
      gram_.compute(columns_, list_, weights_, quadratic_ ? Gram::Held::keep : Gram::Held::forget,
                    pool_);
      GramModel model(gram_, gradient, l2_);
      work_ +=
          size * size * size * ModelMinimiser(model, penalty_, list_, to).run(1e-3 * violation);
    } else {
      ColumnModel model(columns_, list_, weights_, gradient, l2_, pool_);
      const int rounds = ModelMinimiser(model, penalty_, list_, to).run(0.03 * violation);
      // Two products with the columns in each of about a hundred iterations.
      work_ += 200.0 * size * static_cast<double>(objective_.records()) * rounds;
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
    double loss_before = objective_.loss_value(margins_);
    for (double step = 1.0; step > 1e-12; step *= 0.5) {
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = margins_[i] + step * along[i];
      double change = objective_.loss_value(trial) - loss_before;
      for (std::size_t k = 0; k < list_.size(); ++k) {
        const double w = coef_[list_[k]];
        change += penalty_.value(list_[k], step == 1.0 ? to[k] : w + step * moves[k]) -
                  penalty_.value(list_[k], w);
      }
      if (!(change <= 1e-4 * step * promised + kRounding * std::fabs(value))) continue;
      for (std::size_t k = 0; k < list_.size(); ++k) {
        coef_[list_[k]] = step == 1.0 ? to[k] : coef_[list_[k]] + step * moves[k];
      }
      margins_.swap(trial);
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

  double loss_of_nothing_ = 0.0;  // without features
  double scale_ = 0.0;
  double reach_ = 0.0;
  double most_violated_ = 0.0;
  double tightened_ = 1.0;
  double work_ = 0.0;
  double best_gap_ = std::numeric_limits<double>::infinity();
  double best_objective_ = std::numeric_limits<double>::infinity();
  int since_best_ = 0;
};

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
  const auto* l1 = std::get_if<problem::L1>(&penalty);
  return l1 ? problem::L1(l1->alpha() * times) : penalty;
}

/// How many times an l1 penalty is too weak to hold every coefficient at 0 in the start.
template <data::Design D>
double weakness(const Objective<D>& objective, std::span<const double> margins,
                core::ThreadPool& pool) {
  const auto* l1 = std::get_if<problem::L1>(&objective.penalty());
  if (!l1) return 1.0;
  std::vector<double> slopes(objective.records());
  std::vector<double> gradient(objective.features());
  problem::derivatives(objective.loss(), margins, objective.target(), slopes);
  objective.slopes_to_gradient(slopes, gradient, pool);
  double steepest = 0.0;
  for (const double g : gradient) steepest = std::max(steepest, std::fabs(g));
  return steepest / l1->alpha();
}

/// Where to start: at the optimum of easier problems on the way, roughly. From far away huber does
/// not bend, and a weak l1 term leaves more coefficients free than records can tell apart.
template <data::Design D>
std::optional<Coefficients> warm_start(const Objective<D>& objective, const Columns<D>& columns,
                                       const ReferenceOptions& options, core::ThreadPool& pool) {
  constexpr double kFactor = 10.0;
  constexpr double kFar = 1e4;
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
