#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/data/units.hpp"

namespace southwell::problem {

// The typical size of a target as a power of two, for a mechanism to choose; statement and proof in
// magnitude_scores.md.

inline constexpr int kLeastMagnitude = -60;
inline constexpr int kLargestMagnitude = 60;
inline constexpr std::size_t kMagnitudes = 121;
inline constexpr std::uint64_t kMagnitudeSensitivity = 2;

/// The k with 2^(k-1) <= |y| < 2^k, from -60 to 60; 0 and NaN count as -60, infinities as 60.
int magnitude(double y);

/// One score per k = -60..60. Of the targets that are not nothing (of a magnitude above -60), 0
/// where half lie below 2^(k-1) or less and half below 2^k or more, the lower the farther: minus
/// the distance of their number from the interval [2 #{magnitude < k}, 2 #{magnitude <= k}]. Below
/// 0 too if they are less than a third of all, where the score of -60 is 0, or if more than three
/// quarters of all lie below. Replacing, adding or removing a record moves each by at most
/// kMagnitudeSensitivity. With units each of them counts once, by the lower median of the
/// magnitudes of its records, and a record without an id not at all: then the same holds of a unit.
Sensitive<std::vector<std::int64_t>> magnitude_scores(
    std::span<const double> target, const std::optional<data::Units>& units = std::nullopt);

}  // namespace southwell::problem
