#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"
#include "southwell/problem/gradient/record_law.hpp"

namespace southwell::problem {

/// The shares of sparse records, one by one. The design lists its entries by record once it is
/// asked to. Of several heads at once, those of a feature stand side by side in coefficients, grid
/// and sums, and the bits are those of one by one.
class SparseRecords {
 public:
  /// What one thread works with.
  struct Bench {
    std::vector<std::int32_t> grid;
    std::vector<double> margins, targets, slopes;  ///< of a few records, record after record
    std::vector<double> lanes, limited, copies;    ///< of one record and all heads
  };

  SparseRecords(const data::SparseDesign& design, const RecordLaw& law);

  Bench bench() const { return {}; }
  std::size_t entries() const { return mean_entries_; }  ///< of a record, at least 1
  void expect_lists(core::ThreadPool&) const {}

  /// Coefficients as `add` reads them, and sums as they are wanted, from how `add` leaves them.
  const double* arranged(std::span<const double> coef);
  void rearrange(std::span<std::int64_t> sums);
  void add(const double* coef, const RecordNumbers& records, Bench& bench,
           std::span<std::int64_t> sums) const;

 private:
  data::SparseColumn row(std::size_t i) const { return {*lists_, i}; }
  bool joins_heads() const { return law_.heads() > 1; }
  void find_margins(const double* coef, std::size_t i, Bench& bench, std::span<double> out) const;
  void find_joined_margins(const double* coef, std::size_t i, Bench& bench,
                           std::span<double> out) const;
  void add_record(std::size_t i, double slope, Bench& bench, std::span<std::int64_t> sums) const;
  void add_joined_record(std::size_t i, std::span<const double> slopes, Bench& bench,
                         std::span<std::int64_t> sums) const;

  const RecordLaw& law_;
  std::shared_ptr<const data::Compressed> lists_;
  std::size_t mean_entries_;
  std::vector<double> joined_coef_;
  std::vector<std::int64_t> joined_sums_;
};

}  // namespace southwell::problem
