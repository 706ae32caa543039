#pragma once

#include <cstdint>

#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::model {

// A checksum is no signature. Beside what its mechanisms cost (check_guarantee), a private model
// says by how much records move them, on which parts of the records they ran, and what its figures
// come from: whether these agree is looked at again wherever a model is read.

/// What stands before the step of a mechanism that other settings than the chosen one ran.
inline constexpr const char* kOfOtherSettings = "other settings: ";

/// The least shift (privacy::Cost) that this step of a fit has under the relation; 1 for a step
/// that nothing is known of.
std::uint64_t least_shift(const MechanismUse& use, privacy::Relation relation);

/// Throws InvalidArgument, beginning with the place, for a private model whose statement does not
/// back what it shows.
void check_backing(const LinearModel& model);

}  // namespace southwell::model
