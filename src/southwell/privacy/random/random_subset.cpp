#include "southwell/privacy/random/random_subset.hpp"

#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/privacy/random/uniform_index.hpp"

namespace southwell::privacy {

std::vector<std::size_t> random_subset(std::size_t size, std::size_t among, RandomBits& bits) {
  if (size > among) {
    throw InvalidArgument("random_subset: size is " + std::to_string(size) +
                          ", accepted are whole numbers up to " + std::to_string(among));
  }
  std::vector<std::size_t> chosen;
  chosen.reserve(size);
  for (std::size_t i = 0; chosen.size() < size; ++i) {
    const std::size_t wanted = size - chosen.size();
    const bool enters =
        fault(Fault::subset_takes_the_first) || uniform_index(among - i, bits) < wanted;
    if (enters) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace southwell::privacy
