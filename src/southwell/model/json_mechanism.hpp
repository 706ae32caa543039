#pragma once

#include <nlohmann/json.hpp>

#include "southwell/core/json_part.hpp"
#include "southwell/model/statement.hpp"

namespace southwell::model {

/// One entry of a list of mechanisms, as model files and ledgers have it.
nlohmann::json json_of(const MechanismUse& use);
MechanismUse mechanism_in(const core::JsonPart& part);

}  // namespace southwell::model
