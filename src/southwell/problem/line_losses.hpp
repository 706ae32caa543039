#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"

namespace southwell::problem {

/// Models on the line between two, all public: coefficients from + share (to - from) of every
/// coordinate.
struct LineOfModels {
  std::span<const double> from;
  std::span<const double> to;
  std::span<const double> shares;            ///< 0 to 1, one for each model
  std::span<const std::int64_t> head_start;  ///< public, added to the score of each
};

/// What a record with this loss adds to a sum of losses: clamp(rint(weight loss K / cap), 0,
/// bound), and the bound for what is no number.
std::int64_t clipped_loss(double loss, double cap, double weight, double bound);

/// How well models on a line do, for a mechanism to choose between them: one score for each,
/// its head start less sum_i clamp(rint(w_i ell_i K / cap), 0, B_i), ell_i being the loss of
/// record i, by one law for all heads or the mean over them; what is no number counts B_i. w_i and
/// B_i are those of RecordWeights, usually 1 and K. Replacing, adding or removing a unit moves each
/// score by at most K (line_losses.md).
template <class Design>
Sensitive<std::vector<std::int64_t>> line_scores(const GradientParts<Design>& parts,
                                                 const LineOfModels& line, double cap,
                                                 core::ThreadPool& pool);

extern template Sensitive<std::vector<std::int64_t>> line_scores(
    const GradientParts<data::DenseDesign<double>>&, const LineOfModels&, double,
    core::ThreadPool&);
extern template Sensitive<std::vector<std::int64_t>> line_scores(
    const GradientParts<data::DenseDesign<float>>&, const LineOfModels&, double, core::ThreadPool&);
extern template Sensitive<std::vector<std::int64_t>> line_scores(
    const GradientParts<data::SparseDesign>&, const LineOfModels&, double, core::ThreadPool&);

}  // namespace southwell::problem
