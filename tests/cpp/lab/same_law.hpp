#pragma once

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

namespace southwell::lab {

/// How often a test may call two samples of one law different.
inline constexpr double kFalseAlarm = 1e-6;

/// Two-sample Kolmogorov-Smirnov: the largest distance between the two empirical laws, divided by
/// what one law exceeds with probability kFalseAlarm (Smirnov's bound; ties make it smaller).
inline double smirnov_ratio(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  double distance = 0.0;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const double at = std::min(a[i], b[k]);
    while (i < a.size() && a[i] <= at) ++i;
    while (k < b.size() && b[k] <= at) ++k;
    distance =
        std::max(distance, std::fabs(static_cast<double>(i) / n - static_cast<double>(k) / m));
  }
  return distance / std::sqrt(-0.5 * std::log(0.5 * kFalseAlarm) * (n + m) / (n * m));
}

/// Two-sample chi-squared on counts of categories, likewise a ratio. Categories seen fewer than ten
/// times in all are counted as one.
inline double chi_squared_ratio(const std::vector<std::size_t>& a,
                                const std::vector<std::size_t>& b, std::size_t categories) {
  std::vector<double> count_a(categories + 1);
  std::vector<double> count_b(categories + 1);
  for (const std::size_t x : a) count_a.at(x) += 1.0;
  for (const std::size_t x : b) count_b.at(x) += 1.0;
  for (std::size_t c = 0; c < categories; ++c) {
    if (count_a[c] + count_b[c] >= 10.0) continue;
    count_a[categories] += count_a[c];
    count_b[categories] += count_b[c];
    count_a[c] = count_b[c] = 0.0;
  }
  const double ratio = std::sqrt(static_cast<double>(b.size()) / static_cast<double>(a.size()));
  double statistic = 0.0;
  double seen = 0.0;
  for (std::size_t c = 0; c <= categories; ++c) {
    const double all = count_a[c] + count_b[c];
    if (all == 0.0) continue;
    const double difference = ratio * count_a[c] - count_b[c] / ratio;
    statistic += difference * difference / all;
    seen += 1.0;
  }
  if (seen < 2.0) return 0.0;
  const boost::math::chi_squared law(seen - 1.0);
  return statistic / boost::math::quantile(boost::math::complement(law, kFalseAlarm));
}

}  // namespace southwell::lab
