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
  const auto records = static_cast<std::int64_t>(target.size());
  std::vector<std::int64_t> scores(kMagnitudes);
  std::int64_t below = 0;
  for (std::size_t k = 0; k < kMagnitudes; ++k) {
    const std::int64_t up_to = below + counts[k];
    scores[k] = std::min({std::int64_t{0}, 2 * up_to - records, records - 2 * below});
    if (fault(Fault::magnitude_score_counts_twice)) scores[k] *= 2;
    below = up_to;
  }
  return Sensitive(std::move(scores));
}

}  // namespace southwell::problem
