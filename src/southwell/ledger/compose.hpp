#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "southwell/model/statement.hpp"
#include "southwell/privacy/accounting/accountant.hpp"

namespace southwell::ledger {

/// What several looks at the records of the same people promise together, at one delta.
struct Together {
  double delta = 0.0;
  std::string relation;
  std::string unit;
  /// The least epsilon of a ledger that would have admitted all of them: what they promise where
  /// each of them, its budget too, could be chosen by what the ones before gave, and that epsilon
  /// was to be kept from the beginning.
  double as_filter = 0.0;
  /// Where all of their budgets were fixed beforehand.
  double as_plan = 0.0;
  std::string plan_accountant;
  /// What their statements do not count: steps before a fit that is of a matrix alone.
  std::vector<std::string> not_counted;
};

/// `delta` absent: the largest of theirs. Throws InvalidArgument, with the name, for what has no
/// guarantee, and for another relation or unit than the first one's, and CalibrationError where
/// there is no bound at this delta.
Together compose(const std::vector<std::pair<std::string, model::Statement>>& looks,
                 std::optional<double> delta);

std::string to_text(const Together& together);
std::string to_json(const Together& together);

}  // namespace southwell::ledger
