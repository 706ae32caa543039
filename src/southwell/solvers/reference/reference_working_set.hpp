#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/problem/objective.hpp"
#include "southwell/solvers/reference/reference_gram.hpp"
#include "southwell/solvers/reference/reference_model.hpp"
#include "southwell/solvers/reference/reference_point.hpp"

namespace southwell::solvers {

/// The coordinates that the search moves for a while, and Newton steps on them.
template <data::Design D, problem::KinkedPenalty P>
class WorkingSet {
 public:
  WorkingSet(const problem::Objective<D>& objective, const Columns<D>& columns,
             const CoordinatePenalty<P>& penalty, ReferencePoint<D>& point, core::ThreadPool& pool)
      : objective_(objective),
        columns_(columns),
        penalty_(penalty),
        point_(point),
        pool_(pool),
        quadratic_(std::holds_alternative<problem::Squared>(objective.loss())),
        slopes_(objective.records()),
        weights_(objective.records(), 1.0) {}

  std::size_t size() const { return list_.size(); }
  bool holds_all_that_violate() const { return all_inside_; }
  double most_violated() const { return most_violated_; }

  /// All free coordinates, and of those at a kink the ones that violate optimality most.
  void choose(const std::vector<double>& gradient) {
    const std::size_t p = objective_.features();
    list_.clear();
    std::vector<std::pair<double, std::size_t>> at_kink;
    most_violated_ = 0.0;
    for (std::size_t j = 0; j < p; ++j) {
      const double violation = penalty_.violation(j, point_.coef[j], gradient[j]);
      most_violated_ = std::max(most_violated_, violation);
      if (penalty_.is_free(j, point_.coef[j])) {
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

  /// The gradient on the set, and the largest violation there. `certified`: that of all features at
  /// this very point, or nothing.
  double gradient(const std::vector<double>* certified, std::vector<double>& out) {
    out.resize(list_.size());
    if (certified != nullptr && !has_intercept()) {
      for (std::size_t k = 0; k < list_.size(); ++k) out[k] = (*certified)[list_[k]];
    } else {
      problem::derivatives(objective_.loss(), point_.margins, objective_.target(), slopes_);
      columns_.dots(list_, slopes_, out, pool_);
      for (std::size_t k = 0; k < list_.size(); ++k) out[k] += l2_[k] * point_.coef[list_[k]];
    }
    double violation = 0.0;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      violation = std::max(violation, penalty_.violation(list_[k], point_.coef[list_[k]], out[k]));
    }
    return violation;
  }

  /// Minimises the quadratic model and goes there as far as the objective falls. False if it does
  /// not fall any more.
  bool newton_step(const std::vector<double>& gradient, double violation, double& value,
                   double& work) {
    refresh_weights();
    const auto size = static_cast<double>(list_.size());
    const auto n = static_cast<double>(objective_.records());
    std::vector<double> to(list_.size());
    for (std::size_t k = 0; k < list_.size(); ++k) to[k] = point_.coef[list_[k]];
    if (list_.size() <= gram_limit_) {
      gram_.compute(columns_, list_, weights_, quadratic_ ? Gram::Held::keep : Gram::Held::forget,
                    pool_);
      GramModel model(gram_, gradient, l2_);
      ModelMinimiser(model, penalty_, list_, to).run(1e-3 * violation);
      work += 0.5 * size * size * n + model.work();
    } else {
      ColumnModel model(columns_, list_, weights_, gradient, l2_, pool_);
      ModelMinimiser(model, penalty_, list_, to).run(0.03 * violation);
      work += size * n + model.work();
      if (model.struggled()) gram_limit_ = kGramAtMost;
    }
    return line_search(gradient, to, value);
  }

 private:
  static constexpr std::size_t kGramAlways = 400;  // a matrix of this size costs little
  static constexpr std::size_t kGramAtMost =
      2048;  // and of this size is worth it if all else fails

  static constexpr double kFlatMost = 1e-3;
  static constexpr double kFlatLeast = 1e-12;

  bool has_intercept() const { return objective_.intercept() == problem::Intercept::free; }

  void refresh_weights() {
    if (quadratic_) return;
    problem::curvatures(objective_.loss(), point_.margins, objective_.target(), weights_);
    double sum = 0.0;
    for (const double h : weights_) sum += h;
    const double typical = sum > 0.0 ? sum / static_cast<double>(weights_.size())
                                     : problem::curvature_bound(objective_.loss());
    // A flat record may bend once it moves; a little curvature keeps the step within sight.
    for (double& h : weights_) h = h > 0.0 ? h : flat_ * typical;
  }

  bool line_search(const std::vector<double>& gradient, const std::vector<double>& to,
                   double& value) {
    constexpr double kRounding = 1e-14;
    std::vector<double> moves(list_.size());
    for (std::size_t k = 0; k < list_.size(); ++k) moves[k] = to[k] - point_.coef[list_[k]];
    std::vector<double> along(objective_.records());
    columns_.combine(list_, moves, along, pool_);
    std::vector<double> trial(objective_.records());
    double promised = 0.0;  // by the gradient; the penalty's share is exact
    for (std::size_t k = 0; k < list_.size(); ++k) {
      const double w = point_.coef[list_[k]];
      promised += (gradient[k] - l2_[k] * w) * moves[k] + penalty_.value(list_[k], to[k]) -
                  penalty_.value(list_[k], w);
    }
    for (double step = 1.0; step > 1e-12; step *= 0.5) {
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = point_.margins[i] + step * along[i];
      const double loss = objective_.loss_value(trial);
      double change = loss - point_.loss;
      for (std::size_t k = 0; k < list_.size(); ++k) {
        const double w = point_.coef[list_[k]];
        change += penalty_.value(list_[k], step == 1.0 ? to[k] : w + step * moves[k]) -
                  penalty_.value(list_[k], w);
      }
      if (!(change <= 1e-4 * step * promised + kRounding * std::fabs(value))) continue;
      for (std::size_t k = 0; k < list_.size(); ++k) {
        point_.coef[list_[k]] = step == 1.0 ? to[k] : point_.coef[list_[k]] + step * moves[k];
      }
      // Whole steps mean that flat records stay flat, short ones that they do not.
      flat_ = step == 1.0 ? std::max(kFlatLeast, 0.1 * flat_) : std::min(kFlatMost, 10.0 * flat_);
      point_.margins.swap(trial);
      point_.loss = loss;
      value += change;
      point_.fresh_margins = false;
      return true;
    }
    return false;
  }

  const problem::Objective<D>& objective_;
  const Columns<D>& columns_;
  const CoordinatePenalty<P>& penalty_;
  ReferencePoint<D>& point_;
  core::ThreadPool& pool_;
  bool quadratic_;

  std::vector<double> slopes_;
  std::vector<double> weights_;
  std::vector<std::size_t> list_;
  std::vector<double> l2_;   // strengths, of the list
  bool all_inside_ = false;  // every violating feature is in it
  double most_violated_ = 0.0;
  double flat_ = kFlatMost;  // the curvature lent to a flat record, as a share of the typical one
  Gram gram_;
  std::size_t gram_limit_ = kGramAlways;
};

}  // namespace southwell::solvers
