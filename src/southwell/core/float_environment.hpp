#pragma once

#include <cfenv>

#ifdef __FAST_MATH__
#error "southwell must not be compiled with -ffast-math: it breaks the integer grid's guarantee"
#endif

namespace southwell::core {

/// Rounding to nearest and gradual underflow for the life of the object, whatever the calling
/// program (or a library it loaded) has set; the caller's settings come back at the end.
class StandardFloatEnvironment {
 public:
  StandardFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);  // glibc: also clears flush-to-zero and denormals-are-zero
  }
  ~StandardFloatEnvironment() { std::fesetenv(&saved_); }
  /// `value`, for arithmetic in the function that made the guard: compilers take the floating-point
  /// environment for constant and may compute with what they already know before the guard stands.
  /// A volatile access stays behind the call that set the environment, and what uses it with it.
  double pinned(double value) const {
    const volatile double here = value;
    return here;
  }

  StandardFloatEnvironment(const StandardFloatEnvironment&) = delete;
  StandardFloatEnvironment& operator=(const StandardFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace southwell::core
