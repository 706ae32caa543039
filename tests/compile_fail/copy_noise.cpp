// Noise cannot be copied, so that one draw cannot serve two releases.
// expect: deleted

#include "southwell/privacy/random/noise.hpp"

std::size_t twice(southwell::privacy::Noise& noise) {
#ifdef BROKEN
  const southwell::privacy::Noise copy = noise;
  return copy.size();
#else
  return noise.size();
#endif
}
