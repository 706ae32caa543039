// Nobody but the fit's source can make a stream with a key of its own.
// expect: private

#include "southwell/privacy/random/random_bits.hpp"

std::uint64_t forged() {
#ifdef BROKEN
  southwell::privacy::SystemRandomBits bits(southwell::privacy::system_entropy,
                                            southwell::privacy::internal::Key());
#else
  southwell::privacy::SystemRandomBits bits;
#endif
  return bits.word();
}
