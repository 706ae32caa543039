// Scores enter a selection as sensitive values only, so that nothing else can have read them.
// expect: convert|conversion|invalid initialization

#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

std::size_t choose(const southwell::privacy::ExponentialMechanism& mechanism,
                   const southwell::privacy::Scores& scores, southwell::privacy::RandomBits& bits) {
#ifdef BROKEN
  return mechanism.release(scores, bits);
#else
  return mechanism.release(southwell::Sensitive(scores), bits);
#endif
}
