#include "southwell/ledger/charge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"

namespace southwell::ledger {
namespace {

TEST(Charge, ReservesBeforeTheRecordsAndCommitsAfterThem) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  const model::Statement look = laplace_look(100);
  Charge charge(place.file().string(), "fit", look);
  ASSERT_EQ(ledger.state().entries().size(), 1u) << "on the disk before a record is used";
  EXPECT_FALSE(ledger.state().entries()[0].is_committed);
  model::LinearModel model;
  model.privacy = look;
  charge.commit(model);
  EXPECT_TRUE(ledger.state().entries()[0].is_committed);
  EXPECT_NE(model.privacy.ledger.find(ledger.state().terms().id), std::string::npos);
  EXPECT_NO_THROW(verify(ledger.state(), model, "people", "model"));
}

TEST(Charge, OfAFailureCountsAllTheSame) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  for (int k = 0; k < 10; ++k) {
    try {
      const Charge charge(place.file().string(), "fit", laplace_look(99));
      throw std::runtime_error("the fit failed");
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  EXPECT_NEAR(ledger.state().filter().spent().pure, 0.99, 1e-9);
  EXPECT_THROW(Charge(place.file().string(), "fit", laplace_look(99)), BudgetError);
}

TEST(Charge, RefusesToCommitMoreThanWasReserved) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  Charge charge(place.file().string(), "fit", laplace_look(100));
  model::Statement more = laplace_look(101);
  EXPECT_THROW(charge.commit(more), std::logic_error);
  EXPECT_FALSE(ledger.state().entries()[0].is_committed);
}

TEST(Charge, ToNoLedgerDoesNothing) {
  Charge charge(std::nullopt, "fit", laplace_look(100));
  model::LinearModel model;
  model.privacy = laplace_look(100);
  charge.commit(model);
  EXPECT_EQ(model.privacy.ledger, "none");
  EXPECT_TRUE(model.attachments.ledger_entry.empty());
}

TEST(Charge, SaysWhatTheLedgerDoesNotCover) {
  const Place place;
  small_ledger(place);
  model::Statement look = laplace_look(100);
  model::describe_cover(look);
  Charge charge(place.file().string(), "fit", look);
  charge.commit(look);
  const auto says = [&](const char* words) {
    return std::any_of(
        look.not_covered.begin(), look.not_covered.end(),
        [&](const std::string& item) { return item.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(says("outside the ledger"));
  EXPECT_FALSE(says("other fits on the same people"));
}

}  // namespace
}  // namespace southwell::ledger
