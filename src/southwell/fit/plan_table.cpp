#include "southwell/fit/plan_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/normal.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/solvers/rounds/clip_law.hpp"

namespace southwell::fit {
namespace {

using nlohmann::json;

/// Where a rising function that starts below `value` reaches it, from about `near` on.
template <class F>
double where_it_reaches(const F& rising, double value, double near) {
  double low = 0.0;
  double high = near;
  while (rising(high) < value) high *= 2.0;
  for (int step = 0; step < 55; ++step) {
    const double middle = 0.5 * (low + high);
    (rising(middle) < value ? low : high) = middle;
  }
  return high;
}

/// One selection by the exponential mechanism, in gradients as they are clipped.
struct OneSelection {
  double steepness = 0.0;  ///< what a gradient of 1 adds to the logarithm of its weight
  double sampling = 0.0;   ///< the sd of a gradient over samples of records
  double threshold = 0.0;  ///< gradients below it have the score 0
  double others = 0.0;     ///< features without effect

  /// The chance of a feature with this gradient.
  double finds(double gradient) const {
    constexpr int kNodes = 1024;
    constexpr double kFar = 5.0;
    const double weight_of_others = log_weight_of_others();
    double sum = 0.0;
    double weights = 0.0;
    for (int k = 0; k < kNodes; ++k) {
      const double z = -kFar + (k + 0.5) * 2.0 * kFar / kNodes;
      const double weight = std::exp(-0.5 * z * z);
      const double seen = gradient + sampling * z;
      const double score = std::max(std::fabs(seen) - threshold, 0.0);
      sum += weight / (1.0 + std::exp(weight_of_others - steepness * score));
      weights += weight;
    }
    return sum / weights;
  }
  double smallest(double chance) const {
    if (!(others > 0.0)) return 0.0;
    return where_it_reaches([&](double gradient) { return finds(gradient); }, chance,
                            sampling + threshold + 1.0 / steepness);
  }

