// A source of bits made elsewhere cannot say that its bits are the operating system's.
// expect: private

#include "southwell/privacy/random/random_bits.hpp"

namespace privacy = southwell::privacy;

struct Homemade : privacy::RandomBits {
#ifdef BROKEN
  Homemade() : RandomBits(privacy::Origin::system) {}
#else
  Homemade() : RandomBits(Taint::scripted) {}
#endif
  std::uint64_t word() override { return 4; }
  std::unique_ptr<privacy::RandomBits> stream(privacy::Purpose, std::uint32_t) override {
    return nullptr;
  }
};

privacy::Origin origin() { return Homemade().origin(); }
