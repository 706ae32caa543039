#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::assess {

/// How well models of one loss and the same classes predict records, for a mechanism to choose
/// between them: minus the sum of clipped losses of each (problem/line_losses.hpp), by one law for
/// all heads or the mean over them. Replacing, adding or removing a unit moves each score by at
/// most K (tuning.md).
Sensitive<std::vector<std::int64_t>> loss_scores(std::span<const model::LinearModel> candidates,
                                                 const data::Dataset& records, double cap);

}  // namespace southwell::assess
