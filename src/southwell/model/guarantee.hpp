#pragma once

#include <string>
#include <utility>
#include <vector>

#include "southwell/model/statement.hpp"

namespace southwell::model {

/// What a statement says of noise that could be drawn again.
inline constexpr const char* kFixedRandomness = "a fixed seed or script, for tests";

/// What every certified fit says about itself beyond its numbers: what it covers and what not.
void describe_cover(Statement& statement);

/// What follows the numbers of a guarantee where nobody knows what was done to the records before.
inline constexpr const char* kOfTheFitAlone =
    " for the fit on the matrix it was given; steps before it are not covered";

/// Says from now on that it speaks of the fit alone.
void limit_to_the_fit(Statement& statement);

/// Writes what the mechanisms of the statement spend at its delta. Throws CalibrationError where
/// that has no bound.
void settle_spent(Statement& statement);

/// Writes what the reasons against a guarantee, usually none, leave of it.
void settle_guarantee(Statement& statement, const std::vector<std::string>& reasons_against);

/// What to tell whoever asked for a delta of at least 1/n; empty for a smaller one.
std::string warning_of_large_delta(const Statement& statement);

/// What several steps on the same records promise together, each by the name of its step: the last
/// one's model, the mechanisms of all. That nothing else was done to the records is for the caller
/// to know: nothing here is of a fit alone. Throws InvalidArgument where they are not about the
/// same records, and where one started from a model: what came before that model is not known here.
Statement composed(const std::vector<std::pair<std::string, Statement>>& steps,
                   const std::vector<std::string>& not_covered_either = {});

/// A checksum is no signature: whether the mechanisms that a statement lists keep what it promises
/// is computed again. Throws InvalidArgument where they do not.
void check_guarantee(const Statement& statement);

}  // namespace southwell::model
