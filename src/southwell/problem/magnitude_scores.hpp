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

inline constexpr std::int64_t kWeightParts = 16;

/// The k with 2^(k-1) <= |y| < 2^k, from -60 to 60, infinities counting as 60; none of 0 and NaN.
std::optional<int> magnitude(double y);

/// One score per k = -60..60: of the targets that have a magnitude, minus the distance of their
/// number from the interval [2 #{magnitude < k}, 2 #{magnitude <= k}], which is 0 where half of
/// them lie below 2^(k-1) or less and half below 2^k or more, and the lower the farther. Zeros and
/// NaN add nothing. Replacing, adding or removing a record moves each by at most
/// kMagnitudeSensitivity. With units each of them counts once, by the lower median of the
/// magnitudes that its records have, and a record without an id not at all: then the same holds of
/// a unit.
/// `weight` >= 0 is public: |k| weight / kWeightParts is taken from the score of k, so that what is
/// chosen where next to nothing has a size is seldom far from 1.
Sensitive<std::vector<std::int64_t>> magnitude_scores(
    std::span<const double> target, const std::optional<data::Units>& units = std::nullopt,
    std::int64_t weight = 0);

/// How many have a magnitude of at least k - kReach: a vector of one number, which replacing,
/// adding or removing a record, or a unit, moves by at most kReachSensitivity.
Sensitive<std::vector<std::int64_t>> reach_count(
    std::span<const double> target, int k, const std::optional<data::Units>& units = std::nullopt);

inline constexpr int kReach = 3;
inline constexpr std::uint64_t kReachSensitivity = 1;

}  // namespace southwell::problem
