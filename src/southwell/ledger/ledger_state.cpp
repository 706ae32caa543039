#include "southwell/ledger/ledger_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::ledger {
namespace {

constexpr std::size_t kMostLines = 1000000;

[[noreturn]] void refuse(const std::string& name, const std::string& found,
                         const std::string& accepted) {
  throw DataError(name + ": " + found + "; accepted is " + accepted);
}

std::vector<privacy::Composition> met_by_one_unit(const std::vector<model::MechanismUse>& uses) {
  model::Statement all;
  all.mechanisms = uses;
  return all.met_by_one_unit();
}

Charged charged(const std::string& name, const model::Statement& statement) {
  return {.name = name,
          .epsilon = statement.epsilon,
          .delta = statement.delta,
          .mechanisms = statement.mechanisms};
}

}  // namespace

bool are_alike(const Charged& one, const Charged& other) {
  return met_by_one_unit(one.mechanisms) == met_by_one_unit(other.mechanisms);
}

privacy::Spend spend_of(const std::vector<Charged>& looks, double order) {
  const core::StandardFloatEnvironment standard;
  privacy::Spend all{0.0, 0.0, 0.0};
  for (const Charged& look : looks) {
    const privacy::Spend one = privacy::spend_of(met_by_one_unit(look.mechanisms), order);
    all = all.renyi == 0.0 ? one
                           : privacy::Spend{core::step_up(all.pure + one.pure),
                                            core::step_up(all.renyi + one.renyi), 0.0};
  }
  return all;
}

privacy::Spent certified(const std::vector<Charged>& looks, double delta) {
  const core::StandardFloatEnvironment standard;
  model::Statement all;
  for (std::size_t k = 0; k < looks.size(); ++k) {
    model::Statement one;
    one.mechanisms = looks[k].mechanisms;
    model::add_looks(all, one, "member" + std::to_string(k));
  }
  all.delta = delta;
  return all.spent();
}

LedgerState::LedgerState(const std::string& text, const std::string& name) : last_hash_(no_hash()) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    take(text.substr(begin, end - begin), name);
    begin = end;
  }
  if (next_ == 0) refuse(name, "an empty file", "a ledger as southwell ledger create makes it");
  if (!fault(Fault::ledger_refunds_failures)) return;
  filter_.emplace(terms_.filter);
  for (const Entry& entry : entries_) {
    if (entry.is_committed && entry.spend.renyi > 0.0) filter_->admit(entry.spend);
  }
}

void LedgerState::take(const std::string& line, const std::string& name) {
  const std::string where = name + ":" + std::to_string(next_ + 1);
  if (!line.ends_with('\n')) {
    refuse(where, "the last line is cut off",
           "whole lines; a run that was cut off while it wrote its line has used no record, so "
           "that the rest of it can be taken out by hand");
  }
  if (next_ == kMostLines) refuse(where, "too many lines", std::to_string(kMostLines));
  take(parsed_line(line.substr(0, line.size() - 1), where), where);
}

void LedgerState::take(const Parsed& line, const std::string& name) {
  const bool is_first = next_ == 0;
  if (is_first != (line.kind == Parsed::Kind::terms)) {
    refuse(name, is_first ? "no terms in the first line" : "terms of another ledger",
           "the terms in the first line, and nowhere else");
  }
  const bool follows = line.sequence == next_ && line.previous == last_hash_;
  if (!follows && !fault(Fault::ledger_chain_is_not_checked)) {
    refuse(name,
           "the line does not follow the one before it: lines were taken out, moved or merged",
           "every line in its place");
  }
  switch (line.kind) {
    case Parsed::Kind::terms:
      terms_ = line.terms;
      filter_.emplace(terms_.filter);
      break;
    case Parsed::Kind::entry:
      take_entry(line.entry, name);
      break;
    case Parsed::Kind::commit:
      take_commit(line.commit_of, name);
      break;
  }
  ++next_;
  last_hash_ = line.hash;
}

