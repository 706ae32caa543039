#include "southwell/privacy/mechanisms/paper/unsound_noisy_max.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/privacy/mechanisms/paper/unsound_laplace_release.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::privacy::paper {
namespace {

double value(const Coordinate& at, double w) { return at.l1 * std::fabs(w); }

double prox(const Coordinate& at, double v, double step) {
  const double shrunk = std::fabs(v) <= step * at.l1 ? 0.0 : v - std::copysign(step * at.l1, v);
  return std::clamp(shrunk, at.lower, at.upper);
}

/// min over xi in the subdifferential of psi_j at w_j of |gradient + xi|.
double distance_to_subdifferential(const Coordinate& at, double gradient) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double low = at.coef <= at.lower ? -kInfinity : at.coef > 0.0 ? at.l1 : -at.l1;
  const double high = at.coef >= at.upper ? kInfinity : at.coef < 0.0 ? -at.l1 : at.l1;
  if (fault(Fault::paper_noise_has_no_absolute_value)) return gradient + low;
  return std::max({0.0, gradient + low, -gradient - high});
}

}  // namespace

double rule_score(Rule rule, const Coordinate& at, double gradient) {
  if (rule == Rule::gs_s) {
    return distance_to_subdifferential(at, gradient) / std::sqrt(at.smoothness);
  }
  const double move = prox(at, at.coef - gradient / at.smoothness, 1.0 / at.smoothness) - at.coef;
  if (rule == Rule::gs_r) return std::sqrt(at.smoothness) * std::fabs(move);
  const double change = gradient * move + 0.5 * at.smoothness * move * move +
                        value(at, at.coef + move) - value(at, at.coef);
  return fault(Fault::paper_gs_q_takes_the_maximum) ? change : -change;
}

std::size_t UnsoundNoisyMax::release(const Sensitive<std::vector<double>>& gradient,
                                     std::span<const Coordinate> coordinates,
                                     RandomBits& bits) const {
  const std::vector<double>& input = gradient.reveal(ReleasePass());
  if (input.size() != coordinates.size() || input.empty()) {
    throw InvalidArgument("unsound_noisy_max: gradient and coordinates must have the same length");
  }
  std::size_t chosen = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < input.size(); ++j) {
    const double noise = laplace_in_doubles(coordinates[j].scale, bits);
    const double score = fault(Fault::paper_noise_outside_the_threshold)
                             ? rule_score(rule_, coordinates[j], input[j]) + noise
                             : rule_score(rule_, coordinates[j], input[j] + noise);
    if (score > best) {
      best = score;
      chosen = j;
    }
  }
  if constexpr (kTapped) {  // no sensitivity is declared; doubles are shown by their bits
    std::vector<std::int64_t> shown(input.size());
    std::transform(input.begin(), input.end(), shown.begin(),
                   [](double x) { return std::bit_cast<std::int64_t>(x); });
    double smallest = std::numeric_limits<double>::infinity();
    for (const Coordinate& at : coordinates) smallest = std::min(smallest, at.scale);
    chosen =
        tap_select({"unsound_noisy_max", 0, std::bit_cast<std::uint64_t>(smallest), bits.origin()},
                   shown, chosen);
  }
  return chosen;
}

}  // namespace southwell::privacy::paper
