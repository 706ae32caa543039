#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "southwell/assess/bins.hpp"
#include "southwell/assess/noisy_counts.hpp"

namespace southwell::assess {

inline constexpr Limits kShareLimits{0.0, 1.0};

/// A histogram of two classes: the bins of the first, then those of the second.
struct TwoClasses {
  TwoClasses(const MarginBins& margins, const NoisyCounts& noisy)
      : bins(margins),
        counts(noisy),
        negative(noisy.counts().subspan(0, margins.size())),
        positive(noisy.counts().subspan(margins.size(), margins.size())),
        negatives(std::accumulate(negative.begin(), negative.end(), 0.0)),
        positives(std::accumulate(positive.begin(), positive.end(), 0.0)) {}

  const MarginBins& bins;
  const NoisyCounts& counts;
  std::span<const double> negative;
  std::span<const double> positive;
  double negatives;
  double positives;
};

/// A weight for each bin of each class; 0 for the two cells beside them.
class Weights {
 public:
  template <class Of>
  Weights(const TwoClasses& of, const Of& weight)
      : bins_(of.bins.size()), of_cell_(of.counts.size()) {
    for (std::size_t b = 0; b < bins_; ++b) {
      of_cell_[b] = weight(b, false);
      of_cell_[bins_ + b] = weight(b, true);
    }
  }
  double& operator[](std::size_t cell) { return of_cell_[cell]; }
  operator std::span<const double>() const { return of_cell_; }

 private:
  std::size_t bins_;
  std::vector<double> of_cell_;
};

}  // namespace southwell::assess
