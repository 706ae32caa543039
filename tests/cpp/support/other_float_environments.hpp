#pragma once

#include <cfenv>

namespace southwell::test {

/// Runs `body` in each floating-point environment that a calling program may have left behind:
/// the other roundings and, where the machine has it, denormals flushed to zero.
template <class Body>
void for_each_other_float_environment(Body&& body) {
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    body();
    std::fesetenv(FE_DFL_ENV);
  }
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);  // flush, denormals are zero
  body();
  std::fesetenv(FE_DFL_ENV);
#endif
}

}  // namespace southwell::test
