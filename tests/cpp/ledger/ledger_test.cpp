#include "southwell/ledger/ledger.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <vector>

#include "ledger/looks.hpp"
#include "southwell/core/error.hpp"
#include "southwell/ledger/ledger_text.hpp"

namespace southwell::ledger {
namespace {

/// What a reader of the file complains about; nothing if it is in order.
std::string complaint(const std::filesystem::path& file) {
  try {
    verify(Ledger(file).state(), "people");
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

TEST(Ledger, IsAFileForItsOwnerThatIsNeverReplaced) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  struct stat status{};
  ASSERT_EQ(stat(place.file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  const std::string before = read(place.file());
  EXPECT_THROW(small_ledger(place, 5.0), DataError);
  EXPECT_EQ(read(place.file()), before);
  EXPECT_EQ(ledger.state().terms().id.size(), 32u);
}

TEST(Ledger, HasAnIdOfItsOwnAndNoTime) {
  const Place place;
  const Place other;
  EXPECT_NE(small_ledger(place).state().terms().id, small_ledger(other).state().terms().id);
  const Ledger ledger(place.file());
  ledger.commit(ledger.reserve("fit", laplace_look(100)));
  const std::string text = read(place.file());
  for (const char* const word : {"time", "date", "rows", "records", "host", "path", "user"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(Ledger, RefusesTermsThatAreNone) {
  const Place place;
  const auto made = [&](const NewLedger& asked) { Ledger::create(place.file(), asked); };
  EXPECT_THROW(made({.epsilon = 0.0, .delta = 1e-6}), InvalidArgument);
  EXPECT_THROW(made({.epsilon = 1.0, .delta = 1.0}), InvalidArgument);
  EXPECT_THROW(made({.epsilon = 1.0, .delta = 1e-6, .relation = "swap"}), InvalidArgument);
  EXPECT_THROW(made({.epsilon = 1.0, .delta = 1e-6, .unit = ""}), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(place.file()));
}

TEST(Ledger, AdmitsWhatFitsAndNothingElse) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  for (int k = 0; k < 10; ++k) ledger.commit(ledger.reserve("fit", laplace_look(99)));
  const std::string before = read(place.file());
  EXPECT_THROW(ledger.reserve("fit", laplace_look(11)), BudgetError);
  EXPECT_EQ(read(place.file()), before);
  EXPECT_NO_THROW(ledger.reserve("fit", laplace_look(9)));
}

TEST(Ledger, CountsAReservationWithoutACommit) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  for (int k = 0; k < 10; ++k) ledger.reserve("fit", laplace_look(99));
  EXPECT_THROW(ledger.reserve("fit", laplace_look(99)), BudgetError);
  EXPECT_NEAR(ledger.state().filter().spent().pure, 0.99, 1e-9);
}

TEST(Ledger, IsClosedByOneEntryThatTakesAllOfIt) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  // Its certificate keeps (1, 1e-6), its Renyi divergence at the one order does not.
  const model::Statement whole = gaussian_look(4400);
  ASSERT_LE(whole.epsilon_spent, 1.0);
  ASSERT_FALSE(ledger.state().filter().admits(
      spend_of({{"", 1, 1, whole.mechanisms}}, ledger.state().terms().filter.order)));
  EXPECT_EQ(ledger.reserve("fit", whole).entry.admission, Admission::whole);
  EXPECT_TRUE(ledger.state().is_closed());
  EXPECT_THROW(ledger.reserve("fit", laplace_look(1)), BudgetError);
}

// The certificate of all entries together is no filter: beside another entry it admits nothing.
TEST(Ledger, AddsUpNoProfiles) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  const model::Statement first = gaussian_look(6200);
  const model::Statement second = gaussian_look(6300);
  EXPECT_EQ(ledger.reserve("fit", first).entry.admission, Admission::filter);
  ASSERT_LE(certified({{"", 1, 1, first.mechanisms}, {"", 1, 1, second.mechanisms}}, 1e-6).epsilon,
            1.0);
  EXPECT_THROW(ledger.reserve("fit", second), BudgetError);
}

TEST(Ledger, RefusesAnotherRelationUnitAndWhatHasNoGuarantee) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  model::Statement other = laplace_look(100);
  other.relation = "add_or_remove_one";
  EXPECT_THROW(ledger.reserve("fit", other), InvalidArgument);
  other = laplace_look(100);
  other.unit = model::unit_called("patient");
  EXPECT_THROW(ledger.reserve("fit", other), InvalidArgument);
  other = laplace_look(100);
  model::settle_guarantee(other, {"seeded"});
  EXPECT_THROW(ledger.reserve("fit", other), InvalidArgument);
  EXPECT_TRUE(ledger.state().entries().empty());
}

// Mechanisms of one run are not what a secret number of runs costs.
TEST(Ledger, RefusesTheBestOfASecretNumberOfRuns) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  model::Statement tuned = laplace_look(100);
  tuned.mechanisms.front().run = model::kEveryRun;
  tuned.runs = privacy::RunLaw::poisson(12.0);
  EXPECT_THROW(ledger.reserve("tune", tuned), InvalidArgument);
  EXPECT_TRUE(ledger.state().entries().empty());
  Entry entry = ledger.reserve("fit", laplace_look(100)).entry;
  entry.looks.front().mechanisms.front().run = model::kEveryRun;
  const std::string first = read(place.file());
  write(place.file(), first + entry_line(entry, ledger.state().last_hash()).text);
  EXPECT_NE(complaint(place.file()).find("secret number of runs"), std::string::npos);
}

// An outcome of the look itself decides for one of two plans: the dearer one is charged.
TEST(Ledger, ChargesTheDearerOfTwoPlans) {
  const model::Statement cheap = gaussian_look(9000);
  const model::Statement dear = gaussian_look(8000);
  model::Statement look = dear;
  look.mechanisms.front().plan = "gcd";
  look.mechanisms.push_back(cheap.mechanisms.front());
  look.mechanisms.back().plan = "sgd";
  const auto spend = [](const model::Statement& one) {
    return spend_of({{"fit", 1.0, 1e-6, one.mechanisms}}, 20.0).renyi;
  };
  EXPECT_LT(spend(cheap), spend(dear));
  EXPECT_EQ(spend(look), spend(dear));
}

TEST(Ledger, RefusesTermsUnderARelationThatIsNone) {
  const Place place;
  Terms terms = small_ledger(place).state().terms();
  terms.relation = "replace_one\x1b[31m";
  write(place.file(), terms_line(terms).text);
  EXPECT_THROW(Ledger(place.file()), DataError);
}

TEST(Ledger, RefusesAnEntryOfAnotherRelationOrUnitInItsFile) {
  const Place place;
  const Place elsewhere;
  small_ledger(place);
  for (const NewLedger& asked :
       {NewLedger{.epsilon = 1.0, .delta = 1e-6, .relation = "add_or_remove_one"},
        NewLedger{.epsilon = 1.0, .delta = 1e-6, .unit = "patient"}}) {
    std::filesystem::remove(elsewhere.file());
    const Ledger other = Ledger::create(elsewhere.file(), asked);
    model::Statement look = laplace_look(100);
    look.relation = asked.relation;
    if (asked.unit != "record") look.unit = model::unit_called(asked.unit);
    Entry entry = other.reserve("fit", look).entry;
    // With a hash that fits: as somebody would write it who knows how.
    const std::string first = read(place.file());
    const std::string hash = Ledger(place.file()).state().last_hash();
    write(place.file(), first + entry_line(entry, hash).text);
    EXPECT_NE(complaint(place.file()), "") << asked.relation << asked.unit;
    write(place.file(), first);
  }
}

TEST(Ledger, FindsEveryChangeOfItsFile) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  for (const std::uint64_t cost : {100u, 200u, 300u}) {
    ledger.commit(ledger.reserve("fit", laplace_look(cost)));
  }
  const std::string text = read(place.file());
  ASSERT_EQ(complaint(place.file()), "");
  for (std::size_t at = 0; at < text.size(); at += 7) {  // in every line, in every part of it
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    write(place.file(), changed);
    EXPECT_NE(complaint(place.file()), "") << at;
  }
  const std::vector<std::string> lines = lines_of(text);
  const auto expect_found = [&](std::vector<std::string> changed, const char* how) {
    std::string all;
    for (const std::string& line : changed) all += line;
    write(place.file(), all);
    EXPECT_NE(complaint(place.file()), "") << how;
  };
  for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
    expect_found(changed, "a line was taken out");
    changed = lines;
    std::swap(changed[k], changed[k + 1]);
    expect_found(changed, "lines were swapped");
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k), lines[k]);
    expect_found(changed, "a line is there twice");
  }
  write(place.file(), text.substr(0, text.size() - 1));
  EXPECT_NE(complaint(place.file()), "") << "cut off";
  write(place.file(), "");
  EXPECT_NE(complaint(place.file()), "") << "empty";
}

