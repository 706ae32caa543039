#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "southwell/privacy/relation.hpp"

namespace southwell::fit {

// Which data sets must look alike, and what is public of their number of records.

/// replace_one unless something else is given.
privacy::Relation relation_of(const std::optional<std::string>& given);
std::string name_of(privacy::Relation relation);

/// The number to divide by: that of the data under replace_one, where it is public, and what is
/// given under add_or_remove_one. Throws InvalidArgument, and DataError where there is none.
std::uint64_t public_records(privacy::Relation relation, const std::optional<std::uint64_t>& given,
                             std::size_t in_the_data);

}  // namespace southwell::fit
