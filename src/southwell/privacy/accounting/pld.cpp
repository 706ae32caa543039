#include "southwell/privacy/accounting/pld.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/rdp.hpp"
#include "southwell/privacy/accounting/sampled_gaussian.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {
namespace {

using Complex = std::complex<double>;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = boost::math::constants::pi<double>();

/// log M(z) of one event's dominating pair; any branch, since it is only ever raised to whole
/// powers.
Complex log_moment(const Cost& cost, Complex z) {
  const double e = cost.kind == Cost::Kind::bounded_range
                       ? pure_epsilon(cost).high
                       : static_cast<double>(cost.shift) / static_cast<double>(cost.scale);
  switch (cost.kind) {
    case Cost::Kind::pure:
      return z * e + std::log((1.0 + std::exp(-(2.0 * z + 1.0) * e)) / (1.0 + std::exp(-e)));
    case Cost::Kind::bounded_range: {
      // e^(eta/2) sinh((z + 1/2) eta) / ((e^eta - 1)(z + 1/2)), from P(loss > x) of privacy profile
      // (e^(eta/2) - e^(x/2))^2 / (e^eta - 1).
      const Complex twice = 2.0 * z + 1.0;
      return z * e + std::log((1.0 - std::exp(-twice * e)) / (-std::expm1(-e) * twice));
    }
    case Cost::Kind::discrete_laplace: {
      const auto b = static_cast<double>(cost.scale);
      const double u = std::exp(-1.0 / b);
      const Complex v = std::exp(-(2.0 * z + 1.0) / b);
      // 1 - v and u - v lose digits at large scales: the continuous law is the same to 1 / b^2.
      const Complex d = b > 1e5 ? z / (2.0 * z + 1.0) : (u - v) / ((1.0 - v) * (1.0 + u));
      return z * e + std::log(1.0 - d + d * std::exp(-(2.0 * z + 1.0) * e));
    }
    case Cost::Kind::discrete_gaussian:
      return z * (z + 1.0) * (0.5 * e * e);
    case Cost::Kind::sampled_gaussian_add_or_remove:
    case Cost::Kind::sampled_gaussian_replace:
      break;
  }
  return kNoNumber;
}

Complex log_moment(const Composition& composition, Complex z) {
  Complex total = 0.0;
  for (const auto& [cost, count] : composition.events()) {
    total += static_cast<double>(count) * log_moment(cost, z);
  }
  return total;
}

bool has_sampled(const Composition& composition) {
  return std::any_of(composition.events().begin(), composition.events().end(),
                     [](const auto& event) { return SampledGaussian::is(event.cost); });
}

/// delta(epsilon) along Re z = c: 1/(2 pi i) int M(z) e^(-z epsilon) / (z (z + 1)) dz.
double inversion(const Composition& composition, double epsilon, double c) {
  const double log_top = log_moment(composition, c).real() - c * epsilon;
  // The trapezoidal rule with step h adds copies of delta shifted by multiples of 2 pi / h, damped
  // by exp(-c shift) on the left and bounded by the moment at 2 c on the right.
  const double right = log_moment(composition, 2.0 * c).real() - 2.0 * c * epsilon;
  const double period = (std::max(-log_top, right - log_top) + std::max(0.0, log_top) + 60.0) / c;
  const double h = 2.0 * kPi / period;
  const double first = 0.5 / (c * (c + 1.0));
  double sum = first;
  double left = first;  // a bound on the terms that are left out
  for (int i = 1; i < 200000 && left > 1e-6 * std::abs(sum); ++i) {
    const Complex z(c, h * i);
    const Complex log_ratio = log_moment(composition, z) - z * epsilon - log_top;
    const Complex kernel = z * (z + 1.0);
    sum += (std::exp(log_ratio) / kernel).real();
    left = std::exp(log_ratio.real()) / std::abs(kernel) * std::abs(z) / h;
  }
  // Terms that cancel to less than their rounding, or do not end, are no number. (On a lattice they
  // end slowly, in turns of sign: the bound is far above what is missed.)
  if (!(left < 0.1 * sum) || !(sum > 1e-9 * first)) return kNoNumber;
  return std::exp(log_top) * sum * h / kPi;
}

/// The order that makes M(c) e^(-c epsilon) / (c (c + 1)) least: where the integrand is flattest.
double saddle(const Composition& composition, double epsilon) {
  const auto height = [&](double log_c) {
    const double c = std::exp(log_c);
    return log_moment(composition, c).real() - c * epsilon - std::log(c) - std::log1p(c);
  };
  double left = std::log(1e-4);
  double right = std::log(1e6);
  for (int i = 0; i < 60; ++i) {
    const double a = left + (right - left) / 3.0;
    const double b = right - (right - left) / 3.0;
    (height(a) < height(b) ? right : left) = height(a) < height(b) ? b : a;
  }
  return std::exp(0.5 * (left + right));
}

}  // namespace

double pld_delta(const Composition& composition, double epsilon) {
  if (has_sampled(composition)) return kNoNumber;
  if (composition.events().empty() || epsilon >= basic_epsilon(composition)) return 0.0;
  return std::min(inversion(composition, epsilon, saddle(composition, epsilon)), 1.0);
}

double pld_epsilon(const Composition& composition, double delta) {
  check_delta(delta);
  if (has_sampled(composition)) return kNoNumber;
  if (delta == 0.0 || composition.events().empty()) return basic_epsilon(composition);
  // Above the Renyi bound where the dominating pair of bounded range composes worse than the bound.
  double high = renyi_epsilon(composition, delta).epsilon;
  const double basic = basic_epsilon(composition);
  const auto excess = [&](double epsilon) {
    return std::log(std::max(pld_delta(composition, epsilon), 1e-300) / delta);
  };
  double at_high = excess(high);
  while (high < basic && at_high > 0.0) {
    high = std::min(1.25 * high, basic);
    at_high = excess(high);
  }
  const double at_low = excess(0.0);
  if (at_low <= 0.0) return 0.0;
  if (!(at_low > 0.0) || !(at_high <= 0.0)) return kNoNumber;  // beyond what doubles can invert
  std::uintmax_t steps = 50;
  const double found = boost::math::tools::toms748_solve(
                           excess, 0.0, high, at_low, at_high,
                           [&](double a, double b) { return b - a < 1e-6 * high; }, steps)
                           .second;
  return excess(found) <= 0.0 ? found : kNoNumber;
}

}  // namespace southwell::privacy
