#pragma once

#include <cstddef>
#include <vector>

#include "southwell/model/linear_model.hpp"

namespace southwell::assess {

// Where a record stands in a histogram: a function of one number of this record and of what is
// public. Statement and proof in record_sums.md.

/// The most bins that a histogram has.
inline constexpr std::size_t kMostBins = 64;
/// Points of a curve that is made of bins: each of as many bins as there are.
inline constexpr std::size_t kGroups = 16;

/// How many bins: 16, 32 or 64, by how many records there are for the noise of one count (its
/// standard deviation, in records). Every bin brings noise of its own, and wide bins round: few of
/// them where the noise is what matters, many where it is next to nothing.
std::size_t bins_for(double records, double count_sd);

/// Bins between edges that rise; the first and the last have no end of their own.
class Bins {
 public:
  std::size_t size() const { return centres_.size(); }
  /// Not for NaN. What is at an edge is below it.
  std::size_t of(double value) const;
  /// Where a bin ends; the last one has no end.
  double upper(std::size_t bin) const { return edges_[bin]; }
  /// As wide as it is taken to be where it has no end.
  double width(std::size_t bin) const { return higher(bin) - lower(bin); }
  /// The number that stands for a bin: its middle, moved by what neighbours of another width say of
  /// a smooth density within it (Euler and Maclaurin: a twelfth of the widths' difference).
  double centre(std::size_t bin) const { return centres_[bin]; }

 protected:
  /// Where the first bin is taken to begin and the last to end.
  Bins(std::vector<double> edges, double begin, double end);

 private:
  double lower(std::size_t bin) const { return bin == 0 ? begin_ : edges_[bin - 1]; }
  double higher(std::size_t bin) const { return bin + 1 == size() ? end_ : edges_[bin]; }

  std::vector<double> edges_;
  double begin_;
  double end_;
  std::vector<double> centres_;
};

/// Bins of the margin of a classifier, from -6 to 6. Two fifths of them are as wide as
/// asinh(margin) says, the others as the distance from the model's intercept does in units of what
/// its coefficients make of features of their declared size: predictions that differ by little are
/// told apart as well. 0 is an edge, so that bins tell the predicted class. All of it is a function
/// of the model. What lies beyond -6 and 6 is in the end bins, and counts as their middle.
class MarginBins : public Bins {
 public:
  static constexpr double kEnd = 6.0;

  MarginBins(const model::LinearModel& model, std::size_t bins);
  bool predicts_second(std::size_t bin) const { return bin > last_of_first_; }

 private:
  std::size_t last_of_first_;
};

/// Bins of the size of an error in units of the target scale: below about 2^-8, then by equal parts
/// of an octave (of 64 by sixths) up to 4, and what is larger.
class ErrorBins : public Bins {
 public:
  static constexpr double kEnd = 4.0;

  explicit ErrorBins(std::size_t bins);
};

}  // namespace southwell::assess
