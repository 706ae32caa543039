#include "southwell/privacy/accounting/advanced.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check(double epsilon, double delta, std::uint64_t iterations) {
  Budget{epsilon, delta}.check();
  if (delta == 0.0) {
    throw InvalidArgument("delta: advanced composition needs a positive delta, given is 0");
  }
  if (iterations == 0) throw InvalidArgument("iterations: given is 0, accepted are numbers >= 1");
}

}  // namespace

double advanced_epsilon(const Composition& composition, double delta) {
  check_delta(delta);
  if (composition.events().empty()) return 0.0;
  if (delta == 0.0) return kInfinity;
  double squares = 0.0;
  double drift = 0.0;
  for (const auto& [cost, count] : composition.events()) {
    const double e = pure_epsilon(cost).high;
    squares += static_cast<double>(count) * e * e;
    drift += static_cast<double>(count) * e * std::expm1(e);
  }
  return std::sqrt(2.0 * -std::log(delta) * squares) + drift;
}

double paper_epsilon(double query_epsilon, std::uint64_t iterations, double delta) {
  const auto t = static_cast<double>(iterations);
  return std::sqrt(4.0 * t * -std::log(delta)) * query_epsilon +
         2.0 * t * query_epsilon * std::expm1(query_epsilon);
}

double paper_query_epsilon(double epsilon, double delta, std::uint64_t iterations) {
  check(epsilon, delta, iterations);
  double low = 0.0;
  double high = epsilon / std::sqrt(4.0 * static_cast<double>(iterations) * -std::log(delta));
  for (int i = 0; i < 200 && low < high; ++i) {  // until the two are neighbours
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (paper_epsilon(middle, iterations, delta) <= epsilon ? low : high) = middle;
  }
  return low;
}

double paper_closed_form(double epsilon, double delta, std::uint64_t iterations) {
  check(epsilon, delta, iterations);
  if (epsilon > 1.0) {
    throw InvalidArgument("epsilon: the closed form holds up to 1, given is " +
                          core::rounded_text(epsilon));
  }
  return epsilon / (4.0 * std::sqrt(static_cast<double>(iterations) * -std::log(delta)));
}

double paper_gaussian_multiplier(double epsilon, double delta, std::uint64_t iterations) {
  const Budget budget{epsilon, delta};
  budget.check();
  if (delta == 0.0) {
    throw InvalidArgument("delta: given is 0, accepted are numbers between 0 and 1");
  }
  // u = sqrt(T) / m solves u^2 / 2 + u sqrt(2 log(1/delta)) = epsilon.
  const double twice_log = -2.0 * std::log(delta);
  const double u = 2.0 * epsilon / (std::sqrt(twice_log + 2.0 * epsilon) + std::sqrt(twice_log));
  return std::sqrt(static_cast<double>(iterations)) / u;
}

}  // namespace southwell::privacy
