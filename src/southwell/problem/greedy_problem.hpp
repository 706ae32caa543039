#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/problem/clipped_gradient.hpp"

namespace southwell::problem {

/// What a private solver works on: the public iterate, and a gradient that only mechanisms can
/// read. Its own smooth part is the loss and the penalty's quadratic part, as in the paper.
template <class Design>
class GreedyProblem {
 public:
  /// `parts`, `penalty` and what they name must outlive it.
  GreedyProblem(const typename ClippedGradient<Design>::Parts& parts, const AnyPenalty& penalty,
                GreedyRule rule, std::vector<double> start, core::ThreadPool& pool)
      : coordinates_(parts.coordinates),
        penalty_(penalty),
        rule_(rule, penalty, parts.coordinates),
        coef_(std::move(start)),
        gradient_(parts, coef_, pool) {}

  const Coordinates& coordinates() const { return coordinates_; }
  const std::vector<double>& coef() const { return coef_; }
  double smoothness(std::size_t c) const { return coordinates_.smoothness(c); }
  double prox(std::size_t c, double w, double step) const {
    // Far outside every problem, so that no margin becomes infinite by a feature that is 0.
    const double finite = std::clamp(w, -0x1p500, 0x1p500);
    if (coordinates_.is_intercept(c)) return finite;
    return std::visit([&](const auto& penalty) { return penalty.kinked().prox(finite, step); },
                      penalty_);
  }
  void move(std::size_t c, double value) {
    const double change = value - coef_[c];
    coef_[c] = value;
    gradient_.move(c, change);
  }

  void refresh_gradient() { gradient_.refresh(); }
  const Sensitive<std::vector<std::int64_t>>& scores() { return gradient_.scores(rule_, coef_); }
  Sensitive<std::int64_t> gradient_sum(std::size_t c) { return gradient_.sum(c); }
  /// The gradient that a released sum stands for, with the penalty's quadratic part.
  double gradient_of(std::size_t c, std::int64_t released) const {
    return static_cast<double>(released) * coordinates_.gradient_unit(c) +
           coordinates_.l2(c) * coef_[c];
  }
  const Sensitive<std::vector<double>>& gradient_in_doubles() {
    return gradient_.in_doubles(coef_);
  }
  Sensitive<double> gradient_in_doubles(std::size_t c) { return gradient_.in_doubles(c, coef_[c]); }

 private:
  const Coordinates& coordinates_;
  const AnyPenalty& penalty_;
  GridScores rule_;
  std::vector<double> coef_;
  ClippedGradient<Design> gradient_;
};

}  // namespace southwell::problem
