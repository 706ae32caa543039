#include "southwell/model/defaults.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace southwell::model {
namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// delta(epsilon) of the Gaussian mechanism with sensitivity mu and unit noise.
double gaussian_delta(double epsilon, double mu) {
  return normal_cdf(-epsilon / mu + 0.5 * mu) -
         std::exp(epsilon) * normal_cdf(-epsilon / mu - 0.5 * mu);
}

/// How large |l'| may get where the clip is one target scale, or what bounds it anyway.
double derivative_scale(const problem::AnyLoss& loss, double target_scale) {
  return std::min(problem::derivative_bound(loss),
                  std::holds_alternative<problem::SquaredHinge>(loss) ? 1.0 : target_scale);
}

}  // namespace

double gaussian_equivalent(const privacy::Budget& budget) {
  constexpr double kSmallestDelta = 1e-12;  // stands for 0, which has no Gaussian equivalent
  const double delta = std::max(budget.delta, kSmallestDelta);
  double low = 1e-9;
  double high = 100.0;
  for (int step = 0; step < 200; ++step) {
    const double middle = std::sqrt(low * high);
    (gaussian_delta(budget.epsilon, middle) > delta ? high : low) = middle;
  }
  return low;
}

Defaults gcd_defaults(const DefaultsOf& of) {
  // x: how far the signal of a coordinate stands out of the noise of a selection among all of them.
  const double candidates = std::log(std::max<double>(3.0, static_cast<double>(of.coordinates)));
  const double x =
      of.records * gaussian_equivalent(of.budget) / (std::sqrt(2.0) * 23.0 * candidates);
  Defaults out;
  const double steps = 8.0 * std::min(x, std::sqrt(x));
  // Without a delta, costs add up: T steps get epsilon / T each.
  out.iterations = static_cast<std::uint64_t>(
      std::clamp(std::round(of.budget.delta > 0.0 ? steps : 0.5 * steps), 1.0, 60.0));
  out.clip =
      derivative_scale(of.loss, of.target_scale) * std::max(0.6, std::min(2.0, std::sqrt(x)));
  return out;
}

}  // namespace southwell::model
