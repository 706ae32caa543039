#include "lab/greedy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/problem/rule.hpp"

namespace southwell::lab {
namespace {

using problem::GsQ;
using problem::GsR;
using problem::GsS;
using problem::Interval;
using problem::KinkedPenalty;
using problem::None;

using AnyRule = std::variant<GsS, GsR, GsQ>;

AnyRule rule_of(std::string_view name) {
  if (name == GsS::kName) return GsS{};
  if (name == GsR::kName) return GsR{};
  if (name == GsQ::kName) return GsQ{};
  throw InvalidArgument("rule: given '" + std::string(name) + "', accepted are gs_s, gs_r, gs_q");
}

template <KinkedPenalty P>
bool is_good(const P& penalty, double from, double to) {
  const Interval piece = penalty.piece(from);
  return piece.lo == piece.hi || (to > piece.lo && to < piece.hi);
}

template <class Objective, KinkedPenalty P, class Rule>
class Greedy {
 public:
  Greedy(const Objective& objective, const P& penalty, Rule rule, const GreedyOptions& options,
         core::ThreadPool& pool)
      : objective_(objective),
        penalty_(penalty),
        l2_(problem::curvature(objective.penalty())),
        rule_(rule),
        options_(options),
        pool_(pool),
        smoothness_(objective.smoothness(pool)),
        slopes_(objective.records()),
        gradient_(objective.features()) {
    run_.at.coef.assign(objective.features(), penalty.prox(0.0, 1.0));
    margins_ = objective.margins(run_.at);
  }

  GreedyRun run() {
    run_.objective_at_zero = objective_.loss_value(std::vector<double>(objective_.records(), 0.0)) +
                             static_cast<double>(objective_.features()) * penalty_.value(0.0);
    for (int t = 0; t < options_.iterations; ++t) {
      if (!step()) break;
    }
    return std::move(run_);
  }

 private:
  std::size_t features() const { return objective_.features(); }

  /// False if no coordinate can move.
  bool step() {
    problem::derivatives(objective_.loss(), margins_, objective_.target(), slopes_);
    objective_.slopes_to_gradient(slopes_, gradient_, pool_);
    double best = 0.0;  // a score of 0 or less: the coordinate is at its optimum
    std::size_t chosen = features() + 1;
    for (std::size_t j = 0; j < features(); ++j) {
      gradient_[j] += l2_ * run_.at.coef[j];
      if (!(smoothness_[j] > 0.0)) continue;  // an empty column
      const double score = rule_.score(penalty_, run_.at.coef[j], gradient_[j], smoothness_[j]);
      if (score > best) {
        best = score;
        chosen = j;
      }
    }
    const double beta = problem::curvature_bound(objective_.loss());
    double mean = 0.0;
    if (objective_.intercept() == Intercept::free) {
      for (const double u : slopes_) mean += u;
      mean /= static_cast<double>(slopes_.size());
      if (rule_.score(None{}, run_.at.intercept, mean, beta) > best) chosen = features();
    }
    if (chosen > features()) return false;
    if (chosen == features()) {
      move(chosen, run_.at.intercept, mean, beta, None{});
    } else {
      move(chosen, run_.at.coef[chosen], gradient_[chosen], smoothness_[chosen], penalty_);
    }
    return true;
  }

  template <KinkedPenalty Q>
  void move(std::size_t j, double& coef, double gradient, double smoothness, const Q& penalty) {
    const double length = options_.step / smoothness;
    const double from = coef;
    coef = penalty.prox(from - length * gradient, length);
    if (j == features()) {
      for (double& z : margins_) z += coef - from;
    } else {
      objective_.visit_column(
          j, [&](const auto& column) { column.add_to(margins_.data(), coef - from); });
    }
    run_.steps.push_back({j, gradient, coef,
                          objective_.loss_value(margins_) + objective_.penalty_value(run_.at),
                          is_good(penalty, from, coef)});
  }

  const Objective& objective_;
  P penalty_;  // the kinked part; the l2 part belongs to gradient and smoothness
  double l2_;
  Rule rule_;
  const GreedyOptions& options_;
  core::ThreadPool& pool_;
  std::vector<double> smoothness_;
  std::vector<double> slopes_;
  std::vector<double> gradient_;
  std::vector<double> margins_;
  GreedyRun run_;
};

}  // namespace

std::size_t GreedyRun::good_steps() const {
  return static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](const GreedyStep& s) { return s.good; }));
}

GreedyRun greedy(const data::Dataset& dataset, const ObjectiveSpec& spec,
                 const GreedyOptions& options, core::ThreadPool& pool) {
  if (options.iterations < 1) {
    throw InvalidArgument("iterations: given " + std::to_string(options.iterations) +
                          ", accepted is a whole number >= 1");
  }
  if (!(options.step > 0.0) || !std::isfinite(options.step)) {
    throw InvalidArgument("step: given " + std::to_string(options.step) +
                          ", accepted is a finite number > 0");
  }
  const core::StandardFloatEnvironment standard;
  return visit_objective(dataset, spec, [&](const auto& objective) {
    return std::visit(
        [&](const auto& penalty, auto rule) {
          return Greedy(objective, penalty.kinked(), rule, options, pool).run();
        },
        objective.penalty(), rule_of(options.rule));
  });
}

}  // namespace southwell::lab
