#include "southwell/ledger/ledger.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/core/words.hpp"
#include "southwell/ledger/locked_file.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::ledger {
namespace {

/// 128 bits of the operating system's, in hexadecimal. Throws EntropyError.
std::string random_name() {
  privacy::SystemRandomBits bits;
  std::string name;
  for (int k = 0; k < 2; ++k) {
    const std::uint64_t word = bits.word();
    for (int digit = 60; digit >= 0; digit -= 4) name += "0123456789abcdef"[(word >> digit) & 15];
  }
  return name;
}

constexpr const char* kRecord = "record";

Terms terms_of(const NewLedger& asked) {
  const core::StandardFloatEnvironment standard;
  const auto& relations = privacy::kRelationNames;
  if (std::find(relations.begin(), relations.end(), asked.relation) == relations.end()) {
    throw InvalidArgument("relation: given " + core::quoted(asked.relation) + ", accepted is " +
                          core::listed(relations));
  }
  if (asked.unit.empty()) {
    throw InvalidArgument(
        "unit: given an empty name, accepted is record, or what a unit is called, such as patient");
  }
  return {.id = random_name(),
          .relation = asked.relation,
          .unit = asked.unit == kRecord ? model::kOneRecord : model::unit_called(asked.unit),
          .filter = privacy::FilterTerms::of({asked.epsilon, asked.delta}, asked.added_delta)};
}

using Counts = std::map<privacy::Cost, std::uint64_t>;
Counts counted(const std::vector<model::MechanismUse>& mechanisms) {
  Counts counts;
  for (const model::MechanismUse& use : mechanisms) counts[use.cost] += use.count;
  return counts;
}

/// Every later reading must take the line, or nobody could ever charge to the file again.
void write(LockedFile& file, LedgerState& state, const Line& line, const std::string& name) {
  state.take(line.text, name);
  file.append(line.text);
}

}  // namespace

std::string Reservation::attachment() const {
  return core::dumped({{"ledger", terms.id}, {"sequence", entry.sequence}, {"hash", entry.hash}},
                      -1);
}

Ledger Ledger::create(const std::filesystem::path& file, const NewLedger& asked) {
  LockedFile::create(file, terms_line(terms_of(asked)).text);
  return Ledger(file);
}

Ledger::Ledger(std::filesystem::path file) : file_(std::move(file)) { state(); }

Ledger Ledger::unread(std::filesystem::path file) {
  Ledger ledger;
  ledger.file_ = std::move(file);
  return ledger;
}

LedgerState Ledger::state() const {
  return {LockedFile(file_, Access::read).text(), file_.string()};
}

Reservation Ledger::reserve(const std::string& what, const model::Statement& statement) const {
  const std::string nonce = random_name();
  LockedFile file(file_, Access::append);
  LedgerState state(file.text(), file_.string());
  Admitted admitted = state.admitted(what, statement, nonce);
  write(file, state, admitted.line, file_.string());
  return {state.terms(), std::move(admitted.entry)};
}

Reservation Ledger::plan(
    const std::vector<std::pair<std::string, model::Statement>>& members) const {
  const std::string nonce = random_name();
  LockedFile file(file_, Access::append);
  LedgerState state(file.text(), file_.string());
  Admitted admitted = state.planned(members, nonce);
  write(file, state, admitted.line, file_.string());
  return {state.terms(), std::move(admitted.entry)};
}

void Ledger::commit(const Reservation& reservation) const {
  LockedFile file(file_, Access::append);
  LedgerState state(file.text(), file_.string());
  const Entry* const entry = state.find(reservation.entry.sequence);
  if (state.terms().id != reservation.terms.id || entry == nullptr ||
      entry->hash != reservation.entry.hash || entry->is_committed) {
    throw DataError(file_.string() +
                    ": does not have the reservation that was made in it; accepted is a ledger "
                    "that is left alone");
  }
  write(file, state, state.commit(reservation.entry.sequence), file_.string());
}

void verify(const LedgerState& state, const std::string& name) {
  constexpr double kRounding = 1e-9;  // of another version's accountant
  const auto is_less = [](double stated, double cost) {
    return std::isfinite(stated) && !(cost <= stated * (1.0 + kRounding));
  };
  for (const Entry& entry : state.entries()) {
    const std::string where = name + ":" + std::to_string(entry.sequence + 1);
    const auto refuse = [&](const std::string& found, const std::string& accepted) {
      throw DataError(where + ": " + found + "; accepted is " + accepted);
    };
    if (entry.admission == Admission::plan) continue;  // its plan was charged for it
    const privacy::Spend cost = spend_of(entry.looks, state.terms().filter.order);
    if (is_less(entry.spend.pure, cost.pure) || is_less(entry.spend.renyi, cost.renyi)) {
      refuse("less is charged than the mechanisms cost", "what they cost");
    }
    const privacy::Budget& budget = state.terms().filter.budget;
    if (entry.admission == Admission::whole &&
        certified(entry.looks, budget.delta).epsilon > budget.epsilon * (1.0 + kRounding)) {
      refuse("one entry that costs more than the budget", "at most all of it");
    }
  }
}

void verify(const LedgerState& state, const model::LinearModel& model, const std::string& ledger,
            const std::string& name) {
  const auto refuse = [&](const std::string& found, const std::string& accepted) {
    throw DataError(name + ": " + found + " (" + ledger + "); accepted is " + accepted);
  };
  if (model.attachments.ledger_entry.empty()) {
    refuse("a model that no ledger has", "a model of this ledger");
  }
  const nlohmann::json kept = nlohmann::json::parse(model.attachments.ledger_entry);
  const auto is_kept = [&](const char* key, const auto& value) {
    return kept.contains(key) && kept[key] == value;
  };
  if (!is_kept("ledger", state.terms().id)) {
    refuse("a model of another ledger", "a model of ledger " + core::printable(state.terms().id));
  }
  const auto& entries = state.entries();
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& each) {
    return is_kept("sequence", each.sequence);
  });
  if (entry == entries.end() || entry->is_plan || !is_kept("hash", entry->hash)) {
    refuse(
        "the ledger does not have the entry of this model: it is an older copy of the ledger, or "
        "one that was continued apart",
        "the ledger that the model was fitted with");
  }
  const Counts stated = counted(model.privacy.mechanisms);
  for (const auto& [cost, count] : counted(entry->looks.at(0).mechanisms)) {
    const auto there = stated.find(cost);
    if (there == stated.end() || there->second < count) {
      refuse("a model whose statement does not list what the ledger charged for it", "the same");
    }
  }
  if (model.privacy.relation != entry->relation || model.privacy.unit != entry->unit) {
    refuse("a model under another relation or of another unit", "those of the ledger");
  }
}

}  // namespace southwell::ledger
