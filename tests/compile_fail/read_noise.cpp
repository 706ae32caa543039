// Noise cannot be read: with it a release would be undone.
// expect: private

#include "southwell/privacy/random/noise.hpp"

long leak(const southwell::privacy::Noise& noise) {
#ifdef BROKEN
  return static_cast<long>(noise.values_[0]);
#else
  return static_cast<long>(noise.size());
#endif
}
