#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"
#include "southwell/problem/gradient/record_rows.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::problem {

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

  /// The clips of every coordinate, public, and the slope limit of ProductClip.
  void set_clips(std::span<const double> clips, double slope_limit);

  /// Over all records, at these coefficients: one read of the design.
  void refresh(std::span<const double> coef);
  /// Over the records of a sample that `draw(number of records)` gives.
  template <class Draw>
  void refresh_sample(std::span<const double> coef, Draw&& draw) {
    Sample sample = draw(target_.records());
    add_records(coef, sample.rewrite(RecordPass()));
  }

  const Sensitive<Sums>& sums() const { return sums_; }
  /// The sums times `clips` over `whole`, as gradients in doubles, for the published mechanism
  /// alone. Differs from the paper: its clipped entries are not rounded to the grid.
  const Sensitive<std::vector<double>>& in_doubles(std::span<const double> clips, double whole);

 private:
  /// What one thread works with.
  struct Bench {
    std::vector<std::int32_t> grid;
    std::vector<double> margins, targets, slopes;  ///< of a few records, head after head
    std::vector<double> lanes, limited, copies;    ///< of one record and all heads
  };
  /// Whether the heads of a feature stand side by side while records are added up.
  static constexpr bool kCanJoinHeads = std::is_same_v<Design, data::SparseDesign>;
  bool joins_heads() const { return kCanJoinHeads && coordinates_.heads() > 1; }
  /// Coefficients as they are read, and sums as they are wanted: head after head, or feature after
  /// feature.
  const double* arranged(std::span<const double> coef);
  void rearrange(Sums& sums);
  /// Adds up records row(0), ..., row(count - 1), on as many threads as that is worth.
  template <class Row>
  void add_rows(const double* coef, std::size_t count, const Row& row, Sums& sums);
  template <class Row>
  void add_range(const double* coef, data::Range range, const Row& row, Bench& bench,
                 Sums& sums) const;
  void add_records(std::span<const double> coef, const std::vector<std::size_t>& records);
  /// `slopes`, one per head, have the record's weight in them.
  void add_record(std::size_t i, std::span<const double> slopes, Bench& bench, Sums& sums) const;
  void add_heads(std::size_t i, std::span<const double> slopes, Bench& bench, Sums& sums) const;
  void find_margins(const double* coef, std::size_t i, Bench& bench, std::span<double> out) const;
  /// The slopes of these records at their margins, without their weights.
  void find_slopes(std::size_t first, std::size_t count, const auto& row, Bench& bench) const;
  /// The l2 bound of record i with these slopes: at most that of its weight.
  std::uint64_t bound_of(std::size_t i, std::span<const double> slopes) const;

  HeadTarget target_;
  const AnyLoss& loss_;
  bool is_softmax_;  ///< of several heads
  const Coordinates& coordinates_;
  const RecordWeights& weights_;
  const RecordFactors& factors_;
  core::ThreadPool& pool_;
  RecordRows<Design> rows_;
  std::vector<data::Range> shards_;
  std::size_t mean_entries_;      ///< of a record, at least 1
  std::vector<double> per_clip_;  ///< K / clip
  double per_slope_ = 0.0;        ///< K over the slope limit; 0: no limit
  bool room_;
  std::vector<Bench> benches_;  ///< one per thread
  std::vector<Sums> partial_;   ///< likewise, but for the first
  std::vector<double> joined_coef_;
  Sums joined_sums_;
  Sensitive<Sums> sums_;
  Sensitive<std::vector<double>> doubles_;
};

extern template class RecordGradient<data::DenseDesign<double>>;
extern template class RecordGradient<data::DenseDesign<float>>;
extern template class RecordGradient<data::SparseDesign>;

}  // namespace southwell::problem
