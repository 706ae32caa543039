#include "southwell/assess/noisy_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "southwell/assess/record_sums.hpp"

namespace southwell::assess {

double sd_of_counts(std::uint64_t scale) {
  return static_cast<double>(scale) / static_cast<double>(kShare);
}

Figure figure_of(double value, double noise_variance, double sampling_variance, Limits limits) {
  noise_variance = std::max(noise_variance, 0.0);
  sampling_variance = std::max(sampling_variance, 0.0);
  const double half = kReach * std::sqrt(noise_variance + sampling_variance);
  // Around the estimate as it is, also where noise took it beyond what can be: around the nearest
  // that can it would hold more than 95 %. But it never shrinks to a point there.
  const double low = std::min(value - half, limits.most - 0.5 * half);
  const double high = std::max(value + half, limits.least + 0.5 * half);
  return {.value = std::clamp(value, limits.least, limits.most),
          .low = std::clamp(low, limits.least, limits.most),
          .high = std::clamp(high, limits.least, limits.most),
          .noise_sd = std::sqrt(noise_variance),
          .sampling_sd = std::sqrt(sampling_variance)};
}

NoisyCounts::NoisyCounts(std::span<const std::int64_t> released, std::uint64_t scale,
                         std::optional<double> total)
    : sd_(sd_of_counts(scale)), adds_up_(total.has_value()) {
  counts_.reserve(released.size());
  for (const std::int64_t each : released) {
    counts_.push_back(static_cast<double>(each) / static_cast<double>(kShare));
  }
  if (!total) return;
  const double excess = (std::accumulate(counts_.begin(), counts_.end(), 0.0) - *total) /
                        static_cast<double>(counts_.size());
  for (double& each : counts_) each -= excess;
}

double NoisyCounts::noise_variance(std::span<const double> gradient) const {
  double squares = 0.0;
  double sum = 0.0;
  for (const double each : gradient) {
    squares += each * each;
    sum += each;
  }
  if (adds_up_) squares -= sum * sum / static_cast<double>(counts_.size());
  return sd_ * sd_ * squares;
}

double NoisyCounts::sampling_variance(std::span<const double> gradient) const {
  double squares = 0.0;
  double sum = 0.0;
  double records = 0.0;
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    squares += counts_[b] * gradient[b] * gradient[b];
    sum += counts_[b] * gradient[b];
    records += counts_[b];
  }
  return records > 0.0 ? std::max(squares - sum * sum / records, 0.0) : 0.0;
}

double NoisyCounts::sum(std::span<const double> weight) const {
  return std::inner_product(counts_.begin(), counts_.end(), weight.begin(), 0.0);
}

bool NoisyCounts::is_clear(std::span<const double> weight) const {
  const double total = sum(weight);
  return total > 0.0 && total >= kClearOfZero * std::sqrt(noise_variance(weight));
}

Figure NoisyCounts::ratio(std::span<const double> weight, std::span<const double> among,
                          Limits limits) const {
  if (!is_clear(among)) return {};
  const double all = sum(among);
  const double value = sum(weight) / all;
  std::vector<double> gradient(counts_.size());
  for (std::size_t b = 0; b < gradient.size(); ++b) {
    gradient[b] = (weight[b] - value * among[b]) / all;
  }
  return figure_of(value, noise_variance(gradient), sampling_variance(gradient), limits);
}

}  // namespace southwell::assess
