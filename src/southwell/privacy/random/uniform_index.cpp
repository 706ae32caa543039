#include "southwell/privacy/random/uniform_index.hpp"

#include "southwell/core/error.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {

std::size_t uniform_index(std::size_t size, RandomBits& bits) {
  if (size == 0) throw InvalidArgument("uniform_index: size is 0, accepted are whole numbers >= 1");
  return static_cast<std::size_t>(ExactDraws(bits).below(size));
}

}  // namespace southwell::privacy
