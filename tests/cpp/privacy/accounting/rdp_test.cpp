#include "southwell/privacy/accounting/rdp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace southwell::privacy {
namespace {

using Kind = Cost::Kind;
constexpr double kOmegas[] = {1e-6, 1e-3, 0.1, 0.5, 1.0, 1.5, 3.0, 10.0, 77.7, 950.0, 2.2e4, 1e6};

long double log_sum(long double a, long double b) {
  const long double top = std::max(a, b);
  return top + std::log1p(std::exp(std::min(a, b) - top));
}

/// Upper bound, and no looser than rounding makes it.
void expect_tight(double bound, long double exact, double tolerance) {
  EXPECT_GE(static_cast<long double>(bound), exact * (1.0L - 1e-15L) - 1e-18L);
  EXPECT_LE(bound, static_cast<double>(exact) * (1.0 + tolerance) + tolerance * 1e-2);
}

TEST(RenyiMoment, OfBoundedRangeIsTheLargestOverAllPairs) {
  for (const double eta : {1e-9, 1e-6, 1e-3, 0.1, 0.8, 3.0, 20.0, 100.0}) {
    const auto scale = static_cast<std::uint64_t>(std::ldexp(1.0, 50));
    const auto shift = static_cast<std::uint64_t>(eta * std::ldexp(1.0, 50));
    for (const double omega : kOmegas) {
      const double bound = renyi_log_moment({Kind::bounded_range, shift, scale}, omega);
      long double largest = 0.0L;
      for (int i = 1; i < 2000; ++i) {
        // t close to the ends matters where omega eta is large: the grid is denser there
        const long double part = 0.5L * (1.0L - std::cos(3.14159265358979L * i / 2000.0L));
        for (const long double t : {eta * part, eta * (1.0L - std::exp(-20.0L * i / 2000.0L))}) {
          const long double all = std::expm1(static_cast<long double>(eta));
          const long double p = std::exp(t) * std::expm1(eta - t) / all;
          const long double q = std::expm1(t) / all;
          const long double value =
              p <= 0 || q <= 0 ? 0.0L
                               : log_sum(std::log(p) + omega * t, std::log(q) + omega * (t - eta));
          largest = std::max(largest, value);
        }
      }
      // 1e-18: what the oracle itself loses
      EXPECT_GE(bound, static_cast<double>(largest) - 1e-18) << eta << " " << omega;
      // kRangeSlack shows at the smallest range only
      const double slack = 2e-5 + 2.2e-12 / eta;
      EXPECT_LE(bound, static_cast<double>(largest) * (1.0 + slack) + 1e-13 * (1 + omega * eta))
          << eta << " " << omega;
    }
  }
}

TEST(RenyiMoment, OfDiscreteLaplaceIsTheSum) {
  for (const int scale : {1, 2, 5, 17}) {
    for (const int shift : {1, 2, 3, 9}) {
      for (const double omega : {1e-6, 1e-3, 0.1, 0.7, 1.0, 2.5, 10.0, 40.0}) {
        const long double u = std::exp(-1.0L / scale);
        long double excess = 0.0L;  // sum of P (ratio^omega - 1): the moment minus 1
        for (int x = -60 * scale; x <= 60 * scale + shift; ++x) {
          const long double p =
              (1 - u) / (1 + u) * std::pow(u, static_cast<long double>(std::abs(x)));
          const long double log_ratio =
              (static_cast<long double>(std::abs(x - shift)) - std::abs(x)) / scale;
          excess += p * std::expm1(omega * log_ratio);
        }
        const double bound =
            renyi_log_moment({Kind::discrete_laplace, static_cast<std::uint64_t>(shift),
                              static_cast<std::uint64_t>(scale)},
                             omega);
        const long double exact = std::log1p(excess);
        EXPECT_GE(bound, static_cast<double>(exact) - 1e-17)
            << scale << " " << shift << " " << omega;
        EXPECT_LE(bound, static_cast<double>(exact) + 1e-14 * (1 + omega * shift / scale));
      }
    }
  }
}

TEST(RenyiMoment, OfDiscreteLaplaceTendsToTheContinuousOne) {
  const std::uint64_t scale = std::uint64_t{1} << 44;
  for (const double epsilon : {1e-7, 1e-4, 0.03, 1.0, 20.0}) {
    const auto shift = static_cast<std::uint64_t>(epsilon * static_cast<double>(scale));
    for (const double omega : kOmegas) {
      const long double alpha = 1.0L + omega;
      const long double exact = log_sum(std::log(alpha / (alpha + omega)) + omega * epsilon,
                                        std::log(omega / (alpha + omega)) - alpha * epsilon);
      const double bound = renyi_log_moment({Kind::discrete_laplace, shift, scale}, omega);
      EXPECT_NEAR(bound, static_cast<double>(exact), 2e-6 * static_cast<double>(exact) + 1e-14);
    }
  }
}

TEST(RenyiMoment, OfDiscreteGaussianIsNotBelowTheSum) {
  for (const int sigma : {1, 3, 8}) {
    for (const int shift : {1, 2, 5}) {
      for (const double omega : {0.01, 0.5, 1.0, 2.0, 7.5}) {
        long double total = 0.0L;
        long double moment = 0.0L;
        for (int x = -40 * sigma - 60; x <= 40 * sigma + 60; ++x) {
          const long double p = -0.5L * x * x / (sigma * sigma);
          const long double q = -0.5L * (x - shift) * (x - shift) / (sigma * sigma);
          total += std::exp(p);
          moment += std::exp((1.0L + omega) * p - omega * q);
        }
        const long double exact = std::log(moment / total);
        const double bound =
            renyi_log_moment({Kind::discrete_gaussian, static_cast<std::uint64_t>(shift),
                              static_cast<std::uint64_t>(sigma)},
                             omega);
        EXPECT_GE(bound, static_cast<double>(exact) * (1 - 1e-12));
        if (omega == std::floor(omega)) expect_tight(bound, exact, 1e-9);
      }
    }
  }
}

TEST(RenyiMoment, OfPureMechanismsIsThatOfRandomisedResponse) {
  for (const double epsilon : {1e-9, 1e-4, 0.1, 1.0, 5.0, 100.0}) {
    const std::uint64_t scale = std::uint64_t{1} << 46;
    const auto shift = static_cast<std::uint64_t>(epsilon * static_cast<double>(scale));
    const long double e = static_cast<long double>(shift) / static_cast<long double>(scale);
    for (const double omega : kOmegas) {
      const double bound = renyi_log_moment({Kind::pure, shift, scale}, omega);
      const long double alpha = 1.0L + omega;
      const long double exact =
          alpha * e < 100.0L
              ? std::log1p(std::expm1(alpha * e) * -std::expm1(-omega * e) / (1 + std::exp(e)))
              : log_sum(alpha * e, -omega * e) - log_sum(0.0L, e);
      expect_tight(bound, exact, 1e-12);
    }
  }
}

TEST(RenyiMoment, OfASplitShiftIsNotAboveThatOfTheWholeShift) {
  // A vector release declares the l1 norm of its shift alone.
  for (const double omega : {0.1, 1.0, 5.0, 60.0}) {
    for (std::uint64_t k = 1; k < 12; ++k) {
      const auto moment = [&](std::uint64_t shift) {
        return renyi_log_moment({Kind::discrete_laplace, shift, 4}, omega);
      };
      EXPECT_LE(moment(k) + moment(12 - k), moment(12) + 1e-12);
    }
  }
}

TEST(RenyiMoment, IsFiniteAndOrderedOverTheWholeBox) {
  for (const Kind kind :
       {Kind::pure, Kind::bounded_range, Kind::discrete_laplace, Kind::discrete_gaussian}) {
    for (const double ratio : {1e-9, 1e-5, 0.01, 1.0, 100.0}) {
      const auto shift = static_cast<std::uint64_t>(ratio * 0x1p44) + 1;
      for (const double omega : kOmegas) {
        const double moment = renyi_log_moment({kind, shift, std::uint64_t{1} << 44}, omega);
        EXPECT_TRUE(std::isfinite(moment) && moment >= 0.0);
        const double more = renyi_log_moment({kind, 2 * shift, std::uint64_t{1} << 44}, omega);
        EXPECT_GE(more, moment * (1 - 1e-12)) << ratio << " " << omega;
        if (kind != Kind::discrete_gaussian) {
          EXPECT_LE(moment, omega * (ratio + 1e-11) * (1 + 1e-6) + 1e-300);
        }
      }
    }
  }
}

TEST(RenyiEpsilon, IsItsMomentsConvertedAtItsOrderRoundedUp) {
  for (const double delta : {1e-12, 1e-6, 1e-2}) {
    for (const std::uint64_t count : {1u, 40u}) {
      const Cost range{Kind::bounded_range, 1, 7};
      const Cost gauss{Kind::discrete_gaussian, 1, 11};
      Composition composition;
      composition.add(range, count);
      composition.add(gauss, 3 * count);
      const RenyiBound bound = renyi_epsilon(composition, delta);
      const long double alpha = bound.order;
      const long double moments =
          static_cast<long double>(count) *
          (renyi_log_moment(range, bound.order - 1.0) +
           3.0L * static_cast<long double>(renyi_log_moment(gauss, bound.order - 1.0)));
      const long double exact =
          (moments - std::log(static_cast<long double>(delta) * alpha)) / (alpha - 1.0L) +
          std::log1p(-1.0L / alpha);
      // the order is given as 1 + omega, rounded
      EXPECT_GE(static_cast<long double>(bound.epsilon), exact * (1.0L - 4e-16L / (alpha - 1.0L)));
      EXPECT_LE(static_cast<long double>(bound.epsilon), exact * (1.0L + 1e-12L));
    }
  }
}

TEST(RenyiEpsilon, SearchesOrdersFarEnough) {
  // privacy.md: the best order is 953 at (1, 1e-6, T = 1) and 22 000 at (8, 1e-9, T = 1).
  Composition one;
  one.add({Kind::bounded_range, 80168, 100000});
  one.add({Kind::discrete_laplace, 20042, 100000});
  EXPECT_NEAR(renyi_epsilon(one, 1e-6).order, 953, 30);
  Composition eight;
  eight.add({Kind::bounded_range, 64, 10});
  eight.add({Kind::discrete_laplace, 16, 10});
  EXPECT_GT(renyi_epsilon(eight, 1e-9).order, 1e4);
  EXPECT_EQ(renyi_epsilon(one, 0.0).epsilon, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace southwell::privacy