 private:
  /// By the mean weight of a feature whose gradient is chance alone. Where selections are so steep
  /// that the largest of the others weighs as much as all of them, that mean is of features that
  /// hardly occur; but (sum w^a)^(1/a) falls with a, so that the logarithm of the sum grows no
  /// faster than in proportion.
  double log_weight_of_others() const {
    const double spread = steepness * sampling;
    const auto from = [&](double less) {
      return spread / less * (std::log(others) + log_mean_weight(less));
    };
    return std::min(from(spread), from(std::min(spread, std::sqrt(2.0 * std::log(2.0 * others)))));
  }
  /// Of a feature without effect, where its gradient's sd makes this much of a logarithm.
  double log_mean_weight(double spread) const {
    const double beyond = threshold / sampling;
    return std::log(std::erf(beyond / std::numbers::sqrt2) +
                    2.0 * std::exp(0.5 * spread * spread - spread * beyond) *
                        core::normal_cdf(spread - beyond));
  }
};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The clipped products of a feature and the slopes at 0, where features and residuals are normal.
class Products {
 public:
  Products(const Decisions& plan, const problem::Coordinates& all, double slope_of_clip)
      : feature_(all.feature_scale(0)),
        curvature_(all.options().curvature),
        slope_(problem::slope_limits(plan.loss).first),
        classifies_(problem::classifies(plan.loss)) {
    if (classifies_) {  // all slopes are alike
      clip_ = all.clip(0) / (feature_ * slope_of_clip);
    } else {
      slope_ = plan.target_scale;
      clip_ = all.clip(0) / (feature_ * slope_);
      widest_ = problem::derivative_bound(plan.loss) / slope_;
    }
  }
  double sd() const {
    return feature_ * slope_ *
           (classifies_ ? solvers::feature_sd(clip_) : solvers::product_sd(clip_, widest_));
  }
  /// The coefficient whose products have this mean; none where no coefficient's do, or where it
  /// would explain more than there is of the target.
  double effect_with(double mean) const {
    if (!classifies_) {
      const double left = solvers::product_attenuation(clip_, widest_);
      const double effect = mean / (left * curvature_ * feature_ * feature_);
      return effect * feature_ <= slope_ ? effect : kNone;
    }
    if (mean == 0.0) return 0.0;
    const double pull = mean / (feature_ * slope_);
    if (!(pull < solvers::label_pull(clip_, kInfinity))) return kNone;
    const auto pulled = [&](double strength) { return solvers::label_pull(clip_, strength); };
    return where_it_reaches(pulled, pull, 1.0) * slope_ / (curvature_ * feature_);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double feature_;
  double curvature_;
  double slope_;  ///< its size, or its sd
  bool classifies_;
  double clip_ = 0.0;  ///< in units of both
  double widest_ = kInfinity;
};

/// Of an algorithm that selects.
template <class Greedy>
double smallest_effect(const Decisions& plan, const Greedy& greedy, const MechanismUse& select) {
  const problem::Coordinates all(plan.coordinates);
  const Products products(plan, all, greedy.slope_of_clip());
  const double threshold = problem::kinked_part(plan.penalty).l1;
  const OneSelection one{
      .steepness = 1.0 / (all.gradient_unit(0) * static_cast<double>(select.cost.scale)),
      .sampling = products.sd() / std::sqrt(plan.coordinates.records),
      .threshold = threshold * greedy.selection_attenuation(),
      .others = static_cast<double>(greedy.coordinates_to_choose(all)) - 1.0};
  return products.effect_with(one.smallest(0.9));
}

PlanRow row_of(const FitPlan& plan) {
  const problem::Coordinates all(plan->coordinates);
  PlanRow out;
  out.epsilon = plan->statement.epsilon;
  out.iterations = plan->iterations;
  out.coef_noise_sd = plan->noise(all, 0).coef;
  out.epsilon_spent = plan->statement.epsilon_spent;
  for (const MechanismUse& use : plan->statement.mechanisms) {
    if (!plan->statement.follows(use)) continue;
    const auto shift = static_cast<double>(use.cost.shift);
    if (use.step == "select") {
      out.selections += use.count;
      out.selection_epsilon = shift / static_cast<double>(use.cost.scale);
      std::visit(
          [&](const auto& algorithm) {
            if constexpr (requires { algorithm.coordinates_to_choose(all); }) {
              out.smallest_effect = smallest_effect(*plan, algorithm, use);
            }
          },
          plan->algorithm);
    } else if (use.step == "release") {
      out.releases += use.count;
      out.release_scale = static_cast<double>(use.cost.scale) / shift;
    }
  }
  return out;
}

/// Nothing where no noise pays for it, or where it is refused: a mechanism may ask for more.
std::optional<PlanRow> affordable(const FitSpec& spec, const DataShape& shape) {
  try {
    return row_of(plan_fit(spec, shape));
  } catch (const CalibrationError&) {
    return std::nullopt;
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

}  // namespace

PlanTable plan_table(const FitSpec& spec, const DataShape& shape) {
  const FitPlan asked = plan_fit(spec, shape);
  const double asked_epsilon =
      spec.epsilon.value_or(0.0);  // it is there: the plan has asked for it
  PlanTable out;
  out.solver = asked->statement.solver;
  out.why = asked->solver_reason;
  out.delta = asked->statement.delta;
  out.in_target_scales = asked->private_scale.has_value();
  out.warnings = warnings_of(asked->statement);
  out.held_out = asked->held_out;
  out.rows.push_back(row_of(asked));
  FitSpec other = spec;
  const auto add = [&] {
    const std::optional<PlanRow> row = affordable(other, shape);
    if (!row) return;
    const auto same = [&](const PlanRow& each) {
      return each.epsilon == row->epsilon && each.iterations == row->iterations;
    };
    if (std::none_of(out.rows.begin(), out.rows.end(), same)) out.rows.push_back(*row);
  };
  const bool greedy = out.solver == "gcd";
  const std::vector<std::uint64_t> counts =
      greedy ? std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32} : std::vector<std::uint64_t>{30, 480};
  for (const std::uint64_t count : counts) {
    other.iterations = count;
    add();
  }
  other.iterations = spec.iterations;
  for (const double factor : {0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
    other.epsilon = factor * asked_epsilon;
    add();
  }
  std::sort(out.rows.begin(), out.rows.end(), [](const PlanRow& a, const PlanRow& b) {
    return a.epsilon != b.epsilon ? a.epsilon < b.epsilon : a.iterations < b.iterations;
  });
  for (std::size_t k = 0; k < out.rows.size(); ++k) {
    if (out.rows[k].epsilon == asked_epsilon && out.rows[k].iterations == asked->iterations) {
      out.chosen = k;
    }
  }
  return out;
}

std::string to_json(const PlanTable& table) {
  json out{{"southwell_version", kVersion}, {"private", true},
           {"solver", table.solver},        {"why", table.why},
           {"delta", table.delta},          {"chosen", table.chosen},
           {"rows", json::array()}};
  if (table.held_out) {
    out["parts"] = {{"fit", table.held_out->fit}, {"test", table.held_out->test}};
  }
  for (const PlanRow& row : table.rows) {
    out["rows"].push_back({{"epsilon", row.epsilon},
                           {"iterations", row.iterations},
                           {"selections", row.selections},
                           {"selection_epsilon", model::or_null(row.selection_epsilon)},
                           {"releases", row.releases},
                           {"release_scale", row.release_scale},
                           {"coef_noise_sd", row.coef_noise_sd},
                           {"smallest_effect", model::or_null(row.smallest_effect)},
                           {"epsilon_spent", row.epsilon_spent}});
  }
  return core::dumped(out, 1) + "\n";
}

}  // namespace southwell::fit
