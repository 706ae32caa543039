#pragma once

#include <cstdint>
#include <string>

#include "southwell/ledger/entry.hpp"

namespace southwell::ledger {

// The file: a line of JSON for its terms, then one for each reservation, plan and commit, numbered
// from 0. The last two keys of a line are the hash of the line before and its own, SHA-256 of all
// that stands before it: nothing can be changed, taken out or moved without changing what follows.

inline constexpr const char* kFormat = "southwell.ledger";
inline constexpr std::uint64_t kFormatVersion = 1;
inline constexpr std::size_t kHashDigits = 64;

/// What stands before the first line.
std::string no_hash();

/// A line with its end, and the hash it ends with.
struct Line {
  std::string text;
  std::string hash;
};
Line terms_line(const Terms& terms);
/// Of `entry` all but the hash.
Line entry_line(const Entry& entry, const std::string& previous);
Line commit_line(std::uint64_t sequence, std::uint64_t of, const std::string& previous);

/// One line as it was read.
struct Parsed {
  enum class Kind { terms, entry, commit };
  Kind kind = Kind::terms;
  std::uint64_t sequence = 0;
  Terms terms;
  Entry entry;
  std::uint64_t commit_of = 0;
  std::string previous;
  std::string hash;
};
/// `text` is without its end. Throws DataError, beginning with `name`, for what is no line of a
/// ledger; whether it fits what stands before is for LedgerState to say.
Parsed parsed_line(const std::string& text, const std::string& name);

}  // namespace southwell::ledger
