#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/pooled_scale.hpp"

namespace southwell::ledger {
namespace {

data::Dataset some_records() {
  std::vector<fit::Record> records;
  for (int k = 0; k < 20; ++k) {
    records.push_back({static_cast<double>(k % 5), static_cast<double>(k % 3), k % 2 - 0.5});
  }
  return fit::dataset_of(records, 2, fit::Stored::f64);
}

TEST(ChargedFit, HasItsReservationInTheFileFromItsFirstStepOn) {
  const Place place;
  const Ledger ledger = small_ledger(place, 3.0);
  const auto seen = [&] { return ledger.state().entries(); };
  int steps = 0;
  fit::RunOptions options;
  options.ledger = place.file().string();
  options.progress = [&](double) {
    ++steps;
    ASSERT_EQ(seen().size(), 1u);
    EXPECT_FALSE(seen()[0].is_committed);
  };
  const model::LinearModel model =
      fit::fit(some_records(), fit::small_spec("squared"), std::move(options));
  EXPECT_GT(steps, 0);
  EXPECT_TRUE(seen().at(0).is_committed);
  EXPECT_NO_THROW(verify(ledger.state(), model, "people", "model"));
}

TEST(ChargedFit, ThatIsStoppedHasSpentItsBudget) {
  const Place place;
  const Ledger ledger = small_ledger(place, 3.0);
  fit::RunOptions options;
  options.ledger = place.file().string();
  options.progress = [](double) { throw std::runtime_error("stopped"); };
  EXPECT_THROW(fit::fit(some_records(), fit::small_spec("squared"), std::move(options)),
               std::runtime_error);
  EXPECT_GT(ledger.state().filter().spent().renyi, 0.0);
  EXPECT_FALSE(ledger.state().entries().at(0).is_committed);
}

TEST(ChargedFit, OfAnotherFormLeavesTheLedgerAlone) {
  const Place place;
  const Ledger ledger = small_ledger(place, 3.0);
  const fit::FitPlan plan =
      fit::plan_fit(fit::small_spec("squared"), fit::DataShape::of(some_records()));
  data::Dataset other = some_records();
  other.target.pop_back();
  EXPECT_THROW(fit::fit(other, plan, {.ledger = place.file().string()}), DataError);
  EXPECT_TRUE(ledger.state().entries().empty());
}

TEST(ChargedFit, BeyondTheBudgetNeverLooksAtARecord) {
  const Place place;
  small_ledger(place, 0.5);
  int steps = 0;
  fit::RunOptions options;
  options.ledger = place.file().string();
  options.progress = [&](double) { ++steps; };
  EXPECT_THROW(fit::fit(some_records(), fit::small_spec("squared"), std::move(options)),
               BudgetError);
  EXPECT_EQ(steps, 0);
}

TEST(ChargedScale, IsInTheFileOnceAndRefusedBeyondTheBudget) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  const std::vector<double> sizes(1000, 100.0);
  const std::optional<std::string> file = place.file().string();
  const fit::PooledScale scale({.epsilon = 0.7}, {.records = sizes.size()});
  const fit::FoundScale found = scale.find(sizes, std::nullopt, file);
  EXPECT_EQ(found.scale, 128.0);
  ASSERT_EQ(ledger.state().entries().size(), 1u);
  EXPECT_TRUE(ledger.state().entries()[0].is_committed);
  EXPECT_EQ(ledger.state().entries()[0].looks[0].name, "scale");
  EXPECT_NE(found.ledger.find(ledger.state().terms().id), std::string::npos);
  EXPECT_EQ(scale.statement(found.scale, found.ledger).ledger, found.ledger);
  EXPECT_THROW(scale.find(sizes, std::nullopt, file), BudgetError);
  EXPECT_THROW(scale.find(std::vector<double>(999, 100.0), std::nullopt, file), DataError);
  EXPECT_EQ(ledger.state().entries().size(), 1u);
  EXPECT_EQ(scale.find(sizes), 128.0) << "without a ledger as before";
}

}  // namespace
}  // namespace southwell::ledger
