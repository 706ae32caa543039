#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "southwell/problem/gradient/record_gradient.hpp"
#include "southwell/problem/penalties/coordinate_prox.hpp"

namespace southwell::problem {

/// What a private solver of whole gradients works on: the public iterate, and sums over records or
/// a secret sample of them that only mechanisms can read. The smooth part is the loss and the
/// penalty's quadratic part.
template <class Design>
class BatchProblem {
 public:
  struct Options {
    /// Of every coordinate: clips are this times the clip of all of them in l2 norm together.
    std::vector<double> clip_units;
    double clip = 1.0;
    double slope_limit = 0.0;  ///< of ProductClip; 0: none
    double attenuation = 1.0;  ///< what clipping leaves of a gradient, in the middle
    double batch = 1.0;        ///< the public divisor of a sum: the expected size of a batch
    bool room = false;         ///< one sum more (RecordGradient)
    /// The prox of all coefficients together, at a step that is the same for each; empty: the
    /// penalty's, each coefficient for itself.
    std::function<void(std::vector<double>& coef, double step)> joint_prox{};
  };

  /// `parts`, `penalty` and what they name must outlive it.
  BatchProblem(const GradientParts<Design>& parts, const AnyPenalty& penalty, Options options,
               std::vector<double> start, core::ThreadPool& pool)
      : coordinates_(parts.coordinates),
        penalty_(penalty),
        options_(std::move(options)),
        clips_(start.size()),
        coef_(std::move(start)),
        before_(coef_),
        pool_(pool),
        gradient_(parts, options_.room, pool) {
    set_clip(options_.clip);
  }

  std::size_t size() const { return coef_.size(); }
  /// How many numbers a release has.
  std::size_t released_size() const { return size() + (options_.room ? 1 : 0); }
  const std::vector<double>& coef() const { return coef_; }
  const Coordinates& coordinates() const { return coordinates_; }
  core::ThreadPool& pool() const { return pool_; }
  double smoothness(std::size_t c) const { return coordinates_.smoothness(c); }
  /// w_c times the slope of the penalty, but for its bounds.
  double penalty_along(std::size_t c) const {
    if (coordinates_.is_intercept(c)) return 0.0;
    return coordinates_.l2(c) * coef_[c] * coef_[c] +
           kinked_part(penalty_).l1 * std::fabs(coef_[c]);
  }
  /// Whether a coefficient is at a bound other than 0.
  bool is_held(std::size_t c) const {
    if (coordinates_.is_intercept(c) || coef_[c] == 0.0) return false;
    const Interval box = kinked_part(penalty_).box;
    return coef_[c] == box.lo || coef_[c] == box.hi;
  }

  /// The gradients that follow are clipped at this norm.
  void set_clip(double clip) {
    for (std::size_t c = 0; c < clips_.size(); ++c) {
      clips_[c] = clip * options_.clip_units[c];
    }
    gradient_.set_clips(clips_, options_.slope_limit);
  }

  void refresh_gradient() { gradient_.refresh(coef_); }
  /// `draw(number of records)` gives the sample.
  template <class Draw>
  void refresh_gradient(Draw&& draw) {
    gradient_.refresh_sample(coef_, draw);
  }
  const Sensitive<std::vector<std::int64_t>>& gradient_sums() const { return gradient_.sums(); }
  const Sensitive<std::vector<double>>& gradient_in_doubles() {
    return gradient_.in_doubles(clips_, whole_clip());
  }
  /// The mean gradient that a released sum stands for.
  double gradient_of(std::size_t c, std::int64_t released) const {
    return static_cast<double>(released) * clips_[c] / (whole_clip() * options_.attenuation);
  }
  /// The mean room that a released sum stands for, as a part of the clip.
  double room_of(std::int64_t released) const {
    return static_cast<double>(released) / whole_clip();
  }
  double room_of_noise(double sd) const { return sd / whole_clip(); }
  /// w_c = prox(w_c + momentum (w_c - its value before) - step (g_c + quadratic part)) for every
  /// coordinate, `gradient(c)` being g_c and `step(c)` its step.
  template <class Gradient, class Step>
  void move(const Gradient& gradient, const Step& step, double momentum) {
    for (std::size_t c = 0; c < coef_.size(); ++c) {
      const double slope = gradient(c) + coordinates_.l2(c) * coef_[c];
      const double from =
          momentum == 0.0 ? coef_[c] : coef_[c] + momentum * (coef_[c] - before_[c]);
      before_[c] = coef_[c];
      coef_[c] = coordinate_prox(penalty_, coordinates_, c, from - step(c) * slope, step(c));
    }
    if (options_.joint_prox) options_.joint_prox(coef_, step(0));
  }

 private:
  /// What a sum would be if every record of a batch filled its clip.
  double whole_clip() const { return static_cast<double>(ProductClip::kBound) * options_.batch; }

  const Coordinates& coordinates_;
  const AnyPenalty& penalty_;
  Options options_;
  std::vector<double> clips_;
  std::vector<double> coef_;
  std::vector<double> before_;  ///< one step ago
  core::ThreadPool& pool_;
  RecordGradient<Design> gradient_;
};

}  // namespace southwell::problem
