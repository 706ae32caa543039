#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/design.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::problem {

/// squares_i += the sum of RecordLimit::squared(x_ij, per_unit_j) over the features in their order,
/// for the records of a range. Dense tables in vectors of the machine's width, with the same bits.
void add_squares(const data::DenseDesign<double>& design, std::span<const double> per_unit,
                 data::Range records, std::span<double> squares);
void add_squares(const data::DenseDesign<float>& design, std::span<const double> per_unit,
                 data::Range records, std::span<double> squares);
template <data::Design D>
void add_squares(const D& design, std::span<const double> per_unit, data::Range records,
                 std::span<double> squares) {
  const auto block = design.block({0, design.features()});
  for (std::size_t j = 0; j < design.features(); ++j) {
    block.column(j).for_each(records, [&](std::size_t i, double x) {
      squares[i] += RecordLimit::squared(x, per_unit[j]);
    });
  }
}

/// The square of every record's norm in the limit's units: features in their order, one addition
/// each. Entries that are not stored would add a zero, so the bits do not depend on storage.
template <data::Design D>
std::vector<double> squared_norms(const D& design, const RecordLimit& limit,
                                  core::ThreadPool& pool) {
  std::vector<double> squares(design.records());
  constexpr std::size_t kGrain = 4096;
  std::vector<double> per_unit(design.features());
  for (std::size_t j = 0; j < per_unit.size(); ++j) per_unit[j] = 1.0 / limit.unit(j);
  pool.run_ranges(squares.size(), kGrain, [&](std::size_t first, std::size_t last) {
    add_squares(design, per_unit, {first, last}, squares);
  });
  return squares;
}

/// What each record's features are multiplied by before they enter the model (RecordLimit): a
/// function of that record and of what is public.
class RecordFactors {
 public:
  /// No record is limited.
  RecordFactors() = default;
  template <data::Design D>
  RecordFactors(const D& design, const RecordLimit& limit, core::ThreadPool& pool) {
    if (!limit.is_set()) return;
    factors_ = squared_norms(design, limit, pool);
    for (double& each : factors_) each = limit.factor(each);
  }

  /// Whether there is no limit: public, not a matter of records.
  bool are_all_one() const { return factors_.empty(); }
  double of(std::size_t i) const { return are_all_one() ? 1.0 : factors_[i]; }
  /// A feature of record i, or a sum of its features times coefficients, as the model has it.
  double limited(std::size_t i, double value) const {
    return are_all_one() ? value : RecordLimit::limited(factors_[i], value);
  }

 private:
  std::vector<double> factors_;
};

}  // namespace southwell::problem
