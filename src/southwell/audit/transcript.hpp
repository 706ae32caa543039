#pragma once

#include <vector>

#include "southwell/audit/findings.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::audit {

/// Whether what a model says it ran is what it charges, and whether that keeps its promise. What
/// `model::load` refuses never comes here: sensitivities, parts and the accountants' own figure are
/// checked there and counted here.
std::vector<Finding> audit_transcript(const model::LinearModel& model);

}  // namespace southwell::audit
