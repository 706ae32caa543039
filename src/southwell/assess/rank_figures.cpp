#include "southwell/assess/rank_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "southwell/assess/monotone.hpp"

namespace southwell::assess {
namespace {

bool both_classes_are_clear(const TwoClasses& of) {
  return of.counts.is_clear(
             Weights(of, [](std::size_t, bool positive) { return positive ? 1.0 : 0.0; })) &&
         of.counts.is_clear(
             Weights(of, [](std::size_t, bool positive) { return positive ? 0.0 : 1.0; }));
}

/// How the density within a bin leans, by what its neighbours say of a smooth one: it is
/// count + lean (2 u - 1) for u from 0 to 1. The lean is a linear function of the counts: here is
/// by how much each neighbour counts in it.
struct Lean {
  std::size_t below;
  std::size_t above;
  double of_below;
  double of_above;

  double in(std::span<const double> counts) const {
    return of_above * counts[above] - of_below * counts[below];
  }
};

Lean lean_of(const Bins& bins, std::size_t b) {
  const std::size_t below = b == 0 ? b : b - 1;
  const std::size_t above = b + 1 == bins.size() ? b : b + 1;
  const double apart = 0.5 * bins.width(below) + 0.5 * bins.width(above) +
                       (below < b && b < above ? bins.width(b) : 0.0);
  const double own = 0.5 * bins.width(b) * bins.width(b) / apart;
  return {below, above, own / bins.width(below), own / bins.width(above)};
}

/// What records of one class have of the other below each bin: all that are in lower bins, half of
/// those in the same one, and a sixth of what leans there to one side or the other, so that the
/// number of pairs in order is that of smooth densities, not of level ones.
std::vector<double> below_each(const Bins& bins, std::span<const double> counts) {
  std::vector<double> out(bins.size());
  double sum = 0.0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    out[b] += sum + 0.5 * counts[b];
    sum += counts[b];
    const Lean lean = lean_of(bins, b);
    out[b] -= lean.in(counts) / 6.0;
    out[lean.above] += lean.of_above * counts[b] / 6.0;
    out[lean.below] -= lean.of_below * counts[b] / 6.0;
  }
  return out;
}

/// The records with the highest margins, so many of all: which part of each bin is among them.
class Top {
 public:
  Top(const TwoClasses& of, double share) : of_(of), part_of_(of.bins.size()) {
    double left = share * (of.positives + of.negatives);
    for (std::size_t b = of.bins.size(); b-- > 0 && left > 0.0;) {
      const double own = of.positive[b] + of.negative[b];
      part_of_[b] = own <= left ? 1.0 : part_above(b, left / own);
      left -= own;
    }
  }

  double part_of(std::size_t bin) const { return part_of_[bin]; }
  /// The share of the second class that is among them.
  double gain() const {
    double found = 0.0;
    for (std::size_t b = 0; b < part_of_.size(); ++b) found += part_of_[b] * of_.positive[b];
    return found / of_.positives;
  }

 private:
  /// That of the second class in the bin where the top begins, of which it has a part of all.
  double part_above(std::size_t b, double part) const {
    const Lean lean = lean_of(of_.bins, b);
    const auto leans = [&](std::span<const double> counts) {
      return counts[b] > 0.0 ? std::clamp(lean.in(counts) / counts[b], -1.0, 1.0) : 0.0;
    };
    // A density that leans differently for one class has more of it above.
    const double both = of_.positive[b] + of_.negative[b];
    const double all = std::clamp(
        (lean.in(of_.positive) + lean.in(of_.negative)) / std::max(both, 1e-9), -1.0, 1.0);
    return std::clamp(part + (leans(of_.positive) - all) * part * (1.0 - part), 0.0, 1.0);
  }

  const TwoClasses& of_;
  std::vector<double> part_of_;
};

}  // namespace

Figure auc(const TwoClasses& of) {
  if (!both_classes_are_clear(of)) return {};
  const std::vector<double> below_positive = below_each(of.bins, of.negative);
  // Of the positive ones the same with the order turned: all that are not below.
  const std::vector<double> below_negative = below_each(of.bins, of.positive);
  const double pairs = of.positives * of.negatives;
  const double wins =
      std::inner_product(of.positive.begin(), of.positive.end(), below_positive.begin(), 0.0);
  const double value = wins / pairs;
  const Weights influence(of, [&](std::size_t b, bool positive) {
    return positive ? (below_positive[b] / of.negatives - value) / of.positives
                    : (1.0 - below_negative[b] / of.positives - value) / of.negatives;
  });
  // The influence itself holds noise, which adds to its square twice what the product of the two
  // classes' noise adds to the variance: one of the two is too much.
  const double off = (1.0 - value) * (1.0 - value) + value * value;
  const auto bins = static_cast<double>(of.bins.size());
  const double product_noise =
      std::pow(of.counts.cell_sd(), 4) * 0.5 * bins * bins * off / (pairs * pairs);
  const double plain = of.counts.noise_variance(influence);
  return figure_of(value, std::max(plain - product_noise, 0.5 * plain),
                   of.counts.sampling_variance(influence), kShareLimits);
}

RocCurve roc(const TwoClasses& of) {
  const std::size_t bins = of.bins.size();
  std::vector<double> negative(bins + 1);
  std::vector<double> positive(bins + 1);
  for (std::size_t k = 0; k < bins; ++k) {
    negative[k + 1] = negative[k] + of.negative[bins - 1 - k];
    positive[k + 1] = positive[k] + of.positive[bins - 1 - k];
  }
  negative = monotone(negative);
  positive = monotone(positive);
  RocCurve out;
  for (std::size_t k = 0; k <= bins; ++k) {
    const bool is_end = k == 0 || k == bins;
    const double end = k == 0 ? 0.0 : 1.0;
    out.false_positive_rate.push_back(is_end ? end
                                             : std::clamp(negative[k] / of.negatives, 0.0, 1.0));
    out.true_positive_rate.push_back(is_end ? end
                                            : std::clamp(positive[k] / of.positives, 0.0, 1.0));
  }
  return out;
}

Figure lift(const TwoClasses& of) {
  constexpr double kShareOfAll = 0.1;
  constexpr double kAside = 0.05;  // the slope of the curve there is taken from as far away
  if (!both_classes_are_clear(of)) return {};
  const Top top(of, kShareOfAll);
  const double gain = top.gain();
  const double slope =
      std::max(Top(of, kShareOfAll + kAside).gain() - Top(of, kShareOfAll - kAside).gain(), 0.0) /
      (2.0 * kAside);
  // A record in a cell: what it adds to the gain, and by how far it moves where the top begins.
  const Weights influence(of, [&](std::size_t b, bool positive) {
    const double in_top = top.part_of(b);
    const double own = positive ? (in_top - gain) / of.positives : 0.0;
    return (own - slope * (in_top - kShareOfAll) / (of.positives + of.negatives)) / kShareOfAll;
  });
  return figure_of(gain / kShareOfAll, of.counts.noise_variance(influence),
                   of.counts.sampling_variance(influence), {0.0, 1.0 / kShareOfAll});
}

}  // namespace southwell::assess
