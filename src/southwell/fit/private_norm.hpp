#pragma once

#include <cstdint>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/draft.hpp"
#include "southwell/fit/private_magnitude.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::fit {

// `record_norm = private`: the typical norm of a record, found by the mechanism that finds a
// target's scale, on the squares of norms, whose powers of two are those of sqrt 2 of norms.

/// Whether so many records and such a budget tell a norm from noise.
bool can_find_norm(std::uint64_t records, double epsilon);
/// Whether a mechanism is to find it where it is not declared, unless that was asked for.
bool finds_norm_unasked(std::uint64_t records, double epsilon);
/// Notes what it will cost in the draft and its statement.
PrivateMagnitude charged_norm(Draft& draft);
/// The middle of the power of sqrt 2 that was chosen; a unit's records count once.
double found_norm(const PrivateMagnitude& mechanism, const data::Dataset& dataset,
                  const problem::RecordLimit& in_units_of, core::ThreadPool& pool,
                  privacy::RandomBits& bits);

}  // namespace southwell::fit
