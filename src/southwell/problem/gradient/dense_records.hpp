#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/problem/gradient/block_clip.hpp"
#include "southwell/problem/gradient/record_columns.hpp"
#include "southwell/problem/gradient/record_law.hpp"

namespace southwell::problem {

/// The shares of dense records, a block of them at a time: it is read from memory once, for its
/// margins, and is in the cache when their vectors are clipped and added up.
template <class T>
class DenseRecords {
 public:
  /// What one thread works with.
  class Bench {
   public:
    Bench(std::size_t records, std::size_t heads);

   private:
    friend class DenseRecords;
    std::vector<double> sums, dots;                ///< of LaneSum
    std::vector<double> margins, targets, slopes;  ///< record after record, heads in each
    std::vector<double> by_head, of_features;      ///< slopes head after head; times factors
    std::vector<double> bounds, weight_bounds;
    BlockClip clip;
    typename RecordColumns<T>::Gathered gathered;
  };

  DenseRecords(const data::DenseDesign<T>& design, const RecordLaw& law);

  Bench bench() const { return {most_, law_.heads()}; }
  /// What a record costs, in entries.
  std::size_t entries() const { return columns_.features() + kRecord; }
  void expect_lists(core::ThreadPool& pool) { columns_.expect_lists(pool); }

  const double* arranged(std::span<const double> coef) { return coef.data(); }
  void rearrange(std::span<std::int64_t>) const {}
  /// Adds up their shares, at these coefficients.
  void add(const double* coef, const RecordNumbers& records, Bench& bench,
           std::span<std::int64_t> sums) const;

 private:
  void add_block(const double* coef, const RecordBlock<T>& block, const RecordNumbers& records,
                 Bench& bench, std::span<std::int64_t> sums) const;
  void find_slopes(const double* coef, const RecordBlock<T>& block, const RecordNumbers& records,
                   Bench& bench) const;
  /// What features are multiplied by, head after head.
  const double* feature_slopes(const Bench& bench) const {
    return law_.factors().are_all_one() ? bench.by_head.data() : bench.of_features.data();
  }
  std::int64_t room(const RecordNumbers& records, const Bench& bench) const;
  /// The clipped shares of some heads, clipped together.
  void add_heads(const RecordBlock<T>& block, data::Range heads, Bench& bench,
                 std::span<std::int64_t> sums) const;

  static constexpr std::size_t kRecord = 16;  ///< what is done once for each of them
  const RecordLaw& law_;
  RecordColumns<T> columns_;
  std::size_t most_;          ///< records of a block
  std::vector<double> ones_;  ///< what an intercept's column holds
};

extern template class DenseRecords<double>;
extern template class DenseRecords<float>;

}  // namespace southwell::problem
