#pragma once

#include <string>

#include "southwell/model/statement.hpp"

namespace southwell::model {

/// What `to_json` wrote of a plan or a model. Throws DataError, beginning with `name`, for what is
/// no statement, and for mechanisms that do not keep what is promised.
Statement statement_from_json(const std::string& text, const std::string& name);

}  // namespace southwell::model
