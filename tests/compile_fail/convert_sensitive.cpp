// A sensitive value does not turn into its number by itself.
// expect: cannot convert|no viable conversion

#include "southwell/core/sensitive.hpp"

int leak() {
  const southwell::Sensitive<int> secret(3);
#ifdef BROKEN
  const int leaked = secret;
  return leaked;
#else
  (void)secret;
  return 0;
#endif
}
