#include "southwell/privacy/accounting/rdp.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "southwell/core/fault.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/sampled_gaussian.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Randomised response, which dominates every epsilon-DP mechanism:
/// log((e^(alpha eps) + e^((1 - alpha) eps)) / (1 + e^eps)), the ratio minus 1 written as a
/// product.
double pure_moment(Enclosure eps, double omega) {
  const Enclosure alpha = Enclosure(1.0) + omega;
  if ((alpha * eps).high < 600.0) {
    const Enclosure grows = expm1(alpha * eps);
    Enclosure falls = -expm1(-(Enclosure(omega) * eps));
    if (fault(Fault::pure_moment_is_halved)) falls = falls * 0.5;
    return log1p(grows * falls / (Enclosure(1.0) + exp(eps))).high;
  }
  return (Enclosure(omega) * eps + log1p(exp(-((alpha + omega) * eps))) - log1p(exp(-eps))).high;
}

/// log(C e^(omega eps) + D e^(-alpha eps)) with C + D = 1: exactly the discrete law.
double laplace_moment(const Cost& cost, double omega) {
  const Enclosure eps = pure_epsilon(cost);
  const Enclosure scale = Enclosure::whole(cost.scale);
  const Enclosure twice = Enclosure(2.0) * omega;
  const Enclosure u = exp(Enclosure(-1.0) / scale);
  Enclosure d =
      u * expm1(-(twice / scale)) / (expm1(-((twice + 1.0) / scale)) * (Enclosure(1.0) + u));
  if (fault(Fault::laplace_moment_weighs_the_far_tail)) d = Enclosure(1.0) - d;
  return (Enclosure(omega) * eps + log1p(d * expm1(-((twice + 1.0) * eps)))).high;
}

/// The closed form, or alpha eta^2 / 8, or eta: whichever is least.
double range_moment(Enclosure eta, double omega) {
  const Enclosure alpha = Enclosure(1.0) + omega;
  const Enclosure decay = Enclosure(omega) * eta;
  const Enclosure once = -expm1(-eta);  // 1 - e^-eta
  Enclosure closed = decay +
                     Enclosure(omega) * (log1p(exp(-decay) * once / -expm1(-decay)) -
                                         log1p(Enclosure(1.0) / omega)) +
                     log(-expm1(-(alpha * eta)) / (alpha * once));
  if (fault(Fault::range_closed_form_forgets_a_term)) closed = closed - log(alpha);
  const double eighth = fault(Fault::range_is_halved) ? 1.0 / 32.0 : 0.125;
  const Enclosure square = decay * alpha * eta * eighth;
  return std::min({closed.high, square.high, decay.high});
}

/// One event, set up once for all orders.
struct Moment {
  Cost cost;
  double count;
  std::unique_ptr<SampledGaussian> sampled;

  double at(double omega) const {
    return sampled ? sampled->log_moment(omega) : renyi_log_moment(cost, omega);
  }
};

std::vector<Moment> moments_of(const Composition& composition) {
  std::vector<Moment> moments;
  for (const auto& [cost, count] : composition.events()) {
    const std::uint64_t times = fault(Fault::renyi_forgets_the_count) ? 1 : count;
    moments.push_back({cost, Enclosure::whole(times).high, nullptr});
    if (SampledGaussian::is(cost)) {
      moments.back().sampled = std::make_unique<SampledGaussian>(cost);
    }
  }
  return moments;
}

/// D_alpha + log(1 - 1/alpha) - log(delta alpha) / (alpha - 1), rounded up.
double converted(const std::vector<Moment>& moments, double omega, double delta) {
  Enclosure total;
  for (const Moment& moment : moments) {
    total = total + Enclosure(moment.count) * moment.at(omega);
  }
  const Enclosure alpha = Enclosure(1.0) + omega;
  Enclosure tail = log(Enclosure(delta)) + log(alpha);
  if (fault(Fault::renyi_conversion_forgets_delta)) tail = log(alpha);
  Enclosure gain = log1p(Enclosure(1.0) / omega);  // -log(1 - 1/alpha)
  if (fault(Fault::renyi_conversion_gains_twice)) gain = gain + gain;
  const Enclosure epsilon = (total - tail) / omega - gain;
  return fault(Fault::renyi_is_rounded_down) ? epsilon.low : epsilon.high;
}

}  // namespace

double renyi_log_moment(const Cost& cost, double omega) {
  switch (cost.kind) {
    case Cost::Kind::pure:
      return pure_moment(pure_epsilon(cost), omega);
    case Cost::Kind::bounded_range:
      return range_moment(pure_epsilon(cost), omega);
    case Cost::Kind::discrete_laplace:
      return laplace_moment(cost, omega);
    case Cost::Kind::discrete_gaussian: {
      const Enclosure ratio = Enclosure::whole(cost.shift) / Enclosure::whole(cost.scale);
      const Enclosure alpha = Enclosure(1.0) + omega;
      const double half = fault(Fault::gaussian_moment_is_halved) ? 0.25 : 0.5;
      return (Enclosure(omega) * alpha * ratio * ratio * half).high;
    }
    case Cost::Kind::sampled_gaussian_add_or_remove:
    case Cost::Kind::sampled_gaussian_replace:
      return SampledGaussian(cost).log_moment(omega);
  }
  return kInfinity;
}

RenyiBound renyi_epsilon(const Composition& composition, double delta) {
  check_delta(delta);
  if (composition.events().empty()) return {0.0, kInfinity};
  if (delta == 0.0) return {kInfinity, kInfinity};
  const std::vector<Moment> moments = moments_of(composition);
  RenyiBound best{kInfinity, 2.0};
  const auto bound = [&](double log_omega) {
    const double omega = std::min(core::exp(log_omega), 1e6 - 1.0);
    const double epsilon = converted(moments, omega, delta);
    if (epsilon < best.epsilon) best = {epsilon, 1.0 + omega};
    return epsilon;
  };
  // A coarse look over all orders, then Brent's search around the best of them.
  constexpr int kPoints = 28;
  constexpr double kLow = -14.0;
  constexpr double kHigh = 13.8155095;  // log(1e6 - 1)
  constexpr double kStep = (kHigh - kLow) / (kPoints - 1);
  int least = 0;
  double least_value = kInfinity;
  for (int i = 0; i < kPoints; ++i) {
    const double value = bound(kLow + kStep * i);
    if (value < least_value) {
      least_value = value;
      least = i;
    } else if (value > 4.0 * least_value) {
      break;  // orders far beyond the best are the dearest to evaluate
    }
  }
  std::uintmax_t most = 30;
  boost::math::tools::brent_find_minima(bound, kLow + kStep * (least - 1),
                                        std::min(kLow + kStep * (least + 1), kHigh), 20, most);
  best.epsilon = std::max(best.epsilon, 0.0);  // a negative bound still says (0, delta)
  return best;
}

}  // namespace southwell::privacy
