#include "lab/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "lab/simulator_coordinate.hpp"
#include "lab/simulator_gradient.hpp"
#include "lab/simulator_greedy.hpp"
#include "lab/simulator_noise.hpp"
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
double scale_of(const model::MechanismUse& use) {
  return static_cast<double>(use.cost.scale) / kBound;
}

/// The law of the noise with which a mechanism chooses the largest or releases a number.
GreedyNoise::Law law_of(const model::MechanismUse& use) {
  using Law = GreedyNoise::Law;
  if (use.name == "exponential_mechanism") return Law::gumbel;
  if (use.name == "permute_and_flip") return Law::exponential;
  if (use.name == "discrete_gaussian_release") return Law::normal;
  refuse(use.name != "noisy_max" && use.name != "discrete_laplace_release", "a strange mechanism");
  return Law::laplace;
}

/// Of the published releases, in units of C_j / n.
double published_sd(const fit::FitPlan& plan) {
  const problem::Coordinates coordinates(plan->coordinates);
  return plan->noise(coordinates, 0).gradient / (kBound * coordinates.gradient_unit(0));
}

void require_finite(const data::Dataset& dataset) {
  const auto check = [](double x) {
    if (std::fabs(x) <= static_cast<double>(std::numeric_limits<float>::max())) return;
    throw DataError("data: a value is not a finite float; the simulator takes no other");
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
std::vector<double> smoothness_of(const data::Dataset& dataset, const fit::FitPlan& plan,
                                  core::ThreadPool& pool) {
  std::vector<double> out;
  if (plan->spec.feature_scale_from_data) {
    out = std::visit(
        [&](const auto& design) {
          return problem::column_smoothness(design, plan->coordinates.curvature,
                                            plan->coordinates.l2, pool);
        },
        dataset.design);
    for (double& each : out) {
      if (!(each > 1e-200 && each < 1e200)) each = plan->coordinates.curvature;  // an empty column
    }
    return out;
  }
  const problem::Coordinates coordinates(plan->coordinates);
  for (std::size_t c = 0; c < coordinates.size(); ++c) out.push_back(coordinates.smoothness(c));
  return out;
}

data::DenseDesign<float> in_floats(const data::DenseDesign<float>& design) { return design; }
data::DenseDesign<float> in_floats(const data::DenseDesign<double>& design) {
  auto values = std::make_shared<float[]>(design.records() * design.features());
  const auto block = design.block({0, design.features()});
  for (std::size_t j = 0; j < design.features(); ++j) {
    const auto column = block.column(j);
    std::copy(column.values(), column.values() + column.size(),
              values.get() + j * design.records());
  }
  return {std::move(values), design.records(), design.features()};
}
data::SparseDesign in_floats(const data::SparseDesign& design) { return design; }

LaneDesign lane_design(const data::Dataset& dataset) {
  require_finite(dataset);
  return std::visit([](const auto& design) -> LaneDesign { return in_floats(design); },
                    dataset.design);
}

void run_steps(GradientLanes& lanes, GradientNoise& noise, std::uint64_t steps) {
  if (lanes.stays_at_zero()) return;
  while (steps > 0) {
    noise.draw_block(std::min<std::uint64_t>(GradientNoise::kSteps, steps));
    lanes.run_block(noise);
    steps -= noise.steps();
  }
}

}  // namespace

Simulator::Simulator(const data::Dataset& dataset, const fit::FitPlan& plan, core::ThreadPool& pool)
    : shared_{.design = lane_design(dataset)}, pool_(pool) {
  const model::Statement& statement = plan->statement;
  refuse(plan->coordinates.intercept != problem::Intercept::none, "an intercept");
  refuse(plan->coordinates.heads != 1, "more than two classes");
  refuse(std::any_of(plan->start.begin(), plan->start.end(), [](double w) { return w != 0.0; }),
         "a start other than zero");

  shared_.loss = plan->loss;
  shared_.penalty = plan->penalty;
  shared_.target.resize(dataset.records());
  problem::HeadTarget(dataset.target, plan->classes).write(0, 0, shared_.target);
  shared_.float_target.assign(shared_.target.begin(), shared_.target.end());
  shared_.smoothness = smoothness_of(dataset, plan, pool);
  shared_.curvature = plan->coordinates.curvature;
  for (const double each : shared_.smoothness) {
    shared_.bound.push_back(std::sqrt(each / shared_.curvature));
  }
  shared_.l2 = plan->coordinates.l2;
  shared_.records = plan->coordinates.records;
  shared_.iterations = plan->iterations;
  shared_.certified = statement.mode == "certified";
  if (statement.solver == "gcd") {
    read_greedy(plan);
  } else if (statement.solver == "cd") {
    read_coordinate(plan);
  } else {
    read_gradient(plan);
  }
}

void Simulator::read_greedy(const fit::FitPlan& plan) {
  shared_.algorithm = Shared::Algorithm::gcd;
  shared_.rule = problem::make_rule(plan->statement.rule);
  if (shared_.certified) {
    const std::vector<model::MechanismUse>& uses = plan->statement.mechanisms;
    refuse(uses.size() != 2 || uses[0].step != "select", "a refined plan");
    shared_.selection = law_of(uses[0]);
    shared_.select_scale = scale_of(uses[0]);
    shared_.release = law_of(uses[1]);
    shared_.release_scale = scale_of(uses[1]);
  } else {
    shared_.release_scale = published_sd(plan) / std::numbers::sqrt2;  // sd of Laplace noise
  }
}

void Simulator::read_coordinate(const fit::FitPlan& plan) {
  shared_.algorithm = Shared::Algorithm::cd;
  if (!shared_.certified) {
    shared_.release_scale = published_sd(plan);
    return;
  }
  const model::MechanismUse& use = plan->statement.mechanisms.at(0);
  refuse(law_of(use) != GreedyNoise::Law::normal, "cd with other noise than Gaussian");
  shared_.release_scale = scale_of(use);
}

void Simulator::read_gradient(const fit::FitPlan& plan) {
  shared_.algorithm = Shared::Algorithm::sgd;
  refuse(shared_.certified, "certified sgd");
  refuse(plan->spec.iterate.value_or("last") != "last", "sgd with an averaged iterate");
  const problem::Interval box = problem::kinked_part(plan->penalty).box;
  refuse(std::isfinite(box.lo) || std::isfinite(box.hi), "sgd in a box");
  shared_.release_scale =
      plan->noise(problem::Coordinates(plan->coordinates), 0).gradient / plan->coordinates.clip;
  records_ = std::make_shared<RecordTable>(shared_.design);
}

template <class RunLanes>
std::vector<Simulated> Simulator::run_groups(std::span<const SimulatedSetting> settings,
                                             const RunLanes& run_lanes) const {
  std::vector<Simulated> out(settings.size());
  pool_.run((settings.size() + kLanes - 1) / kLanes, [&](std::size_t group) {
    const std::size_t first = group * kLanes;
    const auto own = settings.subspan(first, std::min(kLanes, settings.size() - first));
    std::visit(
        [&](const auto& design) {
          auto lanes = run_lanes(design, own);
          std::ranges::copy(lanes.outcomes(own.size()),
                            out.begin() + static_cast<std::ptrdiff_t>(first));
        },
        shared_.design);
  });
  return out;
}

/// Each group draws the run's noise for itself: that is little beside its steps, and none waits for
/// another.
std::vector<Simulated> Simulator::run_gradient(std::span<const SimulatedSetting> settings,
                                               std::uint64_t seed) const {
  std::vector<Simulated> out(settings.size());
  pool_.run((settings.size() + kLanes - 1) / kLanes, [&](std::size_t group) {
    const std::size_t first = group * kLanes;
    const auto own = settings.subspan(first, std::min(kLanes, settings.size() - first));
    GradientLanes lanes(shared_, *records_, own);
    GradientNoise noise(seed, shared_.target.size(), shared_.smoothness.size(), records_->pool,
                        lanes.drifts_at_once());
    run_steps(lanes, noise, shared_.iterations);
    std::ranges::copy(lanes.outcomes(own.size()), out.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return out;
}

std::vector<double> Simulator::trajectory(const SimulatedSetting& setting, std::uint64_t seed,
                                          std::span<const std::uint64_t> iterations) const {
  refuse(shared_.algorithm != Shared::Algorithm::sgd, "a solver whose fits keep their path");
  const core::StandardFloatEnvironment standard;
  GradientLanes lanes(shared_, *records_, {&setting, 1});
  GradientNoise noise(seed, shared_.target.size(), shared_.smoothness.size(), records_->pool,
                      lanes.drifts_at_once());
  std::vector<double> out;
  std::uint64_t done = 0;
  for (const std::uint64_t stop : iterations) {
    run_steps(lanes, noise, stop - std::exchange(done, stop));
    out.push_back(lanes.outcomes(1).front().objective);
  }
  return out;
}

std::vector<Simulated> Simulator::run(std::span<const SimulatedSetting> settings,
                                      std::uint64_t seed) const {
  const core::StandardFloatEnvironment standard;
  const std::size_t features = shared_.smoothness.size();
  if (shared_.algorithm == Shared::Algorithm::sgd) return run_gradient(settings, seed);
  if (shared_.algorithm == Shared::Algorithm::cd) {
    const CoordinateNoise noise(seed, shared_.iterations, features);
    return run_groups(settings, [&](const auto& design, auto own) {
      CoordinateLanes lanes(design, shared_, own);
      for (std::size_t t = 0; t < shared_.iterations; ++t) {
        constexpr std::size_t kAhead = 4;
        if (t + kAhead < shared_.iterations) lanes.expect(noise.coordinates[t + kAhead]);
        lanes.step(noise.coordinates[t], noise.releases[t]);
      }
      return lanes;
    });
  }
  const GreedyNoise noise(seed, shared_.iterations, features, shared_.selection, shared_.release);
  return run_groups(settings, [&](const auto& design, auto own) {
    GreedyLanes lanes(design, shared_, own);
    for (std::size_t t = 0; t < shared_.iterations; ++t) {
      lanes.step(noise.selection(t), noise.releases[t]);
    }
    return lanes;
  });
}

}  // namespace southwell::lab
