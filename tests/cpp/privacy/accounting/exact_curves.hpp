#pragma once

// Privacy curves of compositions in long double, by brute force.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "southwell/privacy/accounting/bounded_range_curve.hpp"
#include "southwell/privacy/accounting/composition.hpp"
#include "southwell/privacy/accounting/cost.hpp"

namespace southwell::privacy::testing {

using Kind = Cost::Kind;
using Real = long double;
/// What is still to come, by the likelihood ratio times e^epsilon so far.
using Value = std::function<Real(Real)>;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr std::uint64_t kUnit = std::uint64_t{1} << 21;

inline Real tail(Real s) { return 0.5L * std::erfc(s / std::sqrt(2.0L)); }

/// The profile of Gaussian noise, in long doubles.
inline Real gaussian_profile(Real x, Real mu) {
  return tail(x / mu - mu / 2) - std::exp(x) * tail(x / mu + mu / 2);
}

inline Real gaussian_epsilon(Real mu, Real delta) {
  if (gaussian_profile(0, mu) <= delta) return 0;
  Real low = 0;
  Real high = 100;
  for (int i = 0; i < 200; ++i) {
    const Real middle = (low + high) / 2;
    (gaussian_profile(middle, mu) > delta ? low : high) = middle;
  }
  return high;
}

inline Real one_selection(Real y, Real range) {
  const Real far = std::exp(range);
  if (y >= far) return 0;
  if (y * far <= 1) return 1 - y;
  return std::pow(std::sqrt(far) - std::sqrt(y), 2.0L) / (far - 1);
}

/// The worst selection before `next`, by trying pairs of ends: never above the true worst.
inline Real worst_selection(const Value& next, Real y, Real range, int tries) {
  const Real far = std::exp(range);
  Real worst = 0;
  for (int i = 1; i <= tries; ++i) {
    const Real u = y * std::exp(-range * i / tries);
    const Real chance = (u * far - y) / (u * far - u);
    worst = std::max(worst, chance * next(u) + (1 - chance) * next(u * far));
  }
  return worst;
}

/// A curve of so many knots, however long it takes.
inline CurveKnots exactly(int cells) { return {.fewest = cells, .most = cells, .visits = 1e10}; }

/// Gaussian noise before `next`, by Simpson's rule over 12 standard deviations.
inline Real gaussian_before(const Value& next, Real y, Real mu, int cells) {
  Real sum = 0;
  for (int i = 0; i <= cells; ++i) {
    const Real t = -12 + 24.0L * i / cells;
    const Real weight = i == 0 || i == cells ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(-t * t / 2) * next(y * std::exp(-(mu * mu / 2 + mu * t)));
  }
  return sum * 24 / cells / 3 / std::sqrt(2 * std::acos(-1.0L));
}

inline Cost range_of(double range) {
  return {Kind::bounded_range, kUnit,
          static_cast<std::uint64_t>(std::ceil(static_cast<double>(kUnit) / range))};
}
inline Cost noise_of(double mu) {
  return {Kind::discrete_gaussian, kUnit,
          static_cast<std::uint64_t>(std::ceil(static_cast<double>(kUnit) / mu))};
}
inline Real exact(const Cost& cost) {
  return static_cast<Real>(cost.shift) / static_cast<Real>(cost.scale);
}

inline Composition composed(const std::vector<Composition::Event>& events) {
  Composition all;
  for (const auto& [cost, count] : events) all.add(cost, count);
  return all;
}

}  // namespace southwell::privacy::testing