TEST(Ledger, FindsTwoLedgersThatWereMerged) {
  const Place place;
  const Place elsewhere;
  const Ledger one = small_ledger(place);
  const Ledger other = small_ledger(elsewhere);
  one.reserve("fit", laplace_look(100));
  other.reserve("fit", laplace_look(100));
  const std::vector<std::string> lines = lines_of(read(elsewhere.file()));
  write(place.file(), read(place.file()) + read(elsewhere.file()));
  EXPECT_NE(complaint(place.file()), "");
  write(place.file(), lines_of(read(place.file()))[0] + lines[1]);
  EXPECT_NE(complaint(place.file()), "");
}

TEST(Ledger, FindsItsOlderCopyThroughAModel) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  const model::Statement look = laplace_look(100);
  ledger.commit(ledger.reserve("fit", look));
  const std::string older = read(place.file());
  const Reservation second = ledger.reserve("fit", look);
  const model::LinearModel model = model_of(second, look);
  EXPECT_NO_THROW(verify(ledger.state(), model, "people", "model"));
  write(place.file(), older);
  EXPECT_THROW(verify(ledger.state(), model, "people", "model"), DataError);
  // Continued by the very same fit, it has another entry.
  ledger.reserve("fit", look);
  EXPECT_THROW(verify(ledger.state(), model, "people", "model"), DataError);
}

