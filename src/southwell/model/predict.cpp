#include "southwell/model/predict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/exp.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/input_limits.hpp"
#include "southwell/problem/gradient/sum.hpp"
#include "southwell/problem/head_target.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::model {
namespace {

/// Features that decide a prediction, in increasing order: those with a coefficient in any head, or
/// all where records are limited.
std::vector<std::size_t> used_features(const LinearModel& model) {
  std::vector<std::size_t> used;
  if (record_limit(model).is_set()) {  // all are in a record's norm
    used.resize(model.features);
    std::iota(used.begin(), used.end(), std::size_t{0});
    return used;
  }
  for (const Head& head : model.heads) {
    for (const Coefficient& c : head.coef) used.push_back(c.index);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

/// The column of each feature that the model uses.
using Columns = std::map<std::size_t, std::size_t>;

Columns columns_by_name(const LinearModel& model, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t j = 0; j < names.size(); ++j) place.emplace(names[j], j);
  Columns columns;
  std::vector<std::string> missing;
  for (const std::size_t feature : used_features(model)) {
    const std::string& name = model.feature_names[feature];
    const auto found = place.find(name);
    if (found == place.end()) {
      missing.push_back(name);
    } else {
      columns[feature] = found->second;
    }
  }
  if (missing.empty()) return columns;
  constexpr std::size_t kFew = 5;
  std::string list;
  for (std::size_t k = 0; k < std::min(kFew, missing.size()); ++k) {
    list += (k == 0 ? "'" : ", '") + core::printable(missing[k]) + "'";
  }
  if (missing.size() > kFew) list += ", ... (" + std::to_string(missing.size()) + " in all)";
  throw DataError("data: the model uses features that are missing: " + list +
                  "; accepted are data that have all of them, in any order");
}

Columns columns_by_number(const LinearModel& model, const data::Dataset& dataset) {
  const bool sparse = std::holds_alternative<data::SparseDesign>(dataset.design);
  if (!sparse && dataset.features() != model.features) {
    throw DataError("data: " + std::to_string(dataset.features()) +
                    " features without names to match by, for a model of " +
                    std::to_string(model.features) +
                    "; accepted are as many (is one of the columns the target?)");
  }
  Columns columns;
  for (const std::size_t feature : used_features(model)) {
    if (feature < dataset.features()) columns[feature] = feature;  // else nowhere stored: zero
  }
  return columns;
}

/// What every record is multiplied by, in the order of the model's features; empty: all by 1.
template <class Design>
std::vector<double> factors_of(const problem::RecordLimit& limit, const Columns& columns,
                               const Design& design) {
  if (!limit.is_set() || fault(Fault::predictions_forget_the_record_limit)) return {};
  std::vector<double> factors(design.records());
  for (const auto& [feature, column] : columns) {
    const auto block = design.block({column, column + 1});
    block.column(0).for_each(
        [&, j = feature](std::size_t i, double x) { factors[i] += limit.square(j, x); });
  }
  for (double& each : factors) each = limit.factor(each);
  return factors;
}

/// The records that figures are of.
struct Evaluated {
  std::vector<double> target;
  std::vector<double> margins;
};

/// Those that have a target and that the model can predict: no margin of theirs is NaN.
Evaluated predictable(const LinearModel& model, const data::Dataset& dataset) {
  if (!dataset.has_target()) {
    throw DataError("data: no target; an evaluation compares predictions with one");
  }
  Evaluated out{{}, margins(model, dataset)};
  const auto heads = static_cast<std::ptrdiff_t>(model.heads.size());
  auto kept = out.margins.begin();
  auto own = out.margins.cbegin();
  for (const double target : dataset.target) {
    const auto next = own + heads;
    if (!std::isnan(target) &&
        std::none_of(own, next, [](double margin) { return std::isnan(margin); })) {
      kept = std::copy(own, next, kept);
      out.target.push_back(target);
    }
    own = next;
  }
  out.margins.erase(kept, out.margins.end());
  return out;
}

bool is_softmax(const LinearModel& model) {
  return model.multiclass == problem::Multiclass::softmax;
}

void add_regression(const Evaluated& at, Evaluation& out) {
  const std::size_t n = at.target.size();
  const auto size = static_cast<double>(n);
  const auto square = [](double x) { return x * x; };
  const double mean = problem::sum(n, [&](std::size_t i) { return at.target[i]; }) / size;
  const double errors =
      problem::sum(n, [&](std::size_t i) { return square(at.target[i] - at.margins[i]); });
  const double spread = problem::sum(n, [&](std::size_t i) { return square(at.target[i] - mean); });
  out.mse = errors / size;
  if (spread > 0.0) out.r2 = 1.0 - errors / spread;
}

/// The share of pairs of a positive and a negative record that the margins put in the right order,
/// equal margins half; counted in whole numbers.
double area_under_curve(std::span<const double> margins, const std::vector<bool>& positive) {
  std::vector<std::size_t> order(margins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return margins[a] < margins[b]; });
  Uint128 half_wins = 0;
  std::uint64_t negatives = 0;
  std::uint64_t positives = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::uint64_t tied_positives = 0;
    std::uint64_t tied_negatives = 0;
    std::size_t last = first;
    for (; last < order.size() && margins[order[last]] == margins[order[first]]; ++last) {
      ++(positive[order[last]] ? tied_positives : tied_negatives);
    }
    half_wins += Uint128{tied_positives} * (2 * negatives + tied_negatives);
    positives += tied_positives;
    negatives += tied_negatives;
    first = last;
  }
  if (positives == 0 || negatives == 0) return Evaluation::kNone;
  return static_cast<double>(half_wins) /
         (2.0 * static_cast<double>(positives) * static_cast<double>(negatives));
}

