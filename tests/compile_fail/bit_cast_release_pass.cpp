// A pass cannot be forged out of a byte.
// expect: trivially.copyable|no matching function

#include <bit>

#include "southwell/core/sensitive.hpp"

long leak(const southwell::Sensitive<long>& secret) {
#ifdef BROKEN
  return secret.reveal(std::bit_cast<southwell::ReleasePass>('x'));
#else
  (void)secret;
  return std::bit_cast<long>(0.5);
#endif
}
