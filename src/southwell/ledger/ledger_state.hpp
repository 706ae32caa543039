#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "southwell/ledger/entry.hpp"
#include "southwell/ledger/ledger_text.hpp"
#include "southwell/privacy/accounting/filter.hpp"

namespace southwell::ledger {

/// How a look would be admitted, and the line for it.
struct Admitted {
  Entry entry;
  Line line;
};

/// What a ledger says, line by line: each was checked against those before by the rule that
/// admitted it. Statement and proof in ledger.md.
class LedgerState {
 public:
  /// Throws DataError, beginning with `name`, for text that is not a ledger from end to end.
  LedgerState(const std::string& text, const std::string& name);

  const Terms& terms() const { return terms_; }
  const std::vector<Entry>& entries() const { return entries_; }
  /// The entry with this number, or null.
  const Entry* find(std::uint64_t sequence) const;
  /// All that is reserved, committed or not.
  const privacy::RenyiFilter& filter() const { return *filter_; }
  /// Nothing but members of its plan is admitted any more.
  bool is_closed() const { return is_closed_; }
  std::uint64_t next_sequence() const { return next_; }
  const std::string& last_hash() const { return last_hash_; }

  /// The next entry for this look. Throws BudgetError where it is not admitted, with what is left,
  /// and InvalidArgument where its statement has no guarantee, or another relation or unit.
  Admitted admitted(const std::string& what, const model::Statement& statement,
                    const std::string& nonce) const;
  /// The next entry for several looks that are fixed now.
  Admitted planned(const std::vector<std::pair<std::string, model::Statement>>& members,
                   const std::string& nonce) const;
  Line commit(std::uint64_t of) const;
  /// The next line of the file, with its end. Throws DataError for what does not follow.
  void take(const std::string& line, const std::string& name);

 private:
  void take(const Parsed& line, const std::string& name);
  void take_entry(const Entry& entry, const std::string& name);
  void take_member(const Entry& entry, const std::string& name);
  void take_commit(std::uint64_t of, const std::string& name);
  void check_fits(const Entry& entry, const std::string& name) const;
  void check_alike(const model::Statement& statement, const std::string& name) const;
  void admit(Entry& entry) const;
  Admitted finished(Entry entry, const std::string& nonce) const;
  std::size_t place_of(std::uint64_t sequence) const;
  bool join_plan(Entry& entry) const;
  std::string left_text() const;

  Terms terms_;
  std::optional<privacy::RenyiFilter> filter_;
  std::vector<Entry> entries_;  ///< by their numbers, which rise
  /// Plans and their members that have had their turn.
  std::set<std::pair<std::uint64_t, std::uint64_t>> taken_;
  bool is_closed_ = false;
  std::uint64_t next_ = 0;
  std::string last_hash_;
};

/// Whether two lists of mechanisms cost a unit the same, whichever records it has.
bool are_alike(const Charged& one, const Charged& other);
/// What several looks cost together where all of them were fixed beforehand.
privacy::Spend spend_of(const std::vector<Charged>& looks, double order);
/// The same by the certificate of their mechanisms, at this delta.
privacy::Spent certified(const std::vector<Charged>& looks, double delta);

}  // namespace southwell::ledger
