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
#include "southwell/problem/head_target.hpp"

namespace southwell::problem {

/// A public model, and how its margins are looked at.
struct MarginOptions {
  std::span<const double> coef;
  RecordLimit norm_units;  ///< what norms of records are measured in
  /// About what a record of norm 1 with slope 1 has added to its own margin, public: it is taken
  /// out again, so that the model is judged as if by records that it was not fitted on.
  double own_part = 0.0;
  double slope_limit = 1.0;      ///< of the slopes that the model was fitted by
  double unit = 2.0;             ///< of margins
  double longest = 4.0;          ///< in units, the l2 norm of a record's margins
  double intercept_size = 0.25;  ///< an intercept is a feature of this size, margins of size 1
  double clip = 1.0;             ///< of a record's whole gradient, in l2 norm
};

/// The integer sums of gradients of the logistic loss, or of a softmax, at the margins of a public
/// model times one factor: with respect to that factor, then to the intercepts. A record's vector
/// (sum_h r_ih z_ih, (b r_ih)_h) goes to the grid and is shrunk to a norm of at most B_i, as in
/// RecordGradient; margins z are limited, record by record. Replacing a unit moves all sums
/// together by at most 2K in l2 norm, adding or removing one by K (margin_gradient.md).
template <class Design>
class MarginGradient {
 public:
  using Sums = std::vector<std::int64_t>;

  MarginGradient(const GradientParts<Design>& parts, const MarginOptions& options,
                 core::ThreadPool& pool);

  /// How many numbers a release has: the factor, and an intercept for each head where there are.
  std::size_t released_size() const { return 1 + (has_intercept_ ? heads_ : 0); }
  core::ThreadPool& pool() const { return pool_; }
  /// The factor in units of margins, and the intercepts, that the next gradient is taken at.
  void set_point(std::span<const double> point) { point_.assign(point.begin(), point.end()); }
  void refresh_gradient();
  /// All records always enter.
  template <class Draw>
  void refresh_gradient(Draw&&) {
    refresh_gradient();
  }
  const Sensitive<Sums>& gradient_sums() const { return sums_; }
  /// The gradient that one unit of the sum of coordinate c stands for, over `records`.
  double gradient_unit(std::size_t c, double records) const;

 private:
  void find_margins(const GradientParts<Design>& parts, const MarginOptions& options,
                    std::span<const double> squares, data::Range records);
  /// Slopes of the records of a range at their margins, record after record.
  void find_slopes(std::span<const double> margins, data::Range records,
                   std::span<double> out) const;
  void add_range(data::Range records, std::span<std::int64_t> sums) const;

  HeadTarget target_;
  const AnyLoss& loss_;
  const RecordWeights& weights_;
  core::ThreadPool& pool_;
  std::size_t heads_;
  bool has_intercept_;
  double intercept_size_;
  double clip_;
  std::vector<double> margins_;  ///< limited, in units, record after record
  std::vector<double> point_;
  Sensitive<Sums> sums_;
};

extern template class MarginGradient<data::DenseDesign<double>>;
extern template class MarginGradient<data::DenseDesign<float>>;
extern template class MarginGradient<data::SparseDesign>;

}  // namespace southwell::problem