/// log(1 / (1 + exp(-margin))), without overflow.
double log_probability(double margin) {
  return margin < 0.0 ? margin - std::log1p(core::exp(margin)) : -std::log1p(core::exp(-margin));
}

/// The logarithm of the sum of the heads' probabilities; from logarithms, so that probabilities too
/// small for a number are no division by 0 and not infinitely wrong.
double log_sum(std::span<const double> margins) {
  double most = -std::numeric_limits<double>::infinity();
  for (const double z : margins) most = std::max(most, log_probability(z));
  double sum = 0.0;
  for (const double z : margins) sum += core::exp(log_probability(z) - most);
  return most + std::log(sum);
}

double mean_log_loss(const LinearModel& model, std::span<const double> margins,
                     const std::vector<std::size_t>& own) {
  const std::size_t heads = model.heads.size();
  const double total = problem::sum(own.size(), [&](std::size_t i) {
    const auto z = margins.subspan(i * heads, heads);
    if (is_softmax(model)) return problem::softmax_value(z, own[i]);
    if (heads == 1) return -log_probability(own[i] == 1 ? z[0] : -z[0]);
    return log_sum(z) - log_probability(z[own[i]]);
  });
  return total / static_cast<double>(own.size());
}

/// Which class each record counts as: the first where the model does not know its label.
std::vector<std::size_t> labels_of(const LinearModel& model, std::span<const double> target) {
  const problem::HeadTarget targets(target, model.classes);
  std::vector<std::size_t> own(target.size());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = targets.label(i);
  return own;
}

double mean_loss(const LinearModel& model, const Evaluated& at) {
  const problem::AnyLoss loss = problem::loss_of(model.objective);
  const problem::HeadTarget targets(at.target, model.classes);
  const std::size_t n = at.target.size();
  if (is_softmax(model)) return mean_log_loss(model, at.margins, labels_of(model, at.target));
  std::vector<double> own(n);
  std::vector<double> of_head(n);
  double total = 0.0;
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    targets.write(h, 0, own);
    for (std::size_t i = 0; i < n; ++i) of_head[i] = at.margins[i * model.heads.size() + h];
    total += problem::mean_value(loss, of_head, own);
  }
  return total;
}

void add_classification(const LinearModel& model, const Evaluated& at, Evaluation& out) {
  const std::size_t n = at.target.size();
  const std::vector<double> predicted = labels(model, at.margins);
  const std::vector<std::size_t> own = labels_of(model, at.target);
  std::size_t right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (predicted[i] == at.target[i]) ++right;
  }
  out.accuracy = static_cast<double>(right) / static_cast<double>(n);
  if (model.classes.size() == 2) {
    std::vector<bool> positive(n);
    for (std::size_t i = 0; i < n; ++i) positive[i] = own[i] == 1;
    out.auc = area_under_curve(at.margins, positive);
  }
  if (model.objective.loss == problem::Logistic::kName) {
    out.log_loss = mean_log_loss(model, at.margins, own);
  }
}

}  // namespace

