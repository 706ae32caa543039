#include <gtest/gtest.h>

#include <string>

#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"
#include "southwell/ledger/ledger.hpp"
#include "southwell/ledger/ledger_text.hpp"

namespace southwell::ledger {
namespace {

TEST(LedgerPlan, IsChargedOnceAndAdmitsEachMemberOnce) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  const model::Statement spring = gaussian_look(6200);
  const model::Statement autumn = gaussian_look(6300);
  // Together more than the filter admits, and within the certificate: the plan takes all of it.
  const Reservation plan = ledger.plan({{"spring", spring}, {"autumn", autumn}});
  EXPECT_EQ(plan.entry.admission, Admission::whole);
  const Reservation first = ledger.reserve("fit", autumn);
  EXPECT_EQ(first.entry.admission, Admission::plan);
  EXPECT_EQ(first.entry.member, 1u);
  ledger.commit(first);
  EXPECT_THROW(ledger.reserve("fit", autumn), BudgetError);
  EXPECT_EQ(ledger.reserve("fit", spring).entry.member, 0u);
  EXPECT_THROW(ledger.reserve("fit", laplace_look(1)), BudgetError);
  EXPECT_NO_THROW(verify(ledger.state(), "people"));
}

// A member costs nothing any more: what takes its place has to be what was charged.
TEST(LedgerPlan, RefusesAMemberInItsFileThatCostsMoreThanWasPlanned) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  ledger.plan({{"spring", laplace_look(200)}});
  Entry entry = ledger.state().admitted("fit", laplace_look(200), "00").entry;
  ASSERT_EQ(entry.admission, Admission::plan);
  entry.looks.front().mechanisms = laplace_look(900).mechanisms;
  const std::string first = read(place.file());
  write(place.file(), first + entry_line(entry, ledger.state().last_hash()).text);
  EXPECT_THROW(Ledger(place.file()), DataError);
}

TEST(LedgerPlan, AmongOtherEntriesCostsTheSumOfItsMembers) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  ledger.reserve("fit", laplace_look(100));
  const Reservation plan =
      ledger.plan({{"spring", laplace_look(200)}, {"autumn", laplace_look(300)}});
  EXPECT_EQ(plan.entry.admission, Admission::filter);
  EXPECT_NEAR(plan.entry.spend.pure, 0.5, 1e-9);
  EXPECT_NEAR(ledger.state().filter().spent().pure, 0.6, 1e-9);
  ledger.reserve("fit", laplace_look(200));
  EXPECT_NEAR(ledger.state().filter().spent().pure, 0.6, 1e-9) << "a member is charged already";
  EXPECT_THROW(ledger.plan({}), InvalidArgument);
}

}  // namespace
}  // namespace southwell::ledger
