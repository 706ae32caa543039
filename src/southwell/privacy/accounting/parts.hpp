#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

// Mechanisms on parts of the records. A random split that nobody is told cuts the units into parts;
// two neighbouring data sets then differ in one of them, so that mechanisms on different parts cost
// no more than the dearest part. And mechanisms of several plans, of which an earlier outcome
// decides for one: each plan keeps epsilon at its share of delta. Statement and proof in parts.md.

/// `count` uses of one mechanism, on all records or on a part of them, in every plan or in one. The
/// name of a part is that of its split, a dot and its own; of the only split there may be its own
/// alone. So is that of a plan, with the decision in the place of the split.
struct PartedUse {
  Cost cost;
  std::uint64_t count;
  std::string part;    ///< empty: all records
  std::string plan{};  ///< empty: whatever is decided
};

/// What one unit can meet: a composition for every way to stand in one part of each split, and for
/// every plan. What is done to all records, or in all plans, is in each of them. Of more than a few
/// splits or decisions the parts and plans are not told apart, which costs more and is sound.
std::vector<Composition> met_by_one_unit(std::span<const PartedUse> uses);

/// What each of so many plans may spend of a delta.
double delta_of_each(double delta, std::size_t plans);

/// What all of that costs: the largest of what each composition does, where a unit meets different
/// ones under several plans at their share of delta.
Spent spent(std::span<const PartedUse> uses, double delta);

}  // namespace southwell::privacy
