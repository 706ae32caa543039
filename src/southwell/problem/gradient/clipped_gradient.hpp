#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/gradient/clipped_sum.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"
#include "southwell/problem/grid_score.hpp"
#include "southwell/problem/head_target.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::problem {

/// The integer gradient sums G_c = sum_i clamp(rint(f_i x_ic w_i r_i K / C_c), -B_i, B_i) over the
/// records, at margins it keeps up to date; w_i and B_i are those of RecordWeights, usually 1 and
/// K, f_i that of RecordFactors, usually 1, and 1 for an intercept always. Whatever is in the
/// records, replacing a unit moves each sum by at most 2K and each score as well; adding or
/// removing one by K (clipped_gradient.md). Nobody but a mechanism can read what it computes, and
/// the sums do not depend on storage, threads, shards or row order.
template <class Design>
class ClippedGradient {
 public:
  using Sums = std::vector<std::int64_t>;

  using Parts = GradientParts<Design>;

  /// Everything named must outlive it. `coef` is where the margins start.
  ClippedGradient(const Parts& parts, std::span<const double> coef, core::ThreadPool& pool);

  /// All sums at the present margins: one read of the design.
  void refresh();
  /// The sum of coordinate c alone, the same integer: one read of its column. The other sums stay
  /// what they were.
  void refresh(std::size_t c);
  /// Coefficient c moved by `change`: one read of its column.
  void move(std::size_t c, double change);

  /// The scores of a greedy rule, from the sums and the public coefficients.
  const Sensitive<Sums>& scores(const GridScores& rule, std::span<const double> coef);
  Sensitive<std::int64_t> sum(std::size_t c);

  /// The same sums as gradients in doubles, with the penalty's quadratic part: for the published
  /// mechanisms alone. Differs from the paper: its clipped entries are not rounded to the grid,
  /// which moves a mean by less than 2^-21 of the clip.
  const Sensitive<std::vector<double>>& in_doubles(std::span<const double> coef);
  Sensitive<double> in_doubles(std::size_t c, double coef);

 private:
  /// Margins or slopes of one head.
  std::span<double> of_head(std::vector<double>& all, std::size_t head) {
    return std::span(all).subspan(head * target_.records(), target_.records());
  }
  WeightedSlopes slopes_of(std::size_t head);
  /// The same with the records' factors: what features are multiplied by.
  WeightedSlopes feature_slopes_of(std::size_t head);
  ProductClip feature_contribution(std::size_t c) const;
  /// Of the records in [first, last), with their weights.
  void find_slopes(std::size_t head, std::size_t first, std::size_t last);
  void find_all_slopes(std::size_t head);
  /// Of the records that have an entry in this column.
  void find_slopes_in(std::size_t head, const auto& column);
  void add_shard(data::Range records, Sums& sums);
  void add_columns(data::Range columns, data::Range records, Sums& sums);
  void add_dense(const auto& block, data::Range records, Sums& sums);
  std::int64_t intercept_sum(std::size_t c, data::Range records);
  double in_doubles(const Sums& sums, std::size_t c, double coef) const;

  const Design& design_;
  HeadTarget target_;
  const AnyLoss& loss_;
  const Coordinates& coordinates_;
  const RecordWeights& weights_;
  const RecordFactors& factors_;
  core::ThreadPool& pool_;
  std::vector<data::Range> shards_;
  std::vector<double> margins_;
  std::vector<double> slopes_;
  std::vector<double> feature_slopes_;  ///< where records are limited: slopes times factors
  std::vector<double> feature_bounds_;  ///< likewise: what the slope limit leaves of a share
  Sensitive<Sums> sums_;
  Sensitive<Sums> scores_;
  Sensitive<std::vector<double>> doubles_;
};

extern template class ClippedGradient<data::DenseDesign<double>>;
extern template class ClippedGradient<data::DenseDesign<float>>;
extern template class ClippedGradient<data::SparseDesign>;

}  // namespace southwell::problem