std::vector<std::string> used_feature_names(const LinearModel& model) {
  std::vector<std::string> names;
  if (model.feature_names.empty()) return names;
  for (const std::size_t feature : used_features(model)) {
    names.push_back(model.feature_names[feature]);
  }
  return names;
}

std::vector<double> margins(const LinearModel& model, const data::Dataset& dataset) {
  // Data of no features at all have no names to show for it.
  const bool by_name =
      !model.feature_names.empty() && (!dataset.feature_names.empty() || dataset.features() == 0);
  const Columns columns =
      by_name ? columns_by_name(model, dataset.feature_names) : columns_by_number(model, dataset);
  const std::size_t heads = model.heads.size();
  std::vector<double> out(dataset.records() * heads);
  std::visit(
      [&](const auto& design) {
        const std::vector<double> factors = factors_of(record_limit(model), columns, design);
        for (std::size_t h = 0; h < heads; ++h) {
          double* const of_head = out.data() + h;
          for (std::size_t i = 0; i < dataset.records(); ++i) {
            of_head[i * heads] = factors.empty() ? model.heads[h].intercept : 0.0;
          }
          for (const Coefficient& c : model.heads[h].coef) {
            const auto at = columns.find(c.index);
            if (at == columns.end() || c.value == 0.0) continue;
            const auto block = design.block({at->second, at->second + 1});
            block.column(0).for_each(
                [&](std::size_t i, double x) { of_head[i * heads] += c.value * x; });
          }
          for (std::size_t i = 0; i < factors.size(); ++i) {
            double& margin = of_head[i * heads];
            margin = problem::RecordLimit::limited(factors[i], margin) + model.heads[h].intercept;
          }
        }
      },
      dataset.design);
  return out;
}

std::vector<double> labels(const LinearModel& model, const std::vector<double>& margins) {
  if (model.classes.empty()) {
    throw InvalidArgument("kind: given is label, the model is a regression; accepted is margin");
  }
  const std::size_t heads = model.heads.size();
  std::vector<double> out(margins.size() / heads);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::span<const double> z(margins.data() + i * heads, heads);
    if (std::any_of(z.begin(), z.end(), [](double m) { return std::isnan(m); })) {
      out[i] = std::numeric_limits<double>::quiet_NaN();
    } else if (heads == 1) {
      out[i] = model.classes[z[0] > 0.0 ? 1 : 0];
    } else {
      out[i] =
          model.classes[static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin())];
    }
  }
  return out;
}

std::vector<double> probabilities(const LinearModel& model, const std::vector<double>& margins) {
  if (model.objective.loss != problem::Logistic::kName || model.classes.empty()) {
    throw InvalidArgument("kind: given is probability, the loss of the model is " +
                          core::printable(model.objective.loss) +
                          "; accepted is probability for the loss logistic");
  }
  const std::size_t heads = model.heads.size();
  const std::size_t classes = model.classes.size();
  std::vector<double> out(margins.size() / heads * classes);
  for (std::size_t i = 0; i < margins.size() / heads; ++i) {
    double* const p = out.data() + i * classes;
    const std::span<const double> z(margins.data() + i * heads, heads);
    if (heads == 1) {
      p[0] = 1.0 / (1.0 + core::exp(z[0]));
      p[1] = 1.0 / (1.0 + core::exp(-z[0]));
      continue;
    }
    const double all = is_softmax(model) ? problem::log_sum_exp(z) : log_sum(z);
    for (std::size_t h = 0; h < heads; ++h) {
      p[h] = core::exp((is_softmax(model) ? z[h] : log_probability(z[h])) - all);
    }
  }
  return out;
}

Evaluation evaluate(const LinearModel& model, const data::Dataset& dataset) {
  const Evaluated at = predictable(model, dataset);
  Evaluation out;
  out.records = at.target.size();
  out.left_out = dataset.target.size() - out.records;
  if (out.records == 0) return out;
  out.loss_value = mean_loss(model, at);
  if (model.classes.empty()) {
    add_regression(at, out);
  } else {
    add_classification(model, at, out);
  }
  return out;
}

}  // namespace southwell::model
