#include "southwell/problem/magnitude_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "southwell/core/fault.hpp"

namespace southwell::problem {
namespace {

/// One magnitude of every unit: the lower median of those of its records.
std::vector<int> magnitudes_of(const data::Units& units, std::span<const double> target) {
  std::vector<std::size_t> place(units.count() + 1);  // where the next record of a unit goes
  for (std::size_t u = 0; u < units.count(); ++u) {
    place[u + 1] = place[u] + static_cast<std::size_t>(units.size_of_unit(u));
  }
  std::vector<int> all(place.back());
  for (std::size_t i = 0; i < target.size(); ++i) {
    const std::uint32_t unit = units.unit_of(i);
    if (unit != data::Units::kNone) all[place[unit]++] = magnitude(target[i]);
  }
  std::vector<int> medians;
  medians.reserve(units.count());
  auto first = all.begin();
  for (std::size_t u = 0; u < units.count(); ++u) {
    const auto size = static_cast<std::ptrdiff_t>(units.size_of_unit(u));
    const auto median = first + (size - 1) / 2;
    if (!fault(Fault::unit_magnitude_is_that_of_its_first)) {
      std::nth_element(first, median, first + size);
    }
    medians.push_back(fault(Fault::unit_magnitude_is_that_of_its_first) ? *first : *median);
    first += size;
  }
  return medians;
}

std::vector<int> magnitudes_of(const std::optional<data::Units>& units,
                               std::span<const double> target) {
  if (units) return magnitudes_of(*units, target);
  std::vector<int> out;
  out.reserve(target.size());
  for (const double y : target) out.push_back(magnitude(y));
  return out;
}

}  // namespace

int magnitude(double y) {
  const double size = std::fabs(y);
  if (!(size > 0.0)) return kLeastMagnitude;
  if (std::isinf(size)) return kLargestMagnitude;
  int exponent = 0;
  static_cast<void>(std::frexp(size, &exponent));
  return std::clamp(exponent, kLeastMagnitude, kLargestMagnitude);
}

Sensitive<std::vector<std::int64_t>> magnitude_scores(std::span<const double> target,
                                                      const std::optional<data::Units>& units) {
  const std::vector<int> magnitudes = magnitudes_of(units, target);
  std::array<std::int64_t, kMagnitudes> counts{};
  for (const int k : magnitudes) ++counts[static_cast<std::size_t>(k - kLeastMagnitude)];
  const auto all = static_cast<std::int64_t>(magnitudes.size());
  const std::int64_t nothing = counts[0];
  const std::int64_t sized = all - nothing;
  const std::int64_t lead = sized - nothing / 2;
  std::vector<std::int64_t> scores(kMagnitudes, std::min(std::int64_t{0}, -lead));
  std::int64_t below = 0;
  for (std::size_t k = 1; k < kMagnitudes; ++k) {
    const std::int64_t up_to = below + counts[k];
    const std::int64_t reached = all + all / 2 - 2 * (nothing + below);
    scores[k] = std::min({std::int64_t{0}, 2 * up_to - sized, sized - 2 * below, reached, lead});
    below = up_to;
  }
  if (fault(Fault::magnitude_score_counts_twice)) {
    for (std::int64_t& score : scores) score *= 2;
  }
  return Sensitive(std::move(scores));
}

}  // namespace southwell::problem
