#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/problem/gradient/dense_records.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"
#include "southwell/problem/gradient/record_law.hpp"
#include "southwell/problem/gradient/sparse_records.hpp"

namespace southwell::problem {

/// How a design's records are added up.
template <class Design>
struct RecordsOf;
template <class T>
struct RecordsOf<data::DenseDesign<T>> {
  using Type = DenseRecords<T>;
};
template <>
struct RecordsOf<data::SparseDesign> {
  using Type = SparseRecords;
};

/// The integer sums of whole gradients over records, each record's clipped in l2 norm: v_i is
/// (f_i x_ic w_i r_i K / clip_c)_c on the grid, shrunk to a norm of at most B_i, and sums are over
/// all records or a secret sample; w_i and B_i are those of RecordWeights, usually 1 and K, and f_i
/// that of RecordFactors, usually 1, and 1 for an intercept always. With `room`
/// there is one sum more, of sqrt(B_i^2 - |v_i|^2), 0 where v_i was shrunk: a point on a half
/// sphere of radius B_i, so it comes at no cost, and it tells how large the gradients are against
/// the clip. Whatever is in the records, replacing a unit moves all sums together by at most 2K in
/// l2 norm; adding or removing one by K (record_gradient.md). Nobody but a mechanism can read them,
/// and they do not depend on storage, threads, shards or row order.
template <class Design>
class RecordGradient {
 public:
  using Sums = std::vector<std::int64_t>;
  using Sample = Sensitive<std::vector<std::size_t>>;

  RecordGradient(const GradientParts<Design>& parts, bool room, core::ThreadPool& pool);
  RecordGradient(const RecordGradient&) = delete;  // its parts look at each other
  RecordGradient& operator=(const RecordGradient&) = delete;

  /// The clips of every coordinate, public, and the slope limit of ProductClip.
  void set_clips(std::span<const double> clips, double slope_limit) {
    law_.set_clips(clips, slope_limit);
  }

  /// Over all records, at these coefficients: one read of the design.
  void refresh(std::span<const double> coef);
  /// Over the records of a sample that `draw(number of records)` gives.
  template <class Draw>
  void refresh_sample(std::span<const double> coef, Draw&& draw) {
    Sample sample = draw(law_.records());
    add_list(coef, sample.rewrite(RecordPass()));
  }

  const Sensitive<Sums>& sums() const { return sums_; }
  /// The sums times `clips` over `whole`, as gradients in doubles, for the published mechanism
  /// alone. Differs from the paper: its clipped entries are not rounded to the grid.
  const Sensitive<std::vector<double>>& in_doubles(std::span<const double> clips, double whole);

 private:
  using Records = typename RecordsOf<Design>::Type;

  void start(Sums& sums);
  /// Adds up the shares of these records, on as many threads as that is worth.
  void add(const double* coef, const RecordNumbers& records, Sums& sums);
  void add_list(std::span<const double> coef, const std::vector<std::size_t>& records);

  RecordLaw law_;
  Records records_;
  core::ThreadPool& pool_;
  std::vector<data::Range> shards_;
  std::vector<typename Records::Bench> benches_;  ///< one per thread
  std::vector<Sums> partial_;                     ///< likewise, but for the first
  Sensitive<Sums> sums_;
  Sensitive<std::vector<double>> doubles_;
};

extern template class RecordGradient<data::DenseDesign<double>>;
extern template class RecordGradient<data::DenseDesign<float>>;
extern template class RecordGradient<data::SparseDesign>;

}  // namespace southwell::problem
