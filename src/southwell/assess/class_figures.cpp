#include "southwell/assess/class_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "southwell/assess/bins.hpp"
#include "southwell/assess/monotone.hpp"
#include "southwell/assess/record_sums.hpp"
#include "southwell/core/exp.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::assess {
namespace {

constexpr Limits kShareLimits{0.0, 1.0};
constexpr std::size_t kNegative = 0;
constexpr std::size_t kPositive = kBins;  ///< where the bins of the second class begin

double probability(double margin) { return 1.0 / (1.0 + core::exp(-margin)); }

/// A weight for each bin of each class; 0 for the two cells beside them.
class Weights {
 public:
  explicit Weights(std::size_t cells) : of_cell_(cells) {}
  template <class Of>
  static Weights of(std::size_t cells, const Of& weight) {
    Weights out(cells);
    for (std::size_t b = 0; b < kBins; ++b) {
      out.of_cell_[kNegative + b] = weight(b, false);
      out.of_cell_[kPositive + b] = weight(b, true);
    }
    return out;
  }
  double& operator[](std::size_t cell) { return of_cell_[cell]; }
  operator std::span<const double>() const { return of_cell_; }

 private:
  std::vector<double> of_cell_;
};

/// What the two classes of a histogram have below each bin, half of the bin itself included.
struct Ranks {
  explicit Ranks(const NoisyCounts& counts) {
    for (std::size_t b = 0; b < kBins; ++b) {
      below_negative[b] = negatives + 0.5 * counts[kNegative + b];
      below_positive[b] = positives + 0.5 * counts[kPositive + b];
      negatives += counts[kNegative + b];
      positives += counts[kPositive + b];
    }
  }
  std::array<double, kBins> below_negative{};
  std::array<double, kBins> below_positive{};
  double negatives = 0.0;
  double positives = 0.0;
};

/// The probability that a record of the second class has a higher margin than one of the first,
/// equal bins half. Its influence function: what one more record in a cell does to it.
Figure auc(const NoisyCounts& counts) {
  const auto is_positive = [](std::size_t, bool positive) { return positive ? 1.0 : 0.0; };
  const auto is_negative = [](std::size_t, bool positive) { return positive ? 0.0 : 1.0; };
  if (!counts.is_clear(Weights::of(counts.size(), is_positive)) ||
      !counts.is_clear(Weights::of(counts.size(), is_negative))) {
    return {};
  }
  const Ranks ranks(counts);
  const double pairs = ranks.positives * ranks.negatives;
  double wins = 0.0;
  for (std::size_t b = 0; b < kBins; ++b) wins += counts[kPositive + b] * ranks.below_negative[b];
  const double value = wins / pairs;
  const Weights influence = Weights::of(counts.size(), [&](std::size_t b, bool positive) {
    return positive ? (ranks.below_negative[b] / ranks.negatives - value) / ranks.positives
                    : (1.0 - ranks.below_positive[b] / ranks.positives - value) / ranks.negatives;
  });
  // The influence itself holds noise, which adds to its square twice what the product of the two
  // classes' noise adds to the variance: one of the two is too much.
  const double off = (1.0 - value) * (1.0 - value) + value * value;
  const double product_noise = std::pow(counts.cell_sd(), 4) * 0.5 *
                               static_cast<double>(kBins * kBins) * off / (pairs * pairs);
  const double plain = counts.noise_variance(influence);
  return figure_of(value, std::max(plain - product_noise, 0.5 * plain),
                   counts.sampling_variance(influence), kShareLimits);
}

/// From the highest threshold to the lowest, as curves that do not fall.
RocCurve roc(const NoisyCounts& counts) {
  const Ranks ranks(counts);
  std::array<double, kBins + 1> negative{};
  std::array<double, kBins + 1> positive{};
  for (std::size_t k = 0; k < kBins; ++k) {
    const std::size_t b = kBins - 1 - k;
    negative[k + 1] = negative[k] + counts[kNegative + b];
    positive[k + 1] = positive[k] + counts[kPositive + b];
  }
  negative = monotone(negative);
  positive = monotone(positive);
  RocCurve out;
  for (std::size_t k = 0; k <= kBins; ++k) {
    const bool is_end = k == 0 || k == kBins;
    const double end = k == 0 ? 0.0 : 1.0;
    out.false_positive_rate.push_back(is_end ? end
                                             : std::clamp(negative[k] / ranks.negatives, 0.0, 1.0));
    out.true_positive_rate.push_back(is_end ? end
                                            : std::clamp(positive[k] / ranks.positives, 0.0, 1.0));
  }
  return out;
}

/// Sixteen groups of four bins; those without enough records say nothing.
std::vector<CalibrationPoint> calibration(const MarginBins& bins, const NoisyCounts& counts) {
  constexpr std::size_t kTogether = 4;
  std::vector<CalibrationPoint> out;
  for (std::size_t first = 0; first < kBins; first += kTogether) {
    const auto is_within = [&](std::size_t b) { return b >= first && b < first + kTogether; };
    const Weights among =
        Weights::of(counts.size(), [&](std::size_t b, bool) { return is_within(b) ? 1.0 : 0.0; });
    const Weights second = Weights::of(counts.size(), [&](std::size_t b, bool positive) {
      return is_within(b) && positive ? 1.0 : 0.0;
    });
    CalibrationPoint point{.observed = counts.ratio(second, among, kShareLimits)};
    if (!point.observed.is_determined()) continue;
    double weights = 0.0;
    double sum = 0.0;
    for (std::size_t b = first; b < first + kTogether; ++b) {
      const double weight = std::max(counts[kNegative + b] + counts[kPositive + b], 0.0);
      weights += weight;
      sum += weight * probability(bins.centre(b));
    }
    point.predicted = sum / weights;
    point.from = first == 0 ? 0.0 : probability(bins.upper(first - 1));
    point.to = first + kTogether == kBins ? 1.0 : probability(bins.upper(first + kTogether - 1));
    out.push_back(point);
  }
  return out;
}

/// The loss of a record in each cell, at the margin that stands for its bin.
Weights losses(const model::LinearModel& model, const MarginBins& bins, std::size_t cells) {
  const problem::AnyLoss loss = problem::loss_of(model.objective);
  std::array<double, kBins> margins{};
  for (std::size_t b = 0; b < kBins; ++b) margins[b] = bins.centre(b);
  Weights out(cells);
  for (const bool positive : {false, true}) {
    std::array<double, kBins> target{};
    target.fill(positive ? 1.0 : -1.0);
    std::array<double, kBins> values{};
    problem::values(loss, margins, target, values);
    for (std::size_t b = 0; b < kBins; ++b) out[(positive ? kPositive : kNegative) + b] = values[b];
  }
  return out;
}

void add_confusion(const MarginBins& bins, const NoisyCounts& counts, PrivateFigures& out) {
  const Weights all = Weights::of(counts.size(), [](std::size_t, bool) { return 1.0; });
  for (const bool truth : {false, true}) {
    for (const bool predicted : {false, true}) {
      const Weights own = Weights::of(counts.size(), [&](std::size_t b, bool positive) {
        return positive == truth && bins.predicts_second(b) == predicted ? 1.0 : 0.0;
      });
      out.confusion.push_back(counts.ratio(own, all, kShareLimits));
    }
  }
}

void name_classes(const model::LinearModel& model, PrivateFigures& out) {
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    out.class_names.push_back(model::class_name(model, k));
  }
}

}  // namespace

