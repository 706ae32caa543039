#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "southwell/model/statement.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::fit {

// What private figures of a model cost (assess/record_sums.md), for whoever plans them: an
// evaluation, and a fit that holds records out for one.

/// K: what a unit adds at most.
inline constexpr std::int64_t kFigureShare = std::int64_t{1} << 20;
/// No more classes: the confusion matrix has their square.
inline constexpr std::size_t kMostAssessedClasses = 1000;

/// By how far a unit can move a histogram in l2 norm: out of one cell and into another when it is
/// replaced, ceil(sqrt(2) K), and by K when it is added or removed.
std::uint64_t histogram_sensitivity(privacy::Relation relation);
/// By how far it can move sums of vectors of norm at most K.
std::uint64_t moment_sensitivity(privacy::Relation relation);

/// The releases that figures of a model with so many classes are computed from, with the least
/// noise that the budget allows: a histogram and, of a regression (0 classes), sums after it.
/// Throws InvalidArgument for a delta of 0 and for too many classes, and CalibrationError.
std::vector<model::MechanismUse> figure_mechanisms(std::size_t classes, privacy::Relation relation,
                                                   const privacy::Budget& budget);

/// No figures of such a model are longer as text.
std::uint64_t longest_figures_text(std::size_t classes);

}  // namespace southwell::fit
