#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "southwell/assess/bins.hpp"
#include "southwell/core/sensitive.hpp"
#include "southwell/data/units.hpp"
#include "southwell/fit/figure_mechanisms.hpp"

namespace southwell::assess {

// All that figures read of records: whole numbers, each record adding a share that depends on
// nothing but this record, the number of records of its unit and what is public. Statement and
// proof in record_sums.md.

inline constexpr std::int64_t kShare = fit::kFigureShare;  ///< K: what a unit adds at most

/// What is known of one record: its prediction, its target and whose it is.
struct AssessedRecords {
  std::span<const double> margins;  ///< of record i and head h at i * heads + h
  std::span<const double> target;
  std::span<const double> classes;  ///< empty: a regression
  const std::optional<data::Units>& units;

  std::size_t heads() const { return classes.size() > 2 ? classes.size() : 1; }
};

// Where the cells of a histogram of classes stand. Each has two cells of its own for records that
// nothing can be said of: those without a target or a prediction (NaN), and those whose label is
// none of the classes.

/// Two classes: the bins of the margin of the first class, then those of the second.
inline std::size_t cells_of_bins(std::size_t bins) { return 2 * bins + 2; }
inline std::size_t bins_of_cells(std::size_t cells) { return (cells - 2) / 2; }
/// More: true class by predicted class.
inline std::size_t cells_of_classes(std::size_t classes) { return classes * classes + 2; }
inline std::size_t left_out_cell(std::size_t cells) { return cells - 2; }
inline std::size_t unknown_cell(std::size_t cells) { return cells - 1; }

/// Two classes: bins of the margin by true class.
Sensitive<std::vector<std::int64_t>> margin_histogram(const AssessedRecords& records,
                                                      const MarginBins& bins);
/// More: true class by predicted class.
Sensitive<std::vector<std::int64_t>> class_histogram(const AssessedRecords& records);

/// Bins of the error's size in units of `scale`, then the cell of those without.
Sensitive<std::vector<std::int64_t>> error_histogram(const AssessedRecords& records,
                                                     const ErrorBins& bins, double scale);

/// What errors and targets are measured in; public, or a function of what was released before.
struct MomentUnits {
  double error_scale = 1.0;
  double target_scale = 1.0;
  double centre = 0.0;
};
/// Sums of (e, e^2, b, b^2) in units of kMomentLimit / K, where e is the error in units of
/// `error_scale` and b what the target is above `centre` in units of `target_scale`; a pair (e,
/// e^2) or (b, b^2) that is longer than its limit is shortened to it, and a record without an error
/// adds nothing.
Sensitive<std::vector<std::int64_t>> error_moments(const AssessedRecords& records,
                                                   const MomentUnits& units);
inline constexpr double kMomentLimit = 16.0;              ///< of all four, in l2 norm
inline constexpr double kPairLimit = 11.313708498984760;  ///< of each pair: over sqrt(2)
inline constexpr std::size_t kMoments = 4;

}  // namespace southwell::assess
