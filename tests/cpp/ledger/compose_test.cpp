#include "southwell/ledger/compose.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"
#include "southwell/ledger/outlook.hpp"

namespace southwell::ledger {
namespace {

TEST(Compose, SaysLessForAPlanThanForAFilter) {
  const model::Statement look = gaussian_look(8000);
  const Together together = compose({{"a", look}, {"b", look}, {"c", look}}, std::nullopt);
  EXPECT_EQ(together.delta, 1e-6);
  EXPECT_LT(together.as_plan, together.as_filter);
  EXPECT_LT(together.as_filter, 3.0 * look.epsilon_spent);
  EXPECT_NEAR(together.as_plan,
              privacy::spent(gaussian_look(8000, 3).met_by_one_unit().front(), 1e-6).epsilon, 1e-9);
}

// What it says is what a ledger does.
TEST(Compose, IsTheBudgetOfALedgerThatAdmitsAllOfThem) {
  const model::Statement look = gaussian_look(8000);
  const Together together = compose({{"a", look}, {"b", look}, {"c", look}}, std::nullopt);
  for (const double factor : {1.001, 0.99}) {
    const Place place;
    const Ledger ledger = small_ledger(place, together.as_filter * factor);
    ledger.reserve("fit", look);
    ledger.reserve("fit", look);
    if (factor > 1.0) {
      EXPECT_NO_THROW(ledger.reserve("fit", look));
    } else {
      EXPECT_THROW(ledger.reserve("fit", look), BudgetError);
    }
  }
}

TEST(Compose, AddsUpPureEpsilonsWithoutDelta) {
  const Together together =
      compose({{"a", laplace_look(100)}, {"b", laplace_look(250)}}, std::nullopt);
  EXPECT_EQ(together.delta, 0.0);
  EXPECT_NEAR(together.as_filter, 0.35, 1e-9);
  EXPECT_NEAR(together.as_plan, 0.35, 1e-9);
  EXPECT_THROW(compose({{"a", laplace_look(100)}, {"b", gaussian_look(8000)}}, 0.0),
               CalibrationError);
}

TEST(Compose, RefusesWhatDoesNotGoTogether) {
  const model::Statement look = laplace_look(100);
  model::Statement other = look;
  other.relation = "add_or_remove_one";
  EXPECT_THROW(compose({{"a", look}, {"b", other}}, std::nullopt), InvalidArgument);
  other = look;
  other.unit = model::unit_called("patient");
  EXPECT_THROW(compose({{"a", look}, {"b", other}}, std::nullopt), InvalidArgument);
  other = look;
  model::settle_guarantee(other, {"seeded"});
  EXPECT_THROW(compose({{"a", other}}, std::nullopt), InvalidArgument);
  other = look;
  other.mechanisms.front().run = model::kEveryRun;
  other.runs = privacy::RunLaw::poisson(12.0);
  EXPECT_THROW(compose({{"a", other}}, std::nullopt), InvalidArgument);
  EXPECT_THROW(compose({}, std::nullopt), InvalidArgument);
  EXPECT_THROW(compose({{"a", look}}, 1.0), InvalidArgument);
}

TEST(Outlook, IsTheLargestThatWouldBeAdmitted) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  EXPECT_EQ(outlook(ledger.state(), 1e-6).whole, 1.0);
  ledger.reserve("fit", gaussian_look(8000));
  const Outlook left = outlook(ledger.state(), 1e-6);
  EXPECT_EQ(left.whole, 0.0);
  EXPECT_GT(left.gaussian, 0.1);
  EXPECT_LT(left.gaussian, 1.0);
  // One just below is admitted, one just above is not.
  const auto gaussian_of = [](double epsilon) {
    std::uint64_t scale = 1000;
    while (gaussian_look(scale).epsilon_spent > epsilon) scale += 5;
    return gaussian_look(scale);
  };
  EXPECT_THROW(ledger.reserve("fit", gaussian_of(1.01 * left.gaussian)), BudgetError);
  EXPECT_NO_THROW(ledger.reserve("fit", gaussian_of(0.99 * left.gaussian)));
  EXPECT_LT(outlook(ledger.state(), 1e-6).gaussian, 0.2);
}

TEST(Outlook, CountsFitsThatWouldBeAdmitted) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  EXPECT_EQ(admitted_fits(ledger.state(), {0.1001, 0.0}), 9u);
  EXPECT_EQ(admitted_fits(ledger.state(), {0.0999, 0.0}), 10u);
  const std::uint64_t gaussian = admitted_fits(ledger.state(), {0.1, 1e-6});
  EXPECT_GT(gaussian, 20u) << "Gaussian noise adds up more slowly than epsilon";
  ledger.reserve("fit", gaussian_look(4400));
  EXPECT_EQ(admitted_fits(ledger.state(), {0.1, 1e-6}), 0u);
}

}  // namespace
}  // namespace southwell::ledger
