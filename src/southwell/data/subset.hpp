#pragma once

#include <cstddef>
#include <span>

#include "southwell/data/dataset.hpp"

namespace southwell::data {

/// A copy of some of the records, given by rising number, in the storage that they have. Of units
/// all records have to be among them or none: a unit's size is counted in these records.
Dataset subset(const Dataset& dataset, std::span<const std::size_t> records);

}  // namespace southwell::data
