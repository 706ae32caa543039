#include "southwell/privacy/mechanisms/paper/unsound_laplace_release.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/log.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy::paper {

double laplace_in_doubles(double scale, RandomBits& bits) {
  const std::uint64_t word = bits.word();
  const double uniform = static_cast<double>((word >> 11) + 1) * 0x1p-53;  // in (0, 1]
  const double size = -scale * core::log(uniform);
  return (word & 1) != 0 ? -size : size;  // bit 0 is not among the 53 of `uniform`
}

UnsoundLaplaceRelease::UnsoundLaplaceRelease(double scale) : scale_(scale) {
  if (!(scale > 0.0) || std::isinf(scale)) {
    throw InvalidArgument("unsound_laplace_release: scale is " + std::to_string(scale) +
                          ", accepted are positive finite numbers");
  }
}

double UnsoundLaplaceRelease::release(const Sensitive<double>& gradient, RandomBits& bits) const {
  const double input = gradient.reveal(ReleasePass());
  double output = input + laplace_in_doubles(scale_, bits);
  if constexpr (kTapped) {  // no sensitivity is declared; doubles are shown by their bits
    const auto shown = std::bit_cast<std::int64_t>(input);
    auto released = std::bit_cast<std::int64_t>(output);
    tap_release({"unsound_laplace_release", 0, std::bit_cast<std::uint64_t>(scale_), bits.origin()},
                {&shown, 1}, {&released, 1});
    output = std::bit_cast<double>(released);
  }
  return output;
}

}  // namespace southwell::privacy::paper
