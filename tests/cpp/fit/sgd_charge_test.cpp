// Whatever is asked of DP-SGD, its statement is not below the integrated divergence of the worst
// pair of neighbours.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "fit/small_data.hpp"
#include "privacy/accounting/renyi_excess.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::fit {
namespace {

/// (alpha - 1) D_alpha between (1-q) N(0,1) + q N(m,1) and the same with -m: the records of two
/// neighbours pull in opposite directions, m = K / sigma. The trapezoidal rule on an analytic
/// function: its error is far below what is compared.
long double integrated(long double q, long double m, long double alpha) {
  const auto log_density = [&](long double x, long double mean) {
    const long double far = m * x * (mean > 0 ? 1.0L : -1.0L) - 0.5L * m * m;
    return -0.5L * x * x + std::log1p(q * std::expm1(far));
  };
  constexpr long double kStep = 0.01L;
  const long double end = alpha * m + 14.0L;
  long double sum = 0.0L;
  for (long double x = -end; x <= end; x += kStep) {
    const long double p = log_density(x, 1.0L);
    const long double other = log_density(x, -1.0L);
    sum += std::exp(other) * privacy::testing::renyi_excess(alpha, p - other);
  }
  return std::log1p(sum * kStep / std::sqrt(2.0L * std::acos(-1.0L)));
}

TEST(SgdCharge, IsNotBelowTheIntegratedDivergenceOfTheWorstPair) {
  std::mt19937_64 random(20);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  for (int k = 0; k < 20; ++k) {
    FitSpec spec = small_spec("squared");
    spec.solver = "sgd";
    const auto records = static_cast<std::uint64_t>(std::exp(uniform(4.0, 12.0)));
    spec.batch_size = std::max<std::uint64_t>(
        1,
        static_cast<std::uint64_t>(static_cast<double>(records) * std::exp(uniform(-7.0, -0.05))));
    spec.iterations = static_cast<std::uint64_t>(std::exp(uniform(0.0, 8.0)));
    spec.epsilon = std::exp(uniform(-2.0, 2.0));
    spec.delta = std::pow(10.0, uniform(-9.0, -4.0));
    const Statement statement =
        plan_fit(
            spec,
            {.records = records, .features = 3, .features_counted = false, .feature_names = {}})
            ->statement;
    const privacy::Cost& cost = statement.mechanisms.at(0).cost;
    ASSERT_EQ(cost.kind, privacy::Cost::Kind::sampled_gaussian_replace);
    const privacy::Spent spent = privacy::spent(statement.composition(), *spec.delta);
    ASSERT_EQ(spent.epsilon, statement.epsilon_spent);
    const long double q = static_cast<long double>(cost.sampled) * 0x1p-32L;
    const long double m =
        static_cast<long double>(cost.shift) / static_cast<long double>(cost.scale);
    const long double alpha = spent.order;
    const long double moments =
        static_cast<long double>(statement.iterations) * integrated(q, m, alpha);
    const long double epsilon =
        (moments - std::log(static_cast<long double>(*spec.delta) * alpha)) / (alpha - 1.0L) +
        std::log1p(-1.0L / alpha);
    EXPECT_GE(spent.epsilon, static_cast<double>(epsilon) * (1.0 - 1e-12))
        << "q " << static_cast<double>(q) << ", sigma / K " << static_cast<double>(1.0L / m)
        << ", T " << statement.iterations << ", order " << spent.order;
    EXPECT_LE(spent.epsilon, static_cast<double>(epsilon) * 1.001) << "and not far above";
  }
}

}  // namespace
}  // namespace southwell::fit
