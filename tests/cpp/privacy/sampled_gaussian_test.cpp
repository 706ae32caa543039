#include "southwell/privacy/sampled_gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "southwell/privacy/rdp.hpp"

namespace southwell::privacy {
namespace {

using Kind = Cost::Kind;

std::uint64_t sampled(double rate) { return static_cast<std::uint64_t>(rate * 0x1p32); }

/// (alpha - 1) D_alpha(P || Q) by the trapezoidal rule, densities in units of sigma.
double integrated(double alpha, const std::function<long double(long double)>& log_p,
                  const std::function<long double(long double)>& log_q, double reach) {
  long double sum = 0.0L;
  const long double h = 0.01L;
  for (long double x = -reach; x <= reach; x += h) {
    const long double p = log_p(x);
    sum += h * (std::exp(alpha * p - (alpha - 1.0) * log_q(x)) - std::exp(p));
  }
  return static_cast<double>(std::log1p(sum));
}

long double log_normal(long double x, long double mean) {
  return -0.5L * (x - mean) * (x - mean) - 0.918938533204672741L;
}

std::function<long double(long double)> mixture(long double rate, long double mean) {
  return [=](long double x) {
    return std::log((1 - rate) * std::exp(log_normal(x, 0) - log_normal(x, mean)) + rate) +
           log_normal(x, mean);
  };
}

TEST(SampledGaussian, LiesOnTheChordBetweenWholeOrdersAndNeverBelowIt) {
  for (const Kind kind : {Kind::sampled_gaussian_add_or_remove, Kind::sampled_gaussian_replace}) {
    const Cost cost{kind, 4'940'648, 1u << 20, sampled(0.001)};
    for (const double k : {1.0, 2.0, 3.0, 7.0}) {
      const double at = renyi_log_moment(cost, k);
      const double before = k == 1.0 ? 0.0 : renyi_log_moment(cost, k - 1.0);
      // Just below a whole order the chord that ends there counts, not the next one prolonged.
      EXPECT_GE(renyi_log_moment(cost, std::nextafter(k, 0.0)), at * (1 - 1e-12)) << k;
      EXPECT_GE(renyi_log_moment(cost, std::nextafter(k, 9.0)), at) << k;
      EXPECT_GE(renyi_log_moment(cost, k - 0.25), (0.25 * before + 0.75 * at) * (1 - 1e-12)) << k;
    }
  }
}

TEST(SampledGaussian, IsNotBelowTheIntegralAndExactForAdding) {
  for (const double rate : {0.001, 0.01, 0.2, 0.7}) {
    for (const int sigma : {1, 2, 5}) {
      for (const int order : {2, 3, 8, 20}) {
        const long double mean = 1.0L / sigma;
        const Cost cost{Kind::sampled_gaussian_add_or_remove, 1, static_cast<std::uint64_t>(sigma),
                        sampled(rate)};
        const double bound = renyi_log_moment(cost, order - 1.0);
        const auto base = [](long double x) { return log_normal(x, 0); };
        const auto mixed = mixture(static_cast<long double>(sampled(rate)) * 0x1p-32L, mean);
        const double reach = 30.0 + order;
        const double forward = integrated(order, mixed, base, reach);
        const double backward = integrated(order, base, mixed, reach);
        EXPECT_GE(bound, forward * (1 - 1e-9));
        EXPECT_GE(bound, backward * (1 - 1e-9));
        EXPECT_LE(bound, forward * (1 + 1e-8)) << rate << " " << sigma << " " << order;
      }
    }
  }
}

TEST(SampledGaussian, IsWithinTwiceTheWorstPairForReplacing) {
  for (const double rate : {0.001, 0.01, 0.1}) {
    for (const int sigma : {1, 2, 4, 10}) {
      for (const int order : {2, 3, 4, 8, 16}) {
        const long double mean = 1.0L / sigma;
        const Cost cost{Kind::sampled_gaussian_replace, 1, static_cast<std::uint64_t>(sigma),
                        sampled(rate)};
        const double bound = renyi_log_moment(cost, order - 1.0);
        const long double q = static_cast<long double>(sampled(rate)) * 0x1p-32L;
        const double exact =
            integrated(order, mixture(q, mean), mixture(q, -mean), 30.0 + 2 * order);
        EXPECT_GE(bound, exact * (1 - 1e-9)) << rate << " " << sigma << " " << order;
        EXPECT_LE(bound, 2.0 * exact) << rate << " " << sigma << " " << order;
      }
    }
  }
  // privacy.md: charging a replaced record as an added one undercharges 3.5 times here.
  const double replace = renyi_log_moment({Kind::sampled_gaussian_replace, 1, 2, sampled(.01)}, 7);
  const double add =
      renyi_log_moment({Kind::sampled_gaussian_add_or_remove, 1, 2, sampled(.01)}, 7);
  EXPECT_NEAR(replace / add, 3.5, 0.6);
}

TEST(SampledGaussian, IsConvexMonotoneAndNeverAboveTheUnsampled) {
  for (const Kind kind : {Kind::sampled_gaussian_add_or_remove, Kind::sampled_gaussian_replace}) {
    const double unsampled = kind == Kind::sampled_gaussian_replace ? 2.0 : 0.5;
    for (const double rate : {1e-9, 1e-4, 0.05, 0.5, 0.99, 1.0}) {
      for (const std::uint64_t sigma : {1u, 30u, 1000u}) {
        SampledGaussian moments({kind, 10, sigma, sampled(rate)});
        double last = 0.0;
        for (double omega = 1e-6; omega < 1e6; omega *= 1.7) {
          const double moment = moments.log_moment(omega);
          const double s = 100.0 / (static_cast<double>(sigma) * static_cast<double>(sigma));
          EXPECT_TRUE(std::isfinite(moment));
          EXPECT_LE(moment, unsampled * s * omega * (1 + omega) * (1 + 1e-12));
          EXPECT_GE(moment, last * (1 - 1e-9));
          EXPECT_LE(last / (omega / 1.7), moment / omega * (1 + 1e-9));  // D grows with the order
          last = moment;
        }
      }
    }
  }
}

TEST(SampledGaussian, CostsNothingIfNobodyIsSampledAndAllIfEverybodyIs) {
  EXPECT_LT(renyi_log_moment({Kind::sampled_gaussian_replace, 1, 2, 0}, 3.0), 1e-300);
  const double all = renyi_log_moment({Kind::sampled_gaussian_replace, 1, 2, 1ull << 32}, 3.0);
  EXPECT_NEAR(all, renyi_log_moment({Kind::discrete_gaussian, 2, 2}, 3.0), 1e-12);
  const double one =
      renyi_log_moment({Kind::sampled_gaussian_add_or_remove, 1, 2, 1ull << 32}, 3.0);
  EXPECT_NEAR(one, renyi_log_moment({Kind::discrete_gaussian, 1, 2}, 3.0), 1e-12);
}

}  // namespace
}  // namespace southwell::privacy
