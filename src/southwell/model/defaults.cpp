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

}  // namespace

double derivative_scale(const problem::AnyLoss& loss, double target_scale) {
  return std::min(problem::derivative_bound(loss),
                  std::holds_alternative<problem::SquaredHinge>(loss) ? 1.0 : target_scale);
}

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
  out.clip = std::clamp(std::sqrt(x), 0.6, 2.0);
  // Noise of a selection is felt against the best of p candidates; that of a release stays in the
  // model the more, the fewer steps there are to come.
  const auto steps_taken = static_cast<double>(of.iterations.value_or(out.iterations));
  out.share = candidates / (candidates + 1.0 + 4.0 / steps_taken);
  return out;
}

Defaults cd_defaults(const DefaultsOf& of) {
  // k passes touch every coordinate k times. With noise of sd 2 C sqrt(k p) / (n mu) in each, a
  // part k < 1 of the coordinates gains k and loses about (2 k p / (n mu))^2.
  const auto p = static_cast<double>(of.coordinates);
  const double signal = of.records * gaussian_equivalent(of.budget) / (2.0 * p);
  Defaults out;
  out.iterations = static_cast<std::uint64_t>(
      std::clamp(std::round(p * std::min(signal * signal, 2.0)), 1.0, 1e6));
  return out;
}

Defaults sgd_defaults(const DefaultsOf& of) {
  const auto p = static_cast<double>(of.coordinates);
  const double signal = of.records * gaussian_equivalent(of.budget) / p;
  const double noise = 2.6 / signal;  // of a step of length 1, against the gradient
  Defaults out;
  out.iterations = 120;
  out.clip = std::sqrt(p) * std::clamp(0.5 * std::pow(signal / 22.0, 0.45), 0.4, 4.0);
  out.step =
      std::min(0.5, 1.0 / (static_cast<double>(out.iterations) * (noise + 2.0 * noise * noise))) /
      of.largest_smoothness;
  return out;
}

}  // namespace southwell::model
