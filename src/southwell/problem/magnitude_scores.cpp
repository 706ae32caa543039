#include "southwell/problem/magnitude_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "southwell/core/fault.hpp"

namespace southwell::problem {
namespace {

/// One magnitude of every unit that has some: the lower median of those of its records.
std::vector<int> magnitudes_of(const data::Units& units, std::span<const double> target) {
  std::vector<std::size_t> start(units.count() + 1);  // of a unit's room for one of each record
  for (std::size_t u = 0; u < units.count(); ++u) {
    start[u + 1] = start[u] + static_cast<std::size_t>(units.size_of_unit(u));
  }
  std::vector<int> all(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < target.size(); ++i) {
    const std::uint32_t unit = units.unit_of(i);
    const std::optional<int> size = magnitude(target[i]);
    if (unit != data::Units::kNone && size) all[next[unit]++] = *size;
  }
  std::vector<int> medians;
  medians.reserve(units.count());
  for (std::size_t u = 0; u < units.count(); ++u) {
    if (next[u] == start[u]) continue;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(start[u]);
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(next[u]);
    const auto median = first + (end - first - 1) / 2;
    if (!fault(Fault::unit_magnitude_is_that_of_its_first)) std::nth_element(first, median, end);
    medians.push_back(fault(Fault::unit_magnitude_is_that_of_its_first) ? *first : *median);
  }
  return medians;
}

std::vector<int> magnitudes_of(const std::optional<data::Units>& units,
                               std::span<const double> target) {
  if (units) return magnitudes_of(*units, target);
  std::vector<int> out;
  out.reserve(target.size());
  for (const double y : target) {
    if (const std::optional<int> size = magnitude(y)) out.push_back(*size);
  }
  return out;
}

}  // namespace

std::optional<int> magnitude(double y) {
  const double size = std::fabs(y);
  if (!(size > 0.0)) {
    return fault(Fault::zero_is_the_least_magnitude) ? std::optional(kLeastMagnitude)
                                                     : std::nullopt;
  }
  if (std::isinf(size)) return kLargestMagnitude;
  int exponent = 0;
  static_cast<void>(std::frexp(size, &exponent));
  return std::clamp(exponent, kLeastMagnitude, kLargestMagnitude);
}

Sensitive<std::vector<std::int64_t>> magnitude_scores(std::span<const double> target,
                                                      const std::optional<data::Units>& units,
                                                      std::int64_t weight) {
  const std::vector<int> magnitudes = magnitudes_of(units, target);
  std::array<std::int64_t, kMagnitudes> counts{};
  for (const int k : magnitudes) ++counts[static_cast<std::size_t>(k - kLeastMagnitude)];
  const auto all = static_cast<std::int64_t>(magnitudes.size());
  std::vector<std::int64_t> scores;
  scores.reserve(kMagnitudes);
  std::int64_t below = 0;
  for (int k = kLeastMagnitude; k <= kLargestMagnitude; ++k) {
    const std::int64_t up_to = below + counts[scores.size()];
    const std::int64_t score = std::min({std::int64_t{0}, 2 * up_to - all, all - 2 * below});
    scores.push_back(fault(Fault::magnitude_score_counts_twice) ? 2 * score : score);
    scores.back() -= std::abs(k) * weight / kWeightParts;
    below = up_to;
  }
  return Sensitive(std::move(scores));
}

Sensitive<std::vector<std::int64_t>> reach_count(std::span<const double> target, int k,
                                                 const std::optional<data::Units>& units) {
  const std::vector<int> magnitudes = magnitudes_of(units, target);
  const auto count = std::count_if(magnitudes.begin(), magnitudes.end(),
                                   [k](int each) { return each >= k - kReach; });
  return Sensitive(std::vector<std::int64_t>{fault(Fault::reach_counts_twice) ? 2 * count : count});
}

}  // namespace southwell::problem
