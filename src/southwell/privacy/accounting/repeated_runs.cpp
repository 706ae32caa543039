#include "southwell/privacy/accounting/repeated_runs.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/rdp.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostRuns = 1e4;
constexpr std::uint64_t kWhole = std::uint64_t{1} << 32;

void check_mean(double mean, double least) {
  if (mean >= least && mean <= kMostRuns) return;
  throw InvalidArgument("mean: given is " + core::rounded_text(mean) +
                        ", accepted are numbers from " + core::rounded_text(least) + " to 10000");
}

Enclosure gamma_of(std::uint32_t left) {
  return (Enclosure::whole(kWhole) - Enclosure::whole(left)) / Enclosure::whole(kWhole);
}

/// E[N] of the truncated negative binomial law.
Enclosure mean_of(std::uint32_t half_shape, std::uint32_t left) {
  const Enclosure gamma = gamma_of(left);
  const Enclosure rest = Enclosure(1.0) - gamma;
  if (half_shape == 0) return rest / (gamma * -log(gamma));
  const Enclosure shape = Enclosure(0.5) * static_cast<double>(half_shape);
  return shape * rest / (gamma * -expm1(shape * log(gamma)));
}

/// For a fault: the one that costs most by itself.
std::span<const Composition> dearest_alone(std::span<const Composition> met) {
  const auto dearest = std::max_element(met.begin(), met.end(), [](const auto& a, const auto& b) {
    constexpr double kDelta = 1e-6;
    return quickly_spent(a, kDelta).epsilon < quickly_spent(b, kDelta).epsilon;
  });
  return met.subspan(static_cast<std::size_t>(dearest - met.begin()), 1);
}

/// omega D of one run at the order 1 + omega: the largest of what a unit can meet.
double moment_of(std::span<const Composition> met, double omega) {
  if (fault(Fault::parts_charge_the_one_dearest_alone) && met.size() > 1) {
    met = dearest_alone(met);
  }
  double most = 0.0;
  for (const Composition& each : met) {
    Enclosure total;
    for (const auto& [cost, count] : each.events()) {
      total = total + Enclosure::whole(count) * renyi_log_moment(cost, omega);
    }
    most = std::max(most, total.high);
  }
  return most;
}

/// The same of one composition.
double moment_of(const Composition& once, double omega) {
  return moment_of(std::span(&once, 1), omega);
}

/// Orders are searched as logarithms of omega: a coarse look, then Brent's search around the best.
/// Every value is a bound, so that the search decides on tightness alone.
template <class Bound>
double least_over_orders(const Bound& bound) {
  constexpr int kPoints = 56;
  constexpr double kLow = -14.0;
  constexpr double kHigh = 13.8155095;  // log(1e6 - 1)
  constexpr double kStep = (kHigh - kLow) / (kPoints - 1);
  double best = kInfinity;
  double place = kLow;
  const auto at = [&](double log_omega) {
    const double value = bound(std::min(core::exp(log_omega), 1e6 - 1.0));
    if (value < best) {
      best = value;
      place = log_omega;
    }
    return value;
  };
  for (int i = 0; i < kPoints; ++i) at(kLow + kStep * i);
  std::uintmax_t most = 40;
  boost::math::tools::brent_find_minima(at, std::max(place - kStep, kLow),
                                        std::min(place + kStep, kHigh), 26, most);
  return best;
}

/// D + log(1 - 1/alpha) - log(delta alpha)/(alpha - 1), given omega D.
double converted(Enclosure moment, double omega, double delta) {
  const Enclosure alpha = Enclosure(1.0) + omega;
  const Enclosure tail = log(Enclosure(delta)) + log(alpha);
  return ((moment - tail) / omega - log1p(Enclosure(1.0) / omega)).high;
}

/// What a truncated negative binomial number of runs adds at every order.
double added_by_repeating(std::span<const Composition> met, const RunLaw& law) {
  const Enclosure from_gamma = -log(gamma_of(law.left()));
  const Enclosure factor = Enclosure(1.0) + Enclosure(0.5) * static_cast<double>(law.half_shape());
  return least_over_orders([&](double omega) {
    const Enclosure alpha = Enclosure(1.0) + omega;
    // (1 - 1/alpha) D = omega D / alpha.
    return (factor * ((Enclosure(moment_of(met, omega)) + from_gamma) / alpha)).high;
  });
}

/// The least delta at which one run is (epsilon, delta)-DP, by the same conversion.
double delta_of(std::span<const Composition> met, double epsilon) {
  const double log_delta = least_over_orders([&](double omega) {
    const Enclosure alpha = Enclosure(1.0) + omega;
    return (Enclosure(moment_of(met, omega)) -
            Enclosure(omega) * (Enclosure(epsilon) + log1p(Enclosure(1.0) / omega)) - log(alpha))
        .high;
  });
  return std::min(exp(Enclosure(log_delta)).high, 1.0);
}

}  // namespace

RunLaw RunLaw::poisson(double mean) {
  if (!fault(Fault::poisson_mean_may_be_below_one)) check_mean(mean, 1.0);
  if (mean != std::floor(mean)) {
    throw InvalidArgument("mean: given is " + core::rounded_text(mean) +
                          ", accepted are whole numbers for a Poisson law");
  }
  RunLaw law;
  law.mean_ = mean;
  return law;
}

