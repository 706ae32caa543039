#pragma once

#include <cstddef>
#include <span>

namespace southwell::problem {

// The logistic loss of more than two classes at once: log(sum_h exp(z_h)) - z_y, z_h being the
// margin of head h and y the record's own class. Two classes have one head and the logistic loss.

/// out_h = exp(z_h) / sum exp(z) - [h = y]: one number per head, from this record's margins alone,
/// with the same bits everywhere. NaN in all of them where a margin is no number, or +infinite.
void softmax_slopes(std::span<const double> margins, std::size_t own, std::span<double> out);

/// The loss itself, without overflow.
double softmax_value(std::span<const double> margins, std::size_t own);

/// log(sum_h exp(z_h)), without overflow.
double log_sum_exp(std::span<const double> margins);

}  // namespace southwell::problem
