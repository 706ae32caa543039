#pragma once

#include <cstdint>
#include <span>

#include "southwell/assess/figure.hpp"
#include "southwell/assess/noisy_counts.hpp"
#include "southwell/assess/record_sums.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::assess {

/// The two releases of a regression (record_sums.hpp), and the units of what they count.
struct ErrorReleases {
  const NoisyCounts& counts;              ///< of errors by their size
  std::span<const std::int64_t> moments;  ///< sums of (e, e^2, b, b^2)
  std::uint64_t moment_scale = 0;         ///< sigma of their noise
  MomentUnits units;
};

/// The unit that errors are summed in, from the released histogram: nine tenths of what nine tenths
/// of errors surely do not pass, or more where what sums then cut off would be more than their
/// noise, of which `moment_sd` is that of a sum of records. They reach to 3.3 times as far, which
/// is five standard deviations of the normal law or more. Never above the target scale.
double error_scale_of(const NoisyCounts& counts, double target_scale, double moment_sd);

/// All that they say of a model.
void add_error_figures(const model::LinearModel& model, const ErrorReleases& released,
                       PrivateFigures& out);

}  // namespace southwell::assess
