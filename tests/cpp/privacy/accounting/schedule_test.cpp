#include "southwell/privacy/accounting/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privacy/accounting/level.hpp"
#include "southwell/core/error.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"

namespace southwell::privacy {
namespace {

using testing::level;

TEST(Calibration, KeepsTheShare) {
  for (const double share : {0.2, 0.5, 0.9}) {
    const auto laplace =
        calibrate(gcd_schedule({.iterations = 10, .share = share}), {1.0, 1e-6}).costs;
    EXPECT_NEAR(level(laplace[0]) / (level(laplace[0]) + level(laplace[1])), share, 1e-5);
    const auto gauss =
        calibrate(gcd_schedule({.iterations = 10, .release = Release::gaussian, .share = share}),
                  {1.0, 1e-6})
            .costs;
    const double rho_selection = std::pow(level(gauss[0]), 2) / 8;
    const double rho_release = std::pow(level(gauss[1]), 2) / 2;
    EXPECT_NEAR(rho_selection / (rho_selection + rho_release), share, 1e-5);
  }
}

TEST(Calibration, ServesTheOtherSolvers) {
  for (const Relation relation : {Relation::replace_one, Relation::add_or_remove_one}) {
    for (const std::uint64_t iterations : {1u, 30u, 1000u}) {
      for (const Release release : {Release::laplace, Release::gaussian}) {
        const Calibrated cd = calibrate(
            cd_schedule({.iterations = iterations, .relation = relation, .release = release}),
            {1.0, 1e-6});
        EXPECT_LE(cd.spent.epsilon, 1.0);
        EXPECT_GE(cd.spent.epsilon, 0.999);
      }
      for (const double rate : {0.001, 0.05, 1.0}) {
        const Calibrated sgd =
            calibrate(sgd_schedule({.iterations = iterations,
                                    .sampled = static_cast<std::uint64_t>(rate * 0x1p32),
                                    .relation = relation}),
                      {2.0, 1e-6});
        EXPECT_LE(sgd.spent.epsilon, 2.0);
        EXPECT_GE(sgd.spent.epsilon, 0.999 * 2.0) << iterations << " " << rate;
        EXPECT_EQ(sgd.spent.accountant, Accountant::rdp);
      }
    }
  }
}

TEST(Calibration, ServesUnevenSchedules) {
  const std::vector<double> schedule{4.0, 2.0, 1.0, 1.0, 0.5};
  const Schedule plan = gcd_schedule({.iterations = 5, .share = 0.7, .factors = schedule});
  ASSERT_EQ(plan.size(), 10u);
  const Calibrated found = calibrate(plan, {1.0, 1e-6});
  EXPECT_LE(found.spent.epsilon, 1.0);
  EXPECT_GE(found.spent.epsilon, 0.999);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_NEAR(level(found.costs[2 * t]) / level(found.costs[4]), schedule[t], 1e-5);
    EXPECT_NEAR(level(found.costs[2 * t + 1]) / level(found.costs[2 * t]), 3.0 / 7.0, 1e-5);
  }
  EXPECT_EQ(found.composition.events().size(), 8u);  // two iterations are alike
  const std::vector<double> even(5, 1.0);
  EXPECT_EQ(calibrate(gcd_schedule({.iterations = 5, .share = 0.7, .factors = even}), {1.0, 1e-6})
                .costs.front(),
            calibrate(gcd_schedule({.iterations = 5, .share = 0.7}), {1.0, 1e-6}).costs.front());
}

TEST(Calibration, ServesRounds) {
  const std::vector<RoundsScheduleOptions::Releases> releases{{6, 0.1}, {30, 0.3}};
  for (const Relation relation : {Relation::replace_one, Relation::add_or_remove_one}) {
    const Schedule plan = rounds_schedule(
        {.selections = 8, .share = 0.6, .releases = releases, .relation = relation});
    const std::uint64_t sensitivity =
        relation == Relation::replace_one ? std::uint64_t{2} << 20 : std::uint64_t{1} << 20;
    ASSERT_EQ(plan.size(), 3u);
    EXPECT_EQ(plan[0].shift, 2 * sensitivity);
    EXPECT_EQ(plan[1].shift, sensitivity);
    const Calibrated found = calibrate(plan, {1.0, 1e-6});
    EXPECT_LE(found.spent.epsilon, 1.0);
    EXPECT_GE(found.spent.epsilon, 0.999);
    const auto rho = [&](std::size_t k) {
      return std::pow(level(found.costs[k]), 2) * static_cast<double>(plan[k].count) /
             (k == 0 ? 8.0 : 2.0);
    };
    EXPECT_NEAR(rho(0) / rho(2), 2.0, 1e-4);
    EXPECT_NEAR(rho(1) / rho(2), 1.0 / 3.0, 1e-4);
    Composition done;
    done.add(found.costs[0], 8);
    done.add(found.costs[1], 6);
    done.add(found.costs[2], 30);
    EXPECT_EQ(done, found.composition);
  }
  const Schedule alone = rounds_schedule({.selections = 0, .releases = releases});
  EXPECT_EQ(alone.size(), 2u);
  EXPECT_THROW(rounds_schedule({.selections = 1, .share = 1.0, .releases = releases}),
               InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy
