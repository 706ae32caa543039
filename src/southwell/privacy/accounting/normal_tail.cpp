#include "southwell/privacy/accounting/normal_tail.hpp"

#include "southwell/core/exp.hpp"

namespace southwell::privacy {
namespace {

constexpr double kRootTwoPi = 2.5066282746310005024;
constexpr double kError = 0x1p-38;

double density(double s) { return core::exp(-0.5 * (s * s)) / kRootTwoPi; }

/// (P(N < s) - 1/2) / density(s) = s + s^3 / 3 + s^5 / (3 5) + ..., for 0 <= s < 3.
double series(double s) {
  const double square = s * s;
  double term = s;
  double sum = s;
  // From n = 21 on a term is less than half the one before it.
  for (double n = 3.0; n < 43.0 || term > 0x1p-60 * sum; n += 2.0) {
    term *= square / n;
    sum += term;
  }
  return sum;
}

/// Mills' ratio P(N > s) / density(s) = 1/(s + 1/(s + 2/(s + 3/(s + ...)))), for s >= 3. As many
/// terms as leave less than 2^-50 of it.
double fraction(double s) {
  double tail = 0.0;
  for (double n = s < 4.0 ? 50.0 : s < 5.0 ? 30.0 : s < 8.0 ? 24.0 : 16.0; n > 0.0; n -= 1.0) {
    tail = n / (s + tail);
  }
  return 1.0 / (s + tail);
}

/// For s >= 0.
double tail_of(double s) {
  return s < 3.0 ? 0.5 - density(s) * series(s) : density(s) * fraction(s);
}

}  // namespace

NormalTail normal_tail(double s) {
  if (s > 37.0) return {0.0, 1e-299};  // P(N > 37) is 5.7e-300
  if (s < -37.0) return {1.0 - kError, 1.0};
  const double near = s < 0.0 ? 1.0 - tail_of(-s) : tail_of(s);
  const double high = near * (1.0 + kError);
  return {near * (1.0 - kError), high < 1.0 ? high : 1.0};
}

}  // namespace southwell::privacy
