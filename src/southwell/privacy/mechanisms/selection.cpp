#include "southwell/privacy/mechanisms/selection.hpp"

#include <string>

#include "southwell/core/error.hpp"

namespace southwell::privacy {

void check_candidates(std::string_view mechanism, std::size_t candidates) {
  if (candidates >= 1 && candidates <= kMaxCandidates) return;
  throw InvalidArgument(std::string(mechanism) + ": " + std::to_string(candidates) +
                        " candidates, accepted are 1 to " + std::to_string(kMaxCandidates));
}

}  // namespace southwell::privacy
