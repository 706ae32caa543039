#include "southwell/audit/known_attack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::audit {
namespace {

using privacy::Accountant;
using privacy::Composition;
using privacy::Cost;
using Kind = privacy::Cost::Kind;

constexpr std::uint64_t kUnit = 1 << 20;

Composition of(Kind kind, double ratio, std::uint64_t count, double rate = 0.0) {
  Composition out;
  out.add({kind, kUnit, static_cast<std::uint64_t>(kUnit / ratio),
           static_cast<std::uint64_t>(rate * 4294967296.0)},
          count);
  return out;
}

TEST(KnownAttack, IsBelowEveryCertifiedCostAndNotFarBelow) {
  for (const double delta : {1e-3, 1e-6, 1e-9}) {
    for (const std::uint64_t count : {1u, 3u, 20u, 200u}) {
      const double size = 0.5 / std::sqrt(static_cast<double>(count));
      for (const Kind kind :
           {Kind::pure, Kind::bounded_range, Kind::discrete_laplace, Kind::discrete_gaussian}) {
        const Composition events = of(kind, size, count);
        const double claimed = privacy::spent(events, delta).epsilon;
        const double found = known_attack(events, delta);
        EXPECT_LE(found, claimed * (1.0 + kAttackError)) << static_cast<int>(kind) << " " << count;
        EXPECT_GE(found, 0.4 * claimed) << static_cast<int>(kind) << " " << count << " " << delta;
      }
    }
  }
}

TEST(KnownAttack, OfGaussianNoiseIsTheExactCost) {
  for (const std::uint64_t count : {1u, 7u}) {
    const Composition events = of(Kind::discrete_gaussian, 0.3, count);
    const double exact = privacy::epsilon_by(Accountant::hockey_stick, events, 1e-6);
    EXPECT_NEAR(known_attack(events, 1e-6), exact, 1e-3 * exact);
  }
}

TEST(KnownAttack, OfLaplaceNoiseIsThatOfTheComposedLosses) {
  const Composition events = of(Kind::discrete_laplace, 0.1, 40);
  const double exact = privacy::epsilon_by(Accountant::pld, events, 1e-6);
  EXPECT_NEAR(known_attack(events, 1e-6), exact, 0.01 * exact);
}

TEST(KnownAttack, OfSampledNoiseIsBelowItsCost) {
  for (const Kind kind : {Kind::sampled_gaussian_replace, Kind::sampled_gaussian_add_or_remove}) {
    const Composition events = of(kind, 0.5, 50, 0.05);
    const double claimed = privacy::spent(events, 1e-6).epsilon;
    EXPECT_LE(known_attack(events, 1e-6), claimed * (1.0 + kAttackError));
    EXPECT_GE(known_attack(events, 1e-6), 0.5 * claimed);
  }
}

TEST(KnownAttack, WithoutADeltaIsTheLargestLoss) {
  EXPECT_DOUBLE_EQ(known_attack(of(Kind::pure, 0.25, 4), 0.0), 1.0);
  EXPECT_TRUE(std::isinf(known_attack(of(Kind::discrete_gaussian, 0.25, 4), 0.0)));
}

TEST(KnownAttack, ShowsAnAccountantThatForgetsTheCount) {
  // What 20 uses cost, claimed to be the cost of one.
  const double one = privacy::spent(of(Kind::bounded_range, 0.2, 1), 1e-6).epsilon;
  EXPECT_GT(known_attack(of(Kind::bounded_range, 0.2, 20), 1e-6), one * (1.0 + kAttackError));
}

}  // namespace
}  // namespace southwell::audit
