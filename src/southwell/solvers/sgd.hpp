#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_gaussian_release.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/problem/batch_problem.hpp"

namespace southwell::solvers {

/// The batches and releases of a certified fit: each record enters a batch by 32 secret bits of its
/// own, or all records always do. The noise of a step is drawn before a record of that step is
/// used: the time of a draw is correlated with its size.
class CertifiedSgd {
 public:
  static constexpr std::uint64_t kAll = std::uint64_t{1} << 32;  ///< as a rate: the whole data

  /// Rate `sampled` / 2^32. One fit may have several of them, each with a number of its own.
  CertifiedSgd(privacy::DiscreteGaussianRelease release, std::uint64_t sampled,
               privacy::RandomBits& bits, std::uint32_t number = 0);

  /// The released sum of a step stays until the next one.
  template <class Problem>
  void measure(Problem& problem) {
    privacy::Noise noise = noise_of(problem.released_size(), problem.pool());
    if (sampled_ == kAll) {
      problem.refresh_gradient();
    } else {
      problem.refresh_gradient([this](std::size_t records) { return batch(records); });
    }
    released_ = release_.release(problem.gradient_sums(), std::move(noise));
  }
  template <class Problem>
  double gradient(const Problem& problem, std::size_t c) const {
    return problem.gradient_of(c, released_[c]);
  }
  /// As it was released.
  const std::vector<std::int64_t>& released() const { return released_; }
  /// The sd of the noise in each of its numbers.
  double noise_sd() const { return static_cast<double>(release_.cost().scale); }

 private:
  Sensitive<std::vector<std::size_t>> batch(std::size_t records);
  /// Of a release of so many numbers; of many, on all threads.
  privacy::Noise noise_of(std::size_t size, core::ThreadPool& pool);

  privacy::DiscreteGaussianRelease release_;
  std::uint64_t sampled_;
  std::unique_ptr<privacy::RandomBits> release_bits_;
  std::vector<std::unique_ptr<privacy::RandomBits>> parts_;  ///< of the noise of long releases
  std::unique_ptr<privacy::RandomBits> sampling_bits_;
  std::vector<std::int64_t> released_;
};

/// UNSOUND: one record per step, uniform, and Gaussian noise in doubles, for reproduction.
class PaperSgd {
 public:
  /// `sigma`: of every coordinate.
  PaperSgd(std::vector<double> sigma, privacy::RandomBits& bits);

  template <class Problem>
  void measure(Problem& problem) {
    problem.refresh_gradient([this](std::size_t records) { return one(records); });
    release_.release(problem.gradient_in_doubles(), sigma_, *release_bits_, released_);
  }
  template <class Problem>
  double gradient(const Problem&, std::size_t c) const {
    return released_[c];
  }

 private:
  Sensitive<std::vector<std::size_t>> one(std::size_t records);

  std::vector<double> sigma_;
  privacy::paper::UnsoundGaussianRelease release_;
  std::unique_ptr<privacy::RandomBits> release_bits_;
  std::unique_ptr<privacy::RandomBits> sampling_bits_;
  std::vector<double> released_;
};

/// Which coefficients a fit returns: those of the last step, or the mean over the last part
/// of the steps. Both are computed from what was released.
enum class Iterate { last, average };

/// The number of the first iterate of an average over the last `averaged` part of all.
inline std::uint64_t first_averaged(std::uint64_t iterations, double averaged) {
  return static_cast<std::uint64_t>(static_cast<double>(iterations) * (1.0 - averaged));
}

/// The mean over the iterates from number `first` on, kept as a mean: it never leaves a box.
class AverageIterate {
 public:
  AverageIterate(std::size_t size, std::uint64_t first) : mean_(size), first_(first) {}
  void add(std::uint64_t t, std::span<const double> coef);
  const std::vector<double>& mean() const { return mean_; }

 private:
  std::vector<double> mean_;
  std::uint64_t first_;
};

/// The published step: the same for every coordinate, always.
struct FixedStep {
  double step = 1.0;  ///< gamma, absolute

  template <class Problem>
  void prepare(Problem&) const {}
  template <class Problem>
  double step_of(const Problem&, std::size_t) const {
    return step;
  }
  template <class Problem, class Mechanism>
  void observe(const Problem&, const Mechanism&) const {}
  template <class Problem, class Mechanism>
  double gradient(const Problem& problem, const Mechanism& mechanism, std::size_t c) const {
    return mechanism.gradient(problem, c);
  }
  template <class Problem, class Mechanism>
  void learn(const Problem&, const Mechanism&) const {}
};

struct SgdOptions {
  std::uint64_t iterations = 1;  ///< T, exactly
  Iterate iterate = Iterate::last;
  double averaged = 0.5;  ///< the part of the iterates, from the last back, that an average is of
  double momentum = 0.0;
  core::Progress progress{};  ///< shares of T; may throw to stop
};

/// DP-SGD, proximal: the clipped gradient of a batch, one release of all of it, a step. `schedule`
/// says how long a step is, how gradients are clipped and what of them is known to be wrong, from
/// public numbers and past releases.
template <class Problem, class Mechanism, class StepSchedule>
std::vector<double> sgd(Problem& problem, Mechanism& mechanism, StepSchedule& schedule,
                        const SgdOptions& options) {
  AverageIterate average(problem.size(), first_averaged(options.iterations, options.averaged));
  for (std::uint64_t t = 0; t < options.iterations; ++t) {
    schedule.prepare(problem);
    mechanism.measure(problem);  // integer sums, unreadable but for what is released
    schedule.observe(problem, mechanism);
    problem.move([&](std::size_t c) { return schedule.gradient(problem, mechanism, c); },
                 [&](std::size_t c) { return schedule.step_of(problem, c); }, options.momentum);
    schedule.learn(problem, mechanism);
    if (options.iterate == Iterate::average) average.add(t, problem.coef());
    core::report(options.progress, t + 1, options.iterations);
  }
  return options.iterate == Iterate::average ? average.mean() : problem.coef();
}

}  // namespace southwell::solvers
