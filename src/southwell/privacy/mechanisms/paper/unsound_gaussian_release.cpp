#include "southwell/privacy/mechanisms/paper/unsound_gaussian_release.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/log.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy::paper {
namespace {

/// Uniform on (-1, 1), an odd multiple of 2^-53.
double symmetric(RandomBits& bits) {
  const auto whole = static_cast<std::int64_t>(bits.word() >> 11);
  return static_cast<double>(2 * whole + 1) * 0x1p-53 - 1.0;
}

}  // namespace

double NormalInDoubles::next(RandomBits& bits) {
  if (kept_) {
    const double second = *kept_;
    kept_.reset();
    return second;
  }
  while (true) {
    const double x = symmetric(bits);
    const double y = symmetric(bits);
    const double square = x * x + y * y;
    if (!(square > 0.0 && square < 1.0)) continue;
    const double stretch = std::sqrt(-2.0 * core::log(square) / square);
    kept_ = stretch * y;
    return stretch * x;
  }
}

double UnsoundGaussianRelease::release(const Sensitive<double>& gradient, double sigma,
                                       RandomBits& bits) {
  double out = 0.0;
  add({&gradient.reveal(ReleasePass()), 1}, {&sigma, 1}, bits, {&out, 1});
  return out;
}

void UnsoundGaussianRelease::release(const Sensitive<std::vector<double>>& gradient,
                                     std::span<const double> sigma, RandomBits& bits,
                                     std::span<double> out) {
  add(gradient.reveal(ReleasePass()), sigma, bits, out);
}

void UnsoundGaussianRelease::add(std::span<const double> input, std::span<const double> sigma,
                                 RandomBits& bits, std::span<double> out) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < input.size(); ++k) {
    if (!(sigma[k] > 0.0) || std::isinf(sigma[k])) {
      throw InvalidArgument("unsound_gaussian_release: sigma is " + std::to_string(sigma[k]) +
                            ", accepted are positive finite numbers");
    }
    least = std::min(least, sigma[k]);
    out[k] = input[k] + sigma[k] * normal_.next(bits);
  }
  if constexpr (kTapped) {  // no sensitivity is declared; doubles are shown by their bits
    std::vector<std::int64_t> shown;
    std::vector<std::int64_t> released;
    for (const double x : input) shown.push_back(std::bit_cast<std::int64_t>(x));
    for (const double x : out) released.push_back(std::bit_cast<std::int64_t>(x));
    tap_release({"unsound_gaussian_release", 0, std::bit_cast<std::uint64_t>(least), bits.origin()},
                shown, released);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::bit_cast<double>(released[k]);
  }
}

}  // namespace southwell::privacy::paper
