// Empty braces do not make a pass either.
// expect: private

#include "southwell/core/sensitive.hpp"

int leak(const southwell::Sensitive<int>& secret) {
#ifdef BROKEN
  return secret.reveal({});
#else
  (void)secret;
  return 0;
#endif
}
