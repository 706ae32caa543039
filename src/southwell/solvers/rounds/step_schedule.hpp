#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "southwell/solvers/rounds/impulse_response.hpp"
#include "southwell/solvers/rounds/margin_correction.hpp"
#include "southwell/solvers/rounds/residual_scale.hpp"

namespace southwell::solvers {

/// How private gradient descent by many small releases goes about it (docs/research/rules.md). With
/// averaging, many releases cost no more than one with all their budget, so that only the total
/// time matters: long enough to arrive, short enough not to follow the noise.
struct StepScheduleOptions {
  double clip = 1.0;    ///< of the norm, in units of the residuals' scale times sqrt(coordinates)
  double widest = 1.0;  ///< the clip may grow to this times itself where there is little noise
  double scale = 1.0;   ///< of the residuals, where it is not learned
  std::uint64_t releases = 1;
  double momentum = 0.0;
  double longest = 10.0;  ///< total time, in units of 1 / M_j
  double time = 0.7;      ///< total time is at most time / (kappa + 2 kappa^2), kappa being noise
  double follow = 0.0;    ///< kappa falls with this power of the residuals' scale
  double step = 1.0;      ///< times all that
  double size = 1.0;      ///< of the features, as a part of what was declared
  double rare = 0.0;      ///< kappa grows with this power of 1 / size
  bool corrects_margins = false;  ///< of the logistic loss
  /// Of the mean of all releases: the sd of its noise as a part of the clip.
  double noise = 0.0;

  /// Noise against signal.
  double kappa(std::size_t coordinates) const;
  /// All steps together, in units of 1 / M_j.
  double total_time(std::size_t coordinates, double shrunk = 1.0) const;
  /// `clip`, wider where noise allows it: the less a clip takes away, the less there is to correct.
  double clip_of(std::size_t coordinates) const;
};

/// The clip and the step of one descent; all from public numbers and past releases.
class StepSchedule {
 public:
  /// `scale` is learned from the room in releases, if there is one.
  StepSchedule(const StepScheduleOptions& options, std::size_t coordinates, ResidualScale* scale,
               std::size_t heads = 1);

  template <class Problem>
  void prepare(Problem& problem) {
    note_release();
    problem.set_clip(clip());
  }
  /// A release, before it is used.
  template <class Problem, class Mechanism>
  void observe(const Problem& problem, const Mechanism& mechanism) {
    if (margins_) margins_->observe(problem, mechanism);
  }
  template <class Problem, class Mechanism>
  double gradient(const Problem& problem, const Mechanism& mechanism, std::size_t c) const {
    return mechanism.gradient(problem, c) + (margins_ ? margins_->of(problem, c) : 0.0);
  }
  template <class Problem>
  double step_of(const Problem& problem, std::size_t c) const {
    return step_ / problem.smoothness(c);
  }
  template <class Problem, class Mechanism>
  void learn(const Problem& problem, const Mechanism& mechanism) {
    const std::vector<std::int64_t>& released = mechanism.released();
    if (scale_ != nullptr) {
      scale_->observe(problem.room_of(released.back()), problem.room_of_noise(mechanism.noise_sd()),
                      options_.clip_of(coordinates_), coordinates_);
    }
    follow(released, problem.size(), mechanism.noise_sd());
  }
  /// How far all steps, were they like the last, take a coefficient towards where noise would: at
  /// most 1.
  double settled() const;
  /// The norm at which the next gradient is clipped.
  double clip() const;
  /// The sd of the noise in the mean of all releases of a coordinate's gradient, and in its
  /// coefficient, were the loss as curved as it can be and steps like the last. Plans ask before
  /// the first release, fits after the last.
  double gradient_noise_sd(const problem::Coordinates& all, std::size_t c) const {
    return options_.noise * clip() * all.unit(c);
  }
  double coef_noise_sd(const problem::Coordinates& all, std::size_t c) const {
    return options_.noise * clip() * settled() * all.unit(c) / all.smoothness(c);
  }
  /// What the noise of all releases that were made leaves in where they end, the mean of so large a
  /// part of the iterates; in units of a coordinate's unit over its smoothness.
  ImpulseResponse response(double averaged, double attenuation) const;
  /// The same of a plan: as if all releases were like the first.
  ImpulseResponse planned_response(double averaged, double attenuation) const;
  /// How much more of it the correction of margins makes.
  template <class Problem>
  double noise_growth(const Problem& problem, std::size_t c) const {
    return margins_ ? margins_->noise_growth(problem, c) : 1.0;
  }

 private:
  /// Steps get shorter where two gradients in a row point against each other by more than noise.
  void follow(const std::vector<std::int64_t>& released, std::size_t coordinates, double noise_sd);
  double time_step() const;
  /// The sd of the noise in one release.
  double release_noise_sd() const;
  void note_release() { used_.push_back({step_, release_noise_sd()}); }

  StepScheduleOptions options_;
  std::size_t coordinates_;
  ResidualScale* scale_;
  std::optional<MarginCorrection> margins_;
  double scale_at_first_;
  double shortened_ = 1.0;
  double step_;
  std::vector<std::int64_t> before_;
  std::vector<ImpulseResponse::Release> used_;  ///< steps and noise of the releases so far
};

}  // namespace southwell::solvers
