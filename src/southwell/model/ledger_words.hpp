#pragma once

#include <string>

#include "southwell/model/statement.hpp"

namespace southwell::model {

/// How a statement ends what it says of other looks at the records of the same people.
inline constexpr const char* kAddUp = ": their costs add up";

/// Says that a ledger has what the statement is about, in these words, and that it does not cover
/// what is done outside it.
void name_ledger(Statement& statement, const std::string& words);

}  // namespace southwell::model
