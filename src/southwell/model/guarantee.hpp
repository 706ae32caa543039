#pragma once

#include <string>
#include <utility>
#include <vector>

#include "southwell/model/statement.hpp"

namespace southwell::model {

/// What a statement says of noise that could be drawn again.
inline constexpr const char* kFixedRandomness = "a fixed seed or script, for tests";

/// The unit of a statement where the data say whose each record is: `name` is what that is called.
std::string unit_called(const std::string& name);

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

/// Writes what the reasons against a guarantee, usually none, leave of it. Where there are none, an
/// epsilon beyond kLargestEpsilon is one.
void settle_guarantee(Statement& statement, std::vector<std::string> reasons_against);

/// Up to here a budget is common; above, a fit says how little it promises.
inline constexpr double kCommonEpsilon = 8.0;

/// Above this nothing is called private: e^1000 has 435 digits, more than a double holds, so that
/// no bound on anything that one record could do is left. Such a fit runs, without a guarantee.
inline constexpr double kLargestEpsilon = 1000.0;

/// What to tell whoever asked for a fit, in these words in every shell: a budget that promises
/// little (a delta of at least 1/n, an epsilon above what is common), features of which no size was
/// declared, and what the fit itself found amiss. A plan has the first ones, a model all of them.
std::vector<std::string> warnings_of(const Statement& statement);

/// Adds every look at the records that another statement has. Its parts are those of splits of its
/// own, and get the name of whose they are.
void add_looks(Statement& to, const Statement& from, std::string whose);

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
