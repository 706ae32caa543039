#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "southwell/data/units.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::fit {

// Which data sets must look alike, whose records are looked at together, and what is public of
// their number.

/// replace_one unless something else is given.
privacy::Relation relation_of(const std::optional<std::string>& given);
std::string name_of(privacy::Relation relation);

/// The unit in the words of a statement: one record, or where the data have units all records of
/// one, by the name that is given. Throws InvalidArgument for a name where there are none.
std::string unit_of(const std::optional<std::string>& given, const DataShape& shape);
/// The same as a public input, where there are units.
PublicInput unit_input(const std::optional<std::string>& given);

/// Throws DataError unless there are units where they were planned for, one or none per record. Of
/// how many records there are it says nothing.
void check_units(const std::optional<data::Units>& units, std::size_t records,
                 const Statement& planned);

/// The number to divide by: that of the data under replace_one, where it is public, and what is
/// given under add_or_remove_one. Of data with units that is their number. Throws InvalidArgument,
/// and DataError where there is none.
std::uint64_t public_records(privacy::Relation relation, const std::optional<std::uint64_t>& given,
                             const DataShape& shape);

}  // namespace southwell::fit
