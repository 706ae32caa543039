#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "southwell/problem/coordinate_prox.hpp"
#include "southwell/problem/record_gradient.hpp"

namespace southwell::problem {

/// What a private solver of whole gradients works on: the public iterate, and sums over records or
/// a secret sample of them that only mechanisms can read. The smooth part is the loss and the
/// penalty's quadratic part.
template <class Design>
class BatchProblem {
 public:
  struct Options {
    std::vector<double> clips;  ///< of every coordinate, in l2 norm together
    double batch = 1.0;         ///< the public divisor of a sum: the expected size of a batch
  };

  /// `parts`, `penalty` and what they name must outlive it.
  BatchProblem(const GradientParts<Design>& parts, const AnyPenalty& penalty, Options options,
               std::vector<double> start, core::ThreadPool& pool)
      : coordinates_(parts.coordinates),
        penalty_(penalty),
        options_(std::move(options)),
        coef_(std::move(start)),
        gradient_(parts, options_.clips, pool) {}

  std::size_t size() const { return coef_.size(); }
  const std::vector<double>& coef() const { return coef_; }

  void refresh_gradient() { gradient_.refresh(coef_); }
  /// `draw(number of records)` gives the sample.
  template <class Draw>
  void refresh_gradient(Draw&& draw) {
    gradient_.refresh_sample(coef_, draw);
  }
  const Sensitive<std::vector<std::int64_t>>& gradient_sums() const { return gradient_.sums(); }
  const Sensitive<std::vector<double>>& gradient_in_doubles() {
    return gradient_.in_doubles(options_.batch);
  }
  /// The mean gradient that a released sum stands for.
  double gradient_of(std::size_t c, std::int64_t released) const {
    return static_cast<double>(released) * options_.clips[c] /
           (static_cast<double>(ProductClip::kBound) * options_.batch);
  }
  /// w_c = prox(w_c - step (g_c + quadratic part)) for every coordinate, `gradient(c)` being g_c.
  template <class Gradient>
  void move(const Gradient& gradient, double step) {
    for (std::size_t c = 0; c < coef_.size(); ++c) {
      const double slope = gradient(c) + coordinates_.l2(c) * coef_[c];
      coef_[c] = coordinate_prox(penalty_, coordinates_, c, coef_[c] - step * slope, step);
    }
  }

 private:
  const Coordinates& coordinates_;
  const AnyPenalty& penalty_;
  Options options_;
  std::vector<double> coef_;
  RecordGradient<Design> gradient_;
};

}  // namespace southwell::problem
