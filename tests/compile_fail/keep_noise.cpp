// A release takes its noise for good: it has to be handed over with std::move.
// expect: cannot bind|expects an rvalue

#include <utility>

#include "southwell/privacy/mechanisms/discrete_release.hpp"

long measure(const southwell::privacy::DiscreteGaussianRelease& mechanism,
             const southwell::Sensitive<long>& value, southwell::privacy::Noise& noise) {
#ifdef BROKEN
  return mechanism.release(value, noise);
#else
  return mechanism.release(value, std::move(noise));
#endif
}
