#include "lab/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "lab/simulator_greedy.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::lab {
namespace {

constexpr auto kBound = static_cast<double>(problem::ProductClip::kBound);

void refuse(bool is_strange, const char* what) {
  if (is_strange) throw InvalidArgument(std::string("simulator: given ") + what);
}

/// The scale of a mechanism of the plan, in grid bounds.
double scale_of(const model::Statement& statement, std::size_t k, const char* name) {
  const model::MechanismUse& use = statement.mechanisms.at(k);
  refuse(use.name != name, "a plan with another mechanism than the standard ones");
  return static_cast<double>(use.cost.scale) / kBound;
}

void require_finite(const data::Dataset& dataset) {
  const auto check = [](double x) {
    if (!std::isfinite(x)) throw DataError("data: a value is not finite; the simulator has none");
  };
  for (const double y : dataset.target) check(y);
  std::visit(
      [&](const auto& design) {
        const auto block = design.block({0, design.features()});
        for (std::size_t j = 0; j < design.features(); ++j) {
          block.column(j).for_each([&](std::size_t, double x) { check(x); });
        }
      },
      dataset.design);
}

/// As a fit has them: declared, or from the data.
std::vector<double> smoothness_of(const data::Dataset& dataset, const model::FitPlan& plan,
                                  core::ThreadPool& pool) {
  std::vector<double> out;
  if (plan.spec.feature_scale_from_data) {
    out = std::visit(
        [&](const auto& design) {
          return problem::column_smoothness(design, plan.coordinates.curvature, plan.coordinates.l2,
                                            pool);
        },
        dataset.design);
    for (double& each : out) {
      if (!(each > 1e-200 && each < 1e200)) each = plan.coordinates.curvature;  // an empty column
    }
    return out;
  }
  const problem::Coordinates coordinates(plan.coordinates);
  for (std::size_t c = 0; c < coordinates.size(); ++c) out.push_back(coordinates.smoothness(c));
  return out;
}

}  // namespace

Simulator::Simulator(const data::Dataset& dataset, const model::FitPlan& plan,
                     core::ThreadPool& pool)
    : pool_(pool) {
  const model::Statement& statement = plan.statement;
  refuse(plan.coordinates.intercept != problem::Intercept::none, "an intercept");
  refuse(plan.coordinates.heads != 1, "more than two classes");
  refuse(std::any_of(plan.start.begin(), plan.start.end(), [](double w) { return w != 0.0; }),
         "a start other than zero");
  refuse(statement.solver != "gcd", "another solver than gcd");
  require_finite(dataset);

  shared_.dataset = &dataset;
  shared_.loss = plan.loss;
  shared_.penalty = plan.penalty;
  shared_.target.resize(dataset.records());
  problem::HeadTarget(dataset.target, plan.classes).write(0, 0, shared_.target);
  shared_.smoothness = smoothness_of(dataset, plan, pool);
  shared_.curvature = plan.coordinates.curvature;
  for (const double each : shared_.smoothness) {
    shared_.bound.push_back(std::sqrt(each / shared_.curvature));
  }
  shared_.l2 = plan.coordinates.l2;
  shared_.records = plan.coordinates.records;
  shared_.iterations = plan.iterations;
  shared_.certified = statement.mode == "certified";
  shared_.rule = problem::make_rule(statement.rule);
  if (shared_.certified) {
    shared_.select_scale = scale_of(statement, 0, "exponential_mechanism");
    shared_.release_scale = scale_of(statement, 1, "discrete_laplace_release");
  } else {
    const problem::Coordinates coordinates(plan.coordinates);
    // Laplace noise of scale b has an sd of sqrt(2) b.
    shared_.release_scale =
        plan.gradient_noise_sd(0) / (std::numbers::sqrt2 * kBound * coordinates.gradient_unit(0));
  }
}

std::vector<Simulated> Simulator::run(std::span<const SimulatedSetting> settings,
                                      std::uint64_t seed) const {
  const core::StandardFloatEnvironment standard;
  const GreedyNoise noise(
      seed, shared_.iterations, shared_.smoothness.size(),
      shared_.certified ? GreedyNoise::Selection::gumbel : GreedyNoise::Selection::laplace);
  std::vector<Simulated> out(settings.size());
  const std::size_t groups = (settings.size() + kLanes - 1) / kLanes;
  pool_.run(groups, [&](std::size_t group) {
    const std::size_t first = group * kLanes;
    const auto own = settings.subspan(first, std::min(kLanes, settings.size() - first));
    std::visit(
        [&](const auto& design) {
          GreedyLanes lanes(design, shared_, own);
          for (std::size_t t = 0; t < shared_.iterations; ++t) {
            lanes.step(noise.selection(t), noise.releases[t]);
          }
          for (std::size_t k = 0; k < own.size(); ++k) out[first + k] = lanes.outcome(k);
        },
        shared_.dataset->design);
  });
  return out;
}

}  // namespace southwell::lab
