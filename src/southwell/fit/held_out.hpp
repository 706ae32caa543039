#pragma once

#include <cstdint>

#include "southwell/privacy/relation.hpp"

namespace southwell::fit {

/// The parts that a fit with a test_share cuts the units into; all of it is public.
struct HeldOut {
  double share = 0.0;
  std::uint64_t fit = 0;  ///< units to fit on: their number, or the divisor under add_or_remove_one
  std::uint64_t test = 0;  ///< units for figures, likewise
  privacy::Relation relation{};

  /// With which probability a unit is one for figures under add_or_remove_one, in parts of 2^32.
  std::uint64_t chance() const;
};

/// A share of so many units; at least one of each. Throws InvalidArgument for fewer than two.
HeldOut held_out(double share, std::uint64_t records, privacy::Relation relation);

}  // namespace southwell::fit
