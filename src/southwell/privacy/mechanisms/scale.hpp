#pragma once

#include <cstdint>
#include <string_view>

namespace southwell::privacy {

inline constexpr std::uint64_t kMaxSensitivity = std::uint64_t{1} << 61;

/// The smallest whole scale with shift / scale <= epsilon, compared exactly: a scale is rounded up,
/// never down. Throws InvalidArgument unless shift >= 1, epsilon is a positive finite number
/// and 1 <= largest <= 2^62, and CalibrationError if the scale would exceed `largest`.
std::uint64_t scale_for(std::uint64_t shift, double epsilon, std::uint64_t largest);

/// Throws InvalidArgument, naming the mechanism, unless 1 <= scale <= largest.
void check_scale(std::string_view mechanism, std::uint64_t scale, std::uint64_t largest);
/// Throws InvalidArgument, naming the mechanism, unless 1 <= sensitivity <= kMaxSensitivity.
void check_sensitivity(std::string_view mechanism, std::uint64_t sensitivity);

}  // namespace southwell::privacy
