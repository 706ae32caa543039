#pragma once

#include <array>
#include <cstddef>

#include "southwell/model/linear_model.hpp"

namespace southwell::assess {

// Where a record stands in a histogram: a function of one number of this record and of what is
// public. Statement and proof in record_sums.md.

inline constexpr std::size_t kBins = 64;

/// 64 bins between 63 edges that do not fall; the first and the last have no end of their own.
class Bins {
 public:
  using Edges = std::array<double, kBins - 1>;

  /// Not for NaN. What is at an edge is below it.
  std::size_t of(double value) const;
  /// Where a bin ends; the last one has no end.
  double upper(std::size_t bin) const { return edges_[bin]; }
  /// The number that stands for a bin: its middle, moved by what neighbours of another width say of
  /// a smooth density within it (Euler and Maclaurin: a twelfth of the widths' difference).
  double centre(std::size_t bin) const { return centres_[bin]; }

 protected:
  /// Where the first bin is taken to begin and the last to end.
  Bins(const Edges& edges, double begin, double end);

 private:
  Edges edges_;
  std::array<double, kBins> centres_{};
};

/// Bins of the margin of a classifier. A third of the edges are even in asinh(margin) from -6 to 6,
/// a fifth to two thirds of the odds apart; 0 is one of them, so that bins tell the predicted
/// class. The others lie around the model's intercept, as far as 3.5 times what its coefficients
/// make of features of their declared size: predictions that differ by little are told apart as
/// well. All of it is a function of the model. What lies beyond -6 and 6 is in the end bins, and
/// counts as their middle.
class MarginBins : public Bins {
 public:
  static constexpr double kEnd = 6.0;

  explicit MarginBins(const model::LinearModel& model);
  bool predicts_second(std::size_t bin) const { return bin > last_of_first_; }

 private:
  std::size_t last_of_first_;
};

/// Bins of the size of an error in units of the target scale: below 2^(-50/6), then by sixths of
/// an octave up to 4, and what is larger.
class ErrorBins : public Bins {
 public:
  static constexpr double kEnd = 4.0;

  ErrorBins();
};

}  // namespace southwell::assess
