#include "southwell/assess/class_figures.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "southwell/assess/bins.hpp"
#include "southwell/assess/rank_figures.hpp"
#include "southwell/assess/record_sums.hpp"
#include "southwell/assess/two_classes.hpp"
#include "southwell/core/exp.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::assess {
namespace {

double probability(double margin) { return 1.0 / (1.0 + core::exp(-margin)); }

/// Sixteen groups of bins; those without enough records say nothing.
std::vector<CalibrationPoint> calibration(const TwoClasses& of) {
  const std::size_t together = of.bins.size() / kGroups;
  std::vector<CalibrationPoint> out;
  for (std::size_t first = 0; first < of.bins.size(); first += together) {
    const std::size_t last = first + together - 1;
    const auto is_within = [&](std::size_t b) { return b >= first && b <= last; };
    const Weights among(of, [&](std::size_t b, bool) { return is_within(b); });
    const Weights second(of,
                         [&](std::size_t b, bool positive) { return is_within(b) && positive; });
    CalibrationPoint point{.observed = of.counts.ratio(second, among, kShareLimits)};
    if (!point.observed.is_determined()) continue;
    double weights = 0.0;
    double sum = 0.0;
    for (std::size_t b = first; b <= last; ++b) {
      const double weight = std::max(of.negative[b] + of.positive[b], 0.0);
      weights += weight;
      sum += weight * probability(of.bins.centre(b));
    }
    point.predicted = sum / weights;
    point.from = first == 0 ? 0.0 : probability(of.bins.upper(first - 1));
    point.to = last + 1 == of.bins.size() ? 1.0 : probability(of.bins.upper(last));
    out.push_back(point);
  }
  return out;
}

/// The loss of a record in each cell, at the margin that stands for its bin.
Weights losses(const model::LinearModel& model, const TwoClasses& of) {
  const problem::AnyLoss loss = problem::loss_of(model.objective);
  return {of, [&](std::size_t b, bool positive) {
            const double margin = of.bins.centre(b);
            const double target = positive ? 1.0 : -1.0;
            double value = 0.0;
            problem::values(loss, {&margin, 1}, {&target, 1}, {&value, 1});
            return value;
          }};
}

void add_confusion(const TwoClasses& of, PrivateFigures& out) {
  const Weights all(of, [](std::size_t, bool) { return 1.0; });
  for (const bool truth : {false, true}) {
    for (const bool predicted : {false, true}) {
      const Weights own(of, [&](std::size_t b, bool positive) {
        return positive == truth && of.bins.predicts_second(b) == predicted;
      });
      out.confusion.push_back(of.counts.ratio(own, all, kShareLimits));
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
  const MarginBins bins(model, bins_of_cells(counts.size()));
  const TwoClasses of(bins, counts);
  const bool is_logistic = model.objective.loss == problem::Logistic::kName;
  const Weights all(of, [](std::size_t, bool) { return 1.0; });
  Weights labelled = all;
  labelled[unknown_cell(counts.size())] = 1.0;  // a label that is none of the model's is wrong
  const Weights right(
      of, [&](std::size_t b, bool positive) { return bins.predicts_second(b) == positive; });
  const Figure loss = counts.ratio(losses(model, of), all, {.least = 0.0});
  out.figures.push_back({"loss_value", loss});
  out.figures.push_back({"accuracy", counts.ratio(right, labelled, kShareLimits)});
  out.figures.push_back({"auc", auc(of)});
  out.figures.push_back({"lift_10", lift(of)});
  if (is_logistic) {
    out.figures.push_back({"log_loss", loss});
    const Weights brier(of, [&](std::size_t b, bool positive) {
      const double off = probability(bins.centre(b)) - (positive ? 1.0 : 0.0);
      return off * off;
    });
    out.figures.push_back({"brier", counts.ratio(brier, all, kShareLimits)});
    out.calibration = calibration(of);
  }
  if (out.find("auc")->is_determined()) out.roc = roc(of);
  name_classes(model, out);
  add_confusion(of, out);
}

void add_many_class_figures(const model::LinearModel& model, const NoisyCounts& counts,
                            PrivateFigures& out) {
  const std::size_t classes = model.classes.size();
  std::vector<double> known(counts.size());
  std::fill_n(known.begin(), classes * classes, 1.0);
  std::vector<double> labelled = known;
  labelled[unknown_cell(counts.size())] = 1.0;
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
