#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "southwell/assess/figure.hpp"

namespace southwell::assess {

/// An interval reaches this many standard deviations to either side: 95 %.
inline constexpr double kReach = 1.959964;
/// What figures are divided by has to be this many standard deviations of its noise above 0.
inline constexpr double kClearOfZero = 4.0;

/// The standard deviation of noise of this sigma, in records.
double sd_of_counts(std::uint64_t scale);

/// A figure from its value and its two variances, with an interval that stays within what the
/// figure can be.
struct Limits {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
Figure figure_of(double value, double noise_variance, double sampling_variance, Limits limits);

/// A released histogram in records. Where their number is public the counts are moved alike so that
/// they add up to it, which takes that much of the noise away.
class NoisyCounts {
 public:
  /// `scale`: sigma of the noise. `total`: the number of records, if it is public.
  NoisyCounts(std::span<const std::int64_t> released, std::uint64_t scale,
              std::optional<double> total);

  std::size_t size() const { return counts_.size(); }
  double operator[](std::size_t cell) const { return counts_[cell]; }
  std::span<const double> counts() const { return counts_; }
  double cell_sd() const { return sd_; }  ///< of one count's noise as it was released

  /// The variance of sum_b gradient_b count_b by the noise.
  double noise_variance(std::span<const double> gradient) const;
  /// The same by the records being a sample: each is in cell b with some probability.
  double sampling_variance(std::span<const double> gradient) const;

  /// sum_b count_b weight_b, and whether it is clear of zero.
  double sum(std::span<const double> weight) const;
  bool is_clear(std::span<const double> weight) const;

  /// sum_b weight_b count_b / sum_b among_b count_b; not determined unless the latter is clear of
  /// 0.
  Figure ratio(std::span<const double> weight, std::span<const double> among, Limits limits) const;

 private:
  std::vector<double> counts_;
  double sd_;
  bool adds_up_;
};

}  // namespace southwell::assess