namespace {

void check_half_shape(std::uint32_t half_shape) {
  if (half_shape <= 2) return;
  throw InvalidArgument("half_shape: given is " + std::to_string(half_shape) +
                        ", accepted are 0, 1 and 2");
}

}  // namespace

RunLaw RunLaw::negative_binomial(std::uint32_t half_shape, double mean) {
  check_mean(mean, 1.01);
  check_half_shape(half_shape);
  // The mean grows with what is left.
  std::uint64_t low = 1;
  std::uint64_t high = kWhole - 1;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (mean_of(half_shape, static_cast<std::uint32_t>(middle)).high <= mean ? low : high) = middle;
  }
  return with_left(half_shape, static_cast<std::uint32_t>(low));
}

RunLaw RunLaw::with_left(std::uint32_t half_shape, std::uint32_t left) {
  check_half_shape(half_shape);
  if (left == 0) throw InvalidArgument("left: given is 0, accepted are numbers from 1");
  RunLaw law;
  law.half_shape_ = half_shape;
  law.left_ = left;
  law.mean_ = mean_of(half_shape, left).high;
  check_mean(law.mean_, 1.0);
  return law;
}

double RunLaw::chance_of_none(double x) const {
  if (is_poisson()) return std::exp(mean_ * (x - 1.0));
  const double rest = static_cast<double>(left_) * 0x1p-32;
  const double gamma = 1.0 - rest;
  if (half_shape_ == 0) return std::log1p(-rest * x) / std::log(gamma);
  const double shape = 0.5 * half_shape_;
  const double whole = std::pow(gamma, -shape) - 1.0;
  return (std::pow(1.0 - rest * x, -shape) - 1.0) / whole;
}

namespace {

/// Weights n_1 = 2^62 and n_{k+1} = floor(n_k (1 - gamma)(k + eta)/(k + 1)) until there are none.
std::vector<std::uint64_t> weights_of(std::uint32_t half_shape, std::uint32_t left) {
  std::vector<std::uint64_t> weights;
  std::uint64_t weight = std::uint64_t{1} << 62;
  for (std::uint64_t k = 1; weight > 0; ++k) {
    weights.push_back(weight);
    // In two steps, so that no product overflows; each rounds down.
    const Uint128 first = static_cast<Uint128>(weight) * left >> 32;
    weight = static_cast<std::uint64_t>(first * (2 * k + half_shape) / (2 * (k + 1)));
  }
  return weights;
}

/// Uniform below `bound`, out of just enough bits, drawn again where they are no such number.
Uint128 below(Uint128 bound, RandomBits& bits) {
  Uint128 mask = bound;
  for (int shift = 1; shift < 128; shift *= 2) mask |= mask >> shift;
  while (true) {
    const Uint128 high = bits.word();
    const Uint128 drawn = (high << 64 | bits.word()) & mask;
    if (drawn < bound) return drawn;
  }
}

/// Poisson with mean 1, in whole numbers alone (Duchon and Duvignau 2016).
std::uint64_t poisson_of_one(ExactDraws& draws) {
  std::uint64_t n = 1;
  std::uint64_t g = 0;
  std::uint64_t k = 1;
  while (true) {
    const std::uint64_t i = draws.below(n + 1) + 1;
    if (i == n + 1) {
      ++k;
    } else if (i > g) {
      --k;
      g = n + 1;
    } else {
      return k;
    }
    ++n;
  }
}

}  // namespace

std::uint64_t RunLaw::draw(RandomBits& bits) const {
  if (is_poisson()) {
    ExactDraws draws(bits);
    std::uint64_t runs = 0;
    for (double one = 0.0; one < mean_; one += 1.0) runs += poisson_of_one(draws);
    return runs;
  }
  const std::vector<std::uint64_t> weights = weights_of(half_shape_, left_);
  Uint128 total = 0;
  for (const std::uint64_t weight : weights) total += weight;
  Uint128 place = below(total, bits);
  std::uint64_t runs = 0;
  while (place >= weights[runs]) place -= weights[runs++];
  return runs + 1;
}

double repeated_epsilon(std::span<const Composition> met, const RunLaw& law, double delta,
                        const Composition& beside) {
  check_delta(delta);
  if (delta == 0.0) return kInfinity;
  const Enclosure mean = log(Enclosure(law.mean()));
  const auto moment = [&](double omega) {
    return Enclosure(moment_of(met, omega)) + mean + moment_of(beside, omega);
  };
  if (!law.is_poisson()) {
    const double added = added_by_repeating(met, law);
    const double epsilon = least_over_orders([&](double omega) {
      return (Enclosure(converted(moment(omega), omega, delta)) + added).high;
    });
    return std::max(epsilon, 0.0);
  }
  const double epsilon = least_over_orders([&](double omega) {
    const double at_least = log1p(Enclosure(1.0) / omega).low;
    const Enclosure added = Enclosure(law.mean()) * delta_of(met, at_least);
    return converted(moment(omega) + Enclosure(omega) * added, omega, delta);
  });
  return std::max(epsilon, 0.0);
}

}  // namespace southwell::privacy