void add_two_class_figures(const model::LinearModel& model, const NoisyCounts& counts,
                           PrivateFigures& out) {
  const std::size_t cells = counts.size();
  const MarginBins bins(model);
  const bool is_logistic = model.objective.loss == problem::Logistic::kName;
  const Weights all = Weights::of(cells, [](std::size_t, bool) { return 1.0; });
  Weights labelled = all;
  labelled[unknown_cell(2)] = 1.0;  // a label that the model does not know is a wrong prediction
  const Weights right = Weights::of(cells, [&](std::size_t b, bool positive) {
    return bins.predicts_second(b) == positive ? 1.0 : 0.0;
  });
  const Figure loss = counts.ratio(losses(model, bins, cells), all, {.least = 0.0});
  out.figures.push_back({"loss_value", loss});
  out.figures.push_back({"accuracy", counts.ratio(right, labelled, kShareLimits)});
  out.figures.push_back({"auc", auc(counts)});
  if (is_logistic) {
    out.figures.push_back({"log_loss", loss});
    const Weights brier = Weights::of(cells, [&](std::size_t b, bool positive) {
      const double off = probability(bins.centre(b)) - (positive ? 1.0 : 0.0);
      return off * off;
    });
    out.figures.push_back({"brier", counts.ratio(brier, all, kShareLimits)});
    out.calibration = calibration(bins, counts);
  }
  if (out.find("auc")->is_determined()) out.roc = roc(counts);
  name_classes(model, out);
  add_confusion(bins, counts, out);
}

void add_many_class_figures(const model::LinearModel& model, const NoisyCounts& counts,
                            PrivateFigures& out) {
  const std::size_t classes = model.classes.size();
  std::vector<double> known(counts.size());
  std::fill_n(known.begin(), classes * classes, 1.0);
  std::vector<double> labelled = known;
  labelled[unknown_cell(classes)] = 1.0;
  std::vector<double> own(counts.size());
  for (std::size_t k = 0; k < classes; ++k) own[k * classes + k] = 1.0;
  out.figures.push_back({"accuracy", counts.ratio(own, labelled, kShareLimits)});
  name_classes(model, out);
  // All shares have the same denominator: of each only its own cell differs.
  const bool is_clear = counts.is_clear(known);
  const double all = counts.sum(known);
  const double noise_of_all = counts.noise_variance(known);
  for (std::size_t cell = 0; cell < classes * classes; ++cell) {
    if (!is_clear) {
      out.confusion.emplace_back();
      continue;
    }
    const double share = counts[cell] / all;
    const double cell_noise = counts.cell_sd() * counts.cell_sd();
    // Var(c - share sum): the covariance of a count with the sum is its own part of it.
    const double covariance = noise_of_all / static_cast<double>(classes * classes);
    const double noise = cell_noise - 2.0 * share * covariance + share * share * noise_of_all;
    out.confusion.push_back(figure_of(share, noise / (all * all),
                                      std::max(share * (1.0 - share), 0.0) / all, kShareLimits));
  }
}

}  // namespace southwell::assess
