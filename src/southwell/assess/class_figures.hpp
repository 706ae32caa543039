#pragma once

#include "southwell/assess/figure.hpp"
#include "southwell/assess/noisy_counts.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::assess {

/// All that a noisy histogram of two classes (record_sums.hpp) says of a model: whatever is
/// computed here is computed from what was released.
void add_two_class_figures(const model::LinearModel& model, const NoisyCounts& counts,
                           PrivateFigures& out);

/// The same of more than two classes: their confusion matrix.
void add_many_class_figures(const model::LinearModel& model, const NoisyCounts& counts,
                            PrivateFigures& out);

}  // namespace southwell::assess
