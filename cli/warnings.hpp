#pragma once

#include <string>
#include <vector>

#include "southwell/model/statement.hpp"

namespace southwell::cli {

/// Each on a line of standard error.
void tell_warnings(const std::vector<std::string>& warnings);

/// All that there is to warn of in a statement.
void warn_of(const model::Statement& statement);
/// What is new of it since the plan was made.
void warn_of(const model::Statement& statement, const model::Statement& planned);

}  // namespace southwell::cli
