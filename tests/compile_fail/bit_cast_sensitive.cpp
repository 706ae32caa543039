// The bytes of a sensitive value are not for std::bit_cast.
// expect: trivially.copyable|no matching function

#include <bit>

#include "southwell/core/sensitive.hpp"

long leak(const southwell::Sensitive<long>& secret) {
#ifdef BROKEN
  return std::bit_cast<long>(secret);
#else
  (void)secret;
  return std::bit_cast<long>(0.5);
#endif
}