TEST(Ledger, FindsAModelOfAnotherLedgerOrWithLessThanWasCharged) {
  const Place place;
  const Place elsewhere;
  const model::Statement look = laplace_look(100);
  const Ledger ledger = small_ledger(place);
  const Reservation own = ledger.reserve("fit", look);
  const Reservation foreign = small_ledger(elsewhere).reserve("fit", look);
  EXPECT_THROW(verify(ledger.state(), model_of(foreign, look), "people", "model"), DataError);
  EXPECT_THROW(verify(ledger.state(), model_of(own, laplace_look(50)), "people", "model"),
               DataError);
  model::LinearModel without = model_of(own, look);
  without.attachments.ledger_entry.clear();
  EXPECT_THROW(verify(ledger.state(), without, "people", "model"), DataError);
}

TEST(Ledger, FindsACostThatIsLessThanThatOfTheMechanisms) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  Entry entry = ledger.state().admitted("fit", laplace_look(100), "00").entry;
  entry.spend.renyi /= 2.0;
  const std::string first = read(place.file());
  write(place.file(), first + entry_line(entry, ledger.state().last_hash()).text);
  EXPECT_NE(complaint(place.file()), "");
}

TEST(Ledger, CommitsAReservationOnceAndOnlyItsOwn) {
  const Place place;
  const Place elsewhere;
  const Ledger ledger = small_ledger(place);
  const Reservation one = ledger.reserve("fit", laplace_look(100));
  ledger.commit(one);
  EXPECT_TRUE(ledger.state().entries().at(0).is_committed);
  EXPECT_THROW(ledger.commit(one), DataError);
  const Ledger other = small_ledger(elsewhere);
  EXPECT_THROW(other.commit(one), DataError);
}

// A line that no reading takes would close the ledger for good.
TEST(Ledger, WritesNothingThatItCannotReadAgain) {
  const Place place;
  const Ledger ledger = small_ledger(place);
  const std::string before = read(place.file());
  const std::string name(std::size_t{5} << 20, 'x');
  EXPECT_THROW(ledger.plan({{name, laplace_look(100)}}), DataError);
  EXPECT_THROW(ledger.reserve(name, laplace_look(100)), DataError);
  EXPECT_EQ(read(place.file()), before);
  EXPECT_NO_THROW(ledger.reserve("fit", laplace_look(100)));
}

}  // namespace
}  // namespace southwell::ledger
