// Nor can it borrow that origin by copying the base of a source that has it.
// expect: deleted

#include "southwell/privacy/random/random_bits.hpp"

namespace privacy = southwell::privacy;

struct Homemade : privacy::RandomBits {
#ifdef BROKEN
  explicit Homemade(const privacy::SystemRandomBits& honest) : RandomBits(honest) {}
#else
  explicit Homemade(const privacy::SystemRandomBits&) : RandomBits(Taint::scripted) {}
#endif
  std::uint64_t word() override { return 4; }
  std::unique_ptr<privacy::RandomBits> stream(privacy::Purpose, std::uint32_t) override {
    return nullptr;
  }
};

privacy::Origin origin(const privacy::SystemRandomBits& bits) { return Homemade(bits).origin(); }
