#include "southwell/problem/magnitude_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "southwell/core/fault.hpp"

namespace southwell::problem {

int magnitude(double y) {
  const double size = std::fabs(y);
  if (!(size > 0.0)) return kLeastMagnitude;
  if (std::isinf(size)) return kLargestMagnitude;
  int exponent = 0;
  static_cast<void>(std::frexp(size, &exponent));
  return std::clamp(exponent, kLeastMagnitude, kLargestMagnitude);
}

Sensitive<std::vector<std::int64_t>> magnitude_scores(std::span<const double> target) {
  std::array<std::int64_t, kMagnitudes> counts{};
  for (const double y : target) ++counts[static_cast<std::size_t>(magnitude(y) - kLeastMagnitude)];
  const auto all = static_cast<std::int64_t>(target.size());
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
