#pragma once

#include <cstddef>
#include <vector>

#include "southwell/audit/findings.hpp"
#include "southwell/core/progress.hpp"

namespace southwell::audit {

struct CanaryOptions {
  std::size_t canaries = 40'000;  ///< made-up records, each with a feature of its own
  std::vector<double> epsilons = {1.0, 4.0};
  core::Progress progress{};
};

/// Whole fits on records of which each is there or not by a fair coin, and what their models let
/// one guess of the coins. Statement and proof of the bound in one_run.md.
std::vector<Finding> audit_canaries(const CanaryOptions& options);

}  // namespace southwell::audit
