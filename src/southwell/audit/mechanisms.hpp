#pragma once

#include <cstdint>
#include <vector>

#include "southwell/audit/findings.hpp"
#include "southwell/core/progress.hpp"

namespace southwell::audit {

struct MechanismOptions {
  std::uint64_t runs = 40'000;  ///< of each mechanism on each of two neighbouring inputs
  std::uint64_t repeats = 10;   ///< audits of the same with half the noise
  core::Progress progress{};
};

/// Runs every mechanism on two neighbouring inputs that its proof says are hard, and compares how
/// often one event happens. What is claimed is what the accountant charges for that one use.
std::vector<Finding> audit_mechanisms(const MechanismOptions& options);

}  // namespace southwell::audit
