#pragma once

#include <vector>

#include "southwell/audit/findings.hpp"
#include "southwell/core/progress.hpp"

namespace southwell::cli {

/// What ends a program whose audit has flagged something: exit code 1, and no further message.
struct AuditFailed {};

/// Runs southwell-replay, which stands beside this program, and reads what it found. Where it is
/// not there the level was not run, and says so.
std::vector<audit::Finding> replay_findings(const core::Progress& progress);

}  // namespace southwell::cli
