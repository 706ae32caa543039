#include "southwell/privacy/random/poisson_sample.hpp"

#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"

namespace southwell::privacy {

std::vector<std::size_t> poisson_sample(std::size_t records, std::uint64_t numerator,
                                        RandomBits& bits) {
  constexpr std::uint64_t kDenominator = std::uint64_t{1} << 32;
  if (numerator > kDenominator) {
    throw InvalidArgument("poisson_sample: numerator is " + std::to_string(numerator) +
                          ", accepted are whole numbers from 0 to " + std::to_string(kDenominator));
  }
  if (fault(Fault::sampling_includes_the_threshold)) ++numerator;
  std::vector<std::size_t> chosen;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < records; ++i) {
    word = i % 2 == 0 ? bits.word() : word >> 32;
    if ((word & (kDenominator - 1)) < numerator) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace southwell::privacy
