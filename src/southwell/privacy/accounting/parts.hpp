#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

// Mechanisms on parts of the records. A random split that nobody is told cuts the units into parts;
// two neighbouring data sets then differ in one of them, so that mechanisms on different parts cost
// no more than the dearest part. Statement and proof in parts.md.

/// `count` uses of one mechanism, on all records or on a part of them. The name of a part is that
/// of its split, a dot and its own; of the only split there may be its own alone.
struct PartedUse {
  Cost cost;
  std::uint64_t count;
  std::string part;  ///< empty: all records
};

/// What one unit can meet: a composition for every way to stand in one part of each split. What is
/// done to all records is in each of them. Of more than a few splits the parts are not told apart,
/// which costs more and is sound.
std::vector<Composition> met_by_one_unit(std::span<const PartedUse> uses);

/// What all of that costs: the largest of what each composition does. `met` is not empty.
Spent spent(std::span<const Composition> met, double delta);

}  // namespace southwell::privacy
