#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "southwell/ledger/ledger_state.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::ledger {

/// What a ledger is made with.
struct NewLedger {
  double epsilon = 0.0;
  double delta = 0.0;
  std::string relation = "replace_one";
  std::string unit = "record";  ///< or what the unit of the data is called, such as patient
  double added_delta = 0.0;
};

/// What was reserved: the entry, and what a model keeps of it.
struct Reservation {
  Terms terms;  ///< of the ledger
  Entry entry;

  /// Of a model: {"ledger": ..., "sequence": ..., "hash": ...}.
  std::string attachment() const;
};

/// A file in which everything that is done with the same people is reserved before their records
/// are used: privacy.md calls it a filter over fits. Each call reads the whole file, checks it, and
/// holds its lock as long as that takes. Errors throw, and whatever throws has admitted nothing.
class Ledger {
 public:
  /// Makes the file. Throws InvalidArgument and DataError.
  static Ledger create(const std::filesystem::path& file, const NewLedger& asked);
  /// Reads and checks a file that is there. Throws DataError.
  explicit Ledger(std::filesystem::path file);
  /// One that is read and checked when it is first used.
  static Ledger unread(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  LedgerState state() const;

  /// Reserves what the statement of a look at the records lists, in full, and returns when that is
  /// on the disk. Throws BudgetError where it is not admitted, DataError and InvalidArgument.
  Reservation reserve(const std::string& what, const model::Statement& statement) const;
  /// The look has succeeded. Without a commit a reservation counts all the same.
  void commit(const Reservation& reservation) const;
  /// Reserves for several looks that are fixed now, each of them once, in any order.
  Reservation plan(const std::vector<std::pair<std::string, model::Statement>>& members) const;

 private:
  Ledger() = default;
  std::filesystem::path file_;
};

/// Where the model says that this ledger has it, it does. Throws DataError, beginning with the
/// names of both, where the ledger was copied or rolled back, or the model is of another one.
void verify(const LedgerState& state, const model::LinearModel& model, const std::string& ledger,
            const std::string& name);
/// The cost of each entry is that of its mechanisms. Throws DataError, beginning with `name`.
void verify(const LedgerState& state, const std::string& name);

}  // namespace southwell::ledger
