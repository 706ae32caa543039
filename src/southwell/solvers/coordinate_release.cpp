#include "southwell/solvers/coordinate_release.hpp"

namespace southwell::solvers {

CertifiedRelease::CertifiedRelease(Mechanism mechanism, std::uint64_t iterations,
                                   privacy::RandomBits& bits)
    : mechanism_(mechanism) {
  const auto release_bits = bits.stream(privacy::Purpose::release, 0);
  noise_.reserve(iterations);
  for (std::uint64_t t = 0; t < iterations; ++t) {
    noise_.push_back(
        std::visit([&](const auto& law) { return law.draw(*release_bits); }, mechanism_));
  }
}

}  // namespace southwell::solvers
