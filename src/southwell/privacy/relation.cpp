#include "southwell/privacy/relation.hpp"

#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"

namespace southwell::privacy {

std::uint64_t sum_sensitivity(Relation relation, std::uint64_t bound) {
  if (bound < 1 || bound > kMaxSensitivity / 2) {
    throw InvalidArgument("sum_sensitivity: bound is " + std::to_string(bound) +
                          ", accepted are whole numbers from 1 to " +
                          std::to_string(kMaxSensitivity / 2));
  }
  if (fault(Fault::sensitivity_of_adding_when_replacing)) return bound;
  return relation == Relation::add_or_remove_one ? bound : 2 * bound;
}

}  // namespace southwell::privacy
