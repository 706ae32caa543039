#pragma once

#include <optional>
#include <string>

#include "southwell/ledger/ledger.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::ledger {

/// One look at the records between its reservation and its commit. Made when everything that can be
/// refused without the records has been, and before the first of them is used. Where no ledger was
/// named it does nothing.
class Charge {
 public:
  /// Reserves what `planned` lists. Throws as Ledger::reserve.
  Charge(const std::optional<std::string>& file, const std::string& what,
         const model::Statement& planned);

  /// Commits; the statement of what was made says so from now on. Throws std::logic_error for a
  /// statement that lists more than was reserved.
  void commit(model::Statement& made);
  /// The same; the model keeps its entry as well.
  void commit(model::LinearModel& made);

 private:
  std::optional<Ledger> ledger_;
  std::optional<Reservation> reservation_;
  std::string what_;
  model::Statement planned_;
};

}  // namespace southwell::ledger
