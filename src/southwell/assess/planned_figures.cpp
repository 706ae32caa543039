#include "southwell/assess/planned_figures.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "southwell/assess/bins.hpp"
#include "southwell/assess/class_figures.hpp"
#include "southwell/assess/error_figures.hpp"
#include "southwell/assess/noisy_counts.hpp"
#include "southwell/assess/record_sums.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::assess {
namespace {

constexpr double kMarginSd = 2.0;
constexpr double kErrorSd = 0.5;      ///< in target scales
constexpr double kRightShare = 0.75;  ///< of predictions of more than two classes

/// Calls with numbers of the normal law and their weights, which add up to 1.
template <class Of>
void over_normal(const Of& of) {
  constexpr int kHalf = 4000;
  constexpr double kEnd = 8.0;
  constexpr double kStep = kEnd / kHalf;
  for (int k = -kHalf; k <= kHalf; ++k) {
    const double x = kStep * k;
    of(x, kStep * std::exp(-0.5 * x * x) / std::sqrt(2.0 * 3.141592653589793));
  }
}

std::int64_t in_shares(double records) {
  return static_cast<std::int64_t>(std::rint(records * static_cast<double>(kShare)));
}

std::vector<std::int64_t> released(const std::vector<double>& shares, double records) {
  std::vector<std::int64_t> out;
  for (const double share : shares) out.push_back(in_shares(records * share));
  return out;
}

model::LinearModel model_of(const fit::Decisions& plan) {
  model::LinearModel model;
  model.objective = plan.spec.objective;
  model.classes = plan.classes;
  model.features = 1;
  model.heads.resize(plan.coordinates.heads);
  model.heads[0].coef = {{0, kMarginSd, 0.0}};
  return model;
}

std::vector<double> shares_of_two(const MarginBins& bins) {
  std::vector<double> shares(cells_of_bins(bins.size()));
  over_normal([&](double x, double weight) {
    const double margin = kMarginSd * x;
    const double second = 1.0 / (1.0 + std::exp(-margin));
    shares[bins.of(margin)] += weight * (1.0 - second);
    shares[bins.size() + bins.of(margin)] += weight * second;
  });
  return shares;
}

std::vector<double> shares_of_many(std::size_t classes) {
  std::vector<double> shares(cells_of_classes(classes));
  const auto count = static_cast<double>(classes);
  for (std::size_t truth = 0; truth < classes; ++truth) {
    for (std::size_t predicted = 0; predicted < classes; ++predicted) {
      const bool is_right = truth == predicted;
      shares[truth * classes + predicted] =
          (is_right ? kRightShare : (1.0 - kRightShare) / (count - 1.0)) / count;
    }
  }
  return shares;
}

std::vector<double> shares_of_errors(const ErrorBins& bins) {
  std::vector<double> shares(bins.size() + 1);
  over_normal([&](double x, double weight) { shares[bins.of(std::fabs(kErrorSd * x))] += weight; });
  return shares;
}

/// Sums of (e, e^2, b, b^2), as if none were cut.
std::vector<std::int64_t> expected_moments(const MomentUnits& units, double records) {
  const double error = std::pow(kErrorSd * units.target_scale / units.error_scale, 2);
  const double unit = records / kMomentLimit;
  return {0, in_shares(unit * error), 0, in_shares(unit * std::pow(2.0 * kErrorSd, 2))};
}

const privacy::Cost& cost_of(const fit::Decisions& plan, const std::string& step) {
  for (const model::MechanismUse& use : plan.statement.mechanisms) {
    if (use.step == step && use.part == model::kTestPart) return use.cost;
  }
  throw std::logic_error("planned figures: a plan without them");
}

}  // namespace

PlannedFigures planned_figures(const fit::FitPlan& plan) {
  if (!plan->held_out) return {};
  const model::LinearModel model = model_of(*plan);
  const auto records = static_cast<double>(plan->held_out->test);
  const bool replaces = plan->held_out->relation == privacy::Relation::replace_one;
  const auto total = replaces ? std::optional(records) : std::nullopt;
  const std::uint64_t scale = cost_of(*plan, "histogram").scale;
  const std::size_t bins = bins_for(records, sd_of_counts(scale));
  const auto counts = [&](const std::vector<double>& shares) {
    return NoisyCounts(released(shares, records), scale, total);
  };
  PrivateFigures out;
  std::string law;
  if (plan->classes.empty()) {
    const NoisyCounts of_errors = counts(shares_of_errors(ErrorBins(bins)));
    const std::uint64_t moment_scale = cost_of(*plan, "moments").scale;
    const MomentUnits units{
        .error_scale = error_scale_of(of_errors, plan->target_scale, sd_of_counts(moment_scale)),
        .target_scale = plan->target_scale};
    const std::vector<std::int64_t> sums = expected_moments(units, records);
    add_error_figures(model, {of_errors, sums, moment_scale, units}, out);
    law = "normal errors of half the target scale";
  } else if (plan->classes.size() == 2) {
    add_two_class_figures(model, counts(shares_of_two(MarginBins(model, bins))), out);
    law = "two classes, half each, with normal margins of standard deviation 2";
  } else {
    add_many_class_figures(model, counts(shares_of_many(plan->classes.size())), out);
    law = "classes alike, three of four predictions right";
  }
  return {.law = law, .figures = std::move(out.figures)};
}

double half_width(const Figure& figure) { return 0.5 * (figure.high - figure.low); }

std::string with_planned_figures(const std::string& table, const fit::FitPlan& plan) {
  const PlannedFigures planned = planned_figures(plan);
  if (planned.figures.empty()) return table;
  nlohmann::json out = nlohmann::json::parse(table);
  nlohmann::json& figures = out["figures"];
  for (const NamedFigure& each : planned.figures) {
    figures[each.name] = {{"half_width", model::or_null(half_width(each.figure))},
                          {"noise_sd", model::or_null(each.figure.noise_sd)},
                          {"sampling_sd", model::or_null(each.figure.sampling_sd)}};
  }
  out["figures_of"] = planned.law;
  return core::dumped(out, 1) + "\n";
}

}  // namespace southwell::assess