/// What must hold of an entry wherever it comes from: it is about these people in this sense.
void LedgerState::check_fits(const Entry& entry, const std::string& name) const {
  if (entry.relation != terms_.relation) {
    refuse(name, "an entry under " + core::printable(entry.relation), terms_.relation);
  }
  if (entry.unit != terms_.unit && !fault(Fault::ledger_unit_is_not_compared)) {
    refuse(name, "an entry whose unit is " + core::printable(entry.unit),
           core::printable(terms_.unit));
  }
  if (entry.looks.empty()) refuse(name, "a plan of nothing", "at least one member");
}

void LedgerState::take_entry(const Entry& entry, const std::string& name) {
  check_fits(entry, name);
  if (entry.admission == Admission::plan) {
    take_member(entry, name);
  } else if (is_closed_) {
    refuse(name, "an entry of a ledger that is closed", "members of its plan alone");
  } else if (entry.admission == Admission::whole) {
    if (!entries_.empty())
      refuse(name, "not the first entry, admitted as the only one", "the first");
    is_closed_ = true;
  } else if (!fault(Fault::ledger_adds_profiles)) {
    if (!filter_->admits(entry.spend)) {
      refuse(name, "an entry that passes the budget", "what the filter admits");
    }
    filter_->admit(entry.spend);
  }
  entries_.push_back(entry);
}

/// What was charged with the plan costs nothing now, so it has to be that.
void LedgerState::take_member(const Entry& entry, const std::string& name) {
  const Entry* const plan = find(entry.plan);
  if (entry.is_plan || plan == nullptr || !plan->is_plan || entry.member >= plan->looks.size() ||
      taken_.contains({entry.plan, entry.member})) {
    refuse(name, "a part of a plan that has none left for it", "every member of a plan once");
  }
  if (!are_alike(plan->looks[entry.member], entry.looks.at(0)) &&
      !fault(Fault::ledger_members_are_not_compared)) {
    refuse(name, "other mechanisms than those of the plan", "the same");
  }
  taken_.insert({entry.plan, entry.member});
}

void LedgerState::take_commit(std::uint64_t of, const std::string& name) {
  const std::size_t at = place_of(of);
  if (at == entries_.size() || entries_[at].is_plan || entries_[at].is_committed) {
    refuse(name, "a commit of entry " + std::to_string(of) + ", which waits for none",
           "one commit for a reservation");
  }
  entries_[at].is_committed = true;
}

/// Where the entry with this number is; beyond all of them if there is none.
std::size_t LedgerState::place_of(std::uint64_t sequence) const {
  const auto entry = std::lower_bound(
      entries_.begin(), entries_.end(), sequence,
      [](const Entry& each, std::uint64_t number) { return each.sequence < number; });
  if (entry == entries_.end() || entry->sequence != sequence) return entries_.size();
  return static_cast<std::size_t>(entry - entries_.begin());
}

const Entry* LedgerState::find(std::uint64_t sequence) const {
  const std::size_t at = place_of(sequence);
  return at == entries_.size() ? nullptr : &entries_[at];
}

/// The first member of a plan that is still to come and whose mechanisms are these.
bool LedgerState::join_plan(Entry& entry) const {
  for (const Entry& plan : entries_) {
    if (!plan.is_plan) continue;
    for (std::size_t k = 0; k < plan.looks.size(); ++k) {
      if (taken_.contains({plan.sequence, k}) || !are_alike(plan.looks[k], entry.looks.at(0))) {
        continue;
      }
      entry.admission = Admission::plan;
      entry.plan = plan.sequence;
      entry.member = k;
      entry.spend = {0.0, 0.0, 0.0};
      return true;
    }
  }
  return false;
}

