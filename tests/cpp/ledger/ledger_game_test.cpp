#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ledger/looks.hpp"
#include "privacy/accounting/filter_game.hpp"
#include "southwell/core/error.hpp"
#include "southwell/ledger/ledger_state.hpp"
#include "southwell/ledger/ledger_text.hpp"

// The games of filter_test.cpp once more, against what a ledger admits: by the filter, as its only
// entry, or as members of a plan with which the adversary may begin.
namespace southwell::ledger {
namespace {

using privacy::Counts;
using privacy::Menu;

model::Statement randomised_response(std::uint64_t thousandths) {
  model::Statement statement = laplace_look(thousandths);
  statement.mechanisms.front().cost.kind = privacy::Cost::Kind::pure;
  statement.delta = 1e-6;
  model::settle_spent(statement);
  model::settle_guarantee(statement, {});
  return statement;
}

/// Texts of ledgers, by what was done with them: what was planned first, then so many of both.
class Ledgers {
 public:
  Ledgers(const privacy::Budget& budget, const Menu& menu)
      : looks_{randomised_response(menu[0]), randomised_response(menu[1])},
        empty_(terms_line({.id = "game",
                           .relation = "replace_one",
                           .unit = model::kOneRecord,
                           .filter = privacy::FilterTerms::of(budget)})
                   .text) {}

  bool admits(const Counts& planned, const Counts& used) { return text(planned, used).has_value(); }

 private:
  /// Nothing where no order of these is admitted: which of them comes first decides nothing, but
  /// that a look takes the whole budget only as the first.
  std::optional<std::string> text(const Counts& planned, const Counts& used) {
    const auto [place, is_new] = known_.try_emplace({planned, used});
    if (!is_new) return place->second;
    std::optional<std::string> found;
    if (used == Counts{0, 0}) {
      found = planned == Counts{0, 0} ? std::optional(empty_) : with_plan(planned);
    }
    for (std::size_t k = 0; k < looks_.size() && !found; ++k) {
      if (used[k] == 0) continue;
      Counts before = used;
      --before[k];
      if (const auto earlier = text(planned, before)) found = with_look(*earlier, looks_[k]);
    }
    return known_[{planned, used}] = found;
  }
  static std::optional<std::string> with_look(const std::string& text,
                                              const model::Statement& look) {
    try {
      return text + LedgerState(text, "game").admitted("fit", look, "00").line.text;
    } catch (const BudgetError&) {
      return std::nullopt;
    }
  }
  std::optional<std::string> with_plan(const Counts& planned) const {
    std::vector<std::pair<std::string, model::Statement>> members;
    for (std::size_t k = 0; k < looks_.size(); ++k) {
      for (int n = 0; n < planned[k]; ++n) members.emplace_back("member", looks_[k]);
    }
    try {
      return empty_ + LedgerState(empty_, "game").planned(members, "00").line.text;
    } catch (const BudgetError&) {
      return std::nullopt;
    }
  }

  std::vector<model::Statement> looks_;
  std::string empty_;
  std::map<std::pair<Counts, Counts>, std::optional<std::string>> known_;
};

/// The largest delta of whoever begins with this plan, or with none.
double largest_delta(Ledgers& ledgers, const privacy::Case& each, const Counts& planned) {
  privacy::Game game(each.budget.epsilon, each.menu,
                     [&](const Counts& used) { return ledgers.admits(planned, used); });
  return game.largest_delta();
}

TEST(LedgerGame, IsNotWonByAnyAdversaryByEnumeration) {
  double closest = 0.0;
  int plans = 0;
  for (const privacy::Case& each : privacy::kGames) {
    Ledgers ledgers(each.budget, each.menu);
    for (int a = 0; a <= 3; ++a) {
      for (int b = 0; b <= 2; ++b) {
        if (!ledgers.admits({a, b}, {0, 0})) continue;
        plans += a + b > 0 ? 1 : 0;
        const double delta = largest_delta(ledgers, each, {a, b});
        EXPECT_LE(delta, each.budget.delta) << each.budget.epsilon << " " << a << " " << b;
        closest = std::max(closest, delta / each.budget.delta);
      }
    }
  }
  EXPECT_GT(plans, 20);
  EXPECT_GT(closest, 0.5) << "the games say nothing: nobody came near to the promise";
  RecordProperty("games", plans + static_cast<int>(privacy::kGames.size()));
  RecordProperty("closest", std::to_string(closest));
}

}  // namespace
}  // namespace southwell::ledger
