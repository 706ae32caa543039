#include "southwell/privacy/mechanisms/scale.hpp"

#include <cmath>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"

namespace southwell::privacy {
namespace {

/// shift <= scale * mantissa * 2^exponent, without rounding; 1 <= scale <= 2^62 and
/// 2^52 <= mantissa < 2^53, so that the product lies in [2^52, 2^115).
bool is_enough(std::uint64_t shift, std::uint64_t scale, std::uint64_t mantissa, int exponent) {
  const Uint128 product = static_cast<Uint128>(scale) * mantissa;
  if (exponent >= 12) return true;  // the right side is at least 2^64
  if (exponent >= 0) return (product << exponent) >= shift;
  if (exponent <= -115) return false;  // the right side is below 1
  return (product >> -exponent) >=
         shift;  // shift is whole, so rounding the right side down is exact
}

void refuse(std::string_view mechanism, const char* what, std::uint64_t given,
            std::uint64_t largest) {
  throw InvalidArgument(std::string(mechanism) + ": " + what + " is " + std::to_string(given) +
                        ", accepted are whole numbers from 1 to " + std::to_string(largest));
}

}  // namespace

std::uint64_t scale_for(std::uint64_t shift, double epsilon, std::uint64_t largest) {
  if (shift == 0) throw InvalidArgument("scale: shift is 0, accepted are whole numbers >= 1");
  if (!(epsilon > 0.0) || std::isinf(epsilon)) {
    throw InvalidArgument("scale: epsilon is " + std::to_string(epsilon) +
                          ", accepted are positive finite numbers");
  }
  if (largest < 1 || largest > std::uint64_t{1} << 62) {
    refuse("scale", "the largest scale", largest, std::uint64_t{1} << 62);
  }
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(epsilon, &exponent), 53));
  exponent -= 53;
  if (!is_enough(shift, largest, mantissa, exponent)) {
    throw CalibrationError("scale: the noise for this epsilon would exceed the largest scale " +
                           std::to_string(largest));
  }
  std::uint64_t low = 0;  // never enough: shift >= 1
  std::uint64_t high = largest;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (is_enough(shift, middle, mantissa, exponent) ? high : low) = middle;
  }
  if (fault(Fault::scale_is_rounded_down) && high > 1) --high;
  return high;
}

void check_scale(std::string_view mechanism, std::uint64_t scale, std::uint64_t largest) {
  if (scale < 1 || scale > largest) refuse(mechanism, "scale", scale, largest);
}

void check_sensitivity(std::string_view mechanism, std::uint64_t sensitivity) {
  if (sensitivity < 1 || sensitivity > kMaxSensitivity) {
    refuse(mechanism, "sensitivity", sensitivity, kMaxSensitivity);
  }
}

}  // namespace southwell::privacy
