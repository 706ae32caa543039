#include "southwell/audit/one_run.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/erf.hpp>

namespace southwell::audit {
namespace {

double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double normal_quantile(double chance) {
  return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * chance);
}

/// The largest argument in [0, most] at which a condition that holds up to some point still holds;
/// the end of a bracket at which it was seen to hold.
template <class Holds>
double largest_with(double most, Holds&& holds) {
  double low = 0.0;
  double high = most;
  if (!holds(low)) return 0.0;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

double delta_of(double mu, double epsilon) {
  return normal(0.5 * mu - epsilon / mu) - std::exp(epsilon) * normal(-0.5 * mu - epsilon / mu);
}

}  // namespace

LeastChance gaussian_promise(double mu) {
  return [mu](double likely) {
    if (!(likely > 0.0)) return 0.0;
    if (likely >= 1.0) return 1.0;
    return normal(normal_quantile(likely) - mu);
  };
}

LeastChance approximate_promise(double epsilon, double delta) {
  return [epsilon, delta](double likely) {
    const double few = (likely - delta) * std::exp(-epsilon);
    const double many = 1.0 - delta - std::exp(epsilon) * (1.0 - likely);
    return std::max({0.0, few, many});
  };
}

bool is_refuted(const LeastChance& promise, const Guesses& guesses, double error) {
  const auto made = static_cast<double>(guesses.made);
  const auto right = static_cast<double>(guesses.right);
  const auto records = static_cast<double>(guesses.records);
  // Of a record taken at random: the chance that it was guessed right, and wrong, in a run with at
  // least k right guesses, if such runs had the chance `error`.
  double is_right = error * right / records;
  double is_wrong = error * (made - right) / records;
  for (double k = right; k >= 1.0; k -= 1.0) {
    const double wrong_below = std::max(is_wrong, promise(is_right));
    is_right += (k - 1.0) / (made - k + 1.0) * (wrong_below - is_wrong);
    is_wrong = wrong_below;
    if (is_right + is_wrong > made / records * (1.0 + 1e-9)) return true;
  }
  return false;
}

double mu_found(const Guesses& guesses, double error) {
  return largest_with(20.0,
                      [&](double mu) { return is_refuted(gaussian_promise(mu), guesses, error); });
}

double epsilon_found(const Guesses& guesses, double delta, double error) {
  return largest_with(20.0, [&](double epsilon) {
    return is_refuted(approximate_promise(epsilon, delta), guesses, error);
  });
}

double epsilon_of_mu(double mu, double delta) {
  if (!(mu > 0.0) || delta_of(mu, 0.0) <= delta) return 0.0;
  return largest_with(1000.0, [&](double epsilon) { return delta_of(mu, epsilon) > delta; });
}

double mu_of_epsilon(double epsilon, double delta) {
  return largest_with(100.0, [&](double mu) { return mu == 0.0 || delta_of(mu, epsilon) < delta; });
}

}  // namespace southwell::audit
