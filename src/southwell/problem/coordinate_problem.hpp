#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "southwell/problem/gradient/clipped_gradient.hpp"
#include "southwell/problem/penalties/coordinate_prox.hpp"

namespace southwell::problem {

/// What a private solver of single coordinates works on: the public iterate, and a gradient that
/// only mechanisms can read. Its own smooth part is the loss and the penalty's quadratic part, as
/// in the paper.
template <class Design>
class CoordinateProblem {
 public:
  /// `parts`, `penalty` and what they name must outlive it.
  CoordinateProblem(const GradientParts<Design>& parts, const AnyPenalty& penalty,
                    std::vector<double> start, core::ThreadPool& pool)
      : coordinates_(parts.coordinates),
        penalty_(penalty),
        coef_(std::move(start)),
        gradient_(parts.with(coordinates_), coef_, pool) {}
  CoordinateProblem(const CoordinateProblem&) = delete;  // its gradient looks at its coordinates
  CoordinateProblem& operator=(const CoordinateProblem&) = delete;

  const Coordinates& coordinates() const { return coordinates_; }
  const std::vector<double>& coef() const { return coef_; }
  double smoothness(std::size_t c) const { return coordinates_.smoothness(c); }
  double prox(std::size_t c, double w, double step) const {
    return coordinate_prox(penalty_, coordinates_, c, w, step);
  }
  void move(std::size_t c, double value) {
    const double change = value - coef_[c];
    coef_[c] = value;
    gradient_.move(c, change);
  }

  /// The gradients that follow are clipped like this.
  void set_clip(double clip, double slope_limit) { coordinates_.set_clip(clip, slope_limit); }

  void refresh_gradient() { gradient_.refresh(); }
  /// Of one coordinate: one read of its column.
  void refresh_gradient(std::size_t c) { gradient_.refresh(c); }
  Sensitive<std::int64_t> gradient_sum(std::size_t c) { return gradient_.sum(c); }
  /// The gradient that a released sum stands for, with the penalty's quadratic part.
  double gradient_of(std::size_t c, std::int64_t released) const {
    return static_cast<double>(released) * coordinates_.gradient_unit(c) +
           coordinates_.l2(c) * coef_[c];
  }
  Sensitive<double> gradient_in_doubles(std::size_t c) { return gradient_.in_doubles(c, coef_[c]); }

 protected:
  Coordinates coordinates_;
  const AnyPenalty& penalty_;
  std::vector<double> coef_;
  ClippedGradient<Design> gradient_;
};

}  // namespace southwell::problem
