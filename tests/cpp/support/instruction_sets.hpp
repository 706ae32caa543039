#pragma once

#include <hwy/targets.h>

#include <cstdint>
#include <vector>

namespace southwell::test {

/// Runs `body(name)` once for each instruction set that this build has and this CPU can be forced
/// to, the narrowest included.
template <class Body>
void for_each_instruction_set(Body&& body) {
  const std::vector<std::int64_t> all = hwy::SupportedAndGeneratedTargets();
  for (const std::int64_t target : all) {
    hwy::SetSupportedTargetsForTest(target);
    body(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);  // back to what the CPU has
}

}  // namespace southwell::test