std::string LedgerState::left_text() const {
  if (is_closed_) return "nothing: its one entry took all of the budget";
  const privacy::Spend& spent = filter_->spent();
  const auto left = [](double of, double used) {
    return core::rounded_text(std::max(0.0, of - used));
  };
  return "pure epsilon " + left(terms_.filter.budget.epsilon, spent.pure) +
         ", or Renyi divergence " + left(filter_->renyi_bound(), spent.renyi) + " at order " +
         core::number_text(terms_.filter.order);
}

/// Decides how the entry is admitted.
void LedgerState::admit(Entry& entry) const {
  if (!entry.is_plan && join_plan(entry)) return;
  entry.spend = spend_of(entry.looks, terms_.filter.order);
  const bool adds_profiles = fault(Fault::ledger_adds_profiles);
  if (!is_closed_ && !adds_profiles && filter_->admits(entry.spend)) {
    entry.admission = Admission::filter;
    return;
  }
  std::vector<Charged> together = entry.looks;
  if (adds_profiles) {
    for (const Entry& before : entries_) {
      together.insert(together.end(), before.looks.begin(), before.looks.end());
    }
  }
  const privacy::Budget& budget = terms_.filter.budget;
  if ((entries_.empty() || adds_profiles) &&
      certified(together, budget.delta).epsilon <= budget.epsilon) {
    entry.admission = adds_profiles ? Admission::filter : Admission::whole;
    return;
  }
  const std::string pure = std::isfinite(entry.spend.pure)
                               ? "pure epsilon " + core::rounded_text(entry.spend.pure)
                               : "no pure epsilon";
  throw BudgetError("ledger: what is asked costs " + pure + " and Renyi divergence " +
                    core::rounded_text(entry.spend.renyi) + "; left is " + left_text() +
                    ". Nothing was spent, and no record was used");
}

Admitted LedgerState::finished(Entry entry, const std::string& nonce) const {
  entry.sequence = next_;
  entry.relation = terms_.relation;
  entry.unit = terms_.unit;
  entry.nonce = nonce;
  admit(entry);
  Line line = entry_line(entry, last_hash_);
  entry.hash = line.hash;
  return {std::move(entry), std::move(line)};
}

void LedgerState::check_alike(const model::Statement& statement, const std::string& name) const {
  const auto refuse_as = [&](const std::string& given, const std::string& accepted) {
    throw InvalidArgument("ledger: " + core::printable(name) + " " + given + ", accepted is " +
                          accepted);
  };
  if (!statement.is_private || !(statement.epsilon_spent > 0.0)) {
    refuse_as("has the guarantee " + core::printable(statement.guarantee),
              "what has a guarantee: nobody can say what else it costs");
  }
  if (statement.runs) {
    refuse_as("is the best of a secret number of runs",
              "a list of mechanisms whose costs add up: tune with --way all");
  }
  if (statement.relation != terms_.relation) {
    refuse_as("is under " + core::printable(statement.relation),
              terms_.relation + ", as the ledger is");
  }
  if (statement.unit != terms_.unit && !fault(Fault::ledger_unit_is_not_compared)) {
    refuse_as("protects " + core::printable(statement.unit),
              core::printable(terms_.unit) + ", as the ledger does");
  }
}

Admitted LedgerState::admitted(const std::string& what, const model::Statement& statement,
                               const std::string& nonce) const {
  check_alike(statement, what);
  Entry entry;
  entry.looks.push_back(charged(what, statement));
  return finished(std::move(entry), nonce);
}

Admitted LedgerState::planned(const std::vector<std::pair<std::string, model::Statement>>& members,
                              const std::string& nonce) const {
  if (members.empty()) throw InvalidArgument("plan: given nothing, accepted is at least one fit");
  Entry entry;
  entry.is_plan = true;
  for (const auto& [name, statement] : members) {
    check_alike(statement, name);
    entry.looks.push_back(charged(name, statement));
  }
  return finished(std::move(entry), nonce);
}

Line LedgerState::commit(std::uint64_t of) const { return commit_line(next_, of, last_hash_); }

}  // namespace southwell::ledger
