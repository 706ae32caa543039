#include "southwell/privacy/relation.hpp"

#include "southwell/privacy/fault.hpp"

namespace southwell::privacy {

std::uint64_t sum_sensitivity(Relation relation, std::uint64_t bound) {
  if (fault(Fault::sensitivity_of_adding_when_replacing)) return bound;
  return relation == Relation::replace_one ? 2 * bound : bound;
}

}  // namespace southwell::privacy
