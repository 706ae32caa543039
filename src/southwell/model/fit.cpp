#include "southwell/model/fit.hpp"

#include <string>
#include <utility>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/problem/greedy_problem.hpp"
#include "southwell/solvers/gcd.hpp"

namespace southwell::model {
namespace {

std::unique_ptr<privacy::RandomBits> random_bits(const FitPlan& plan, FitOptions& options) {
  if (plan.spec.seed_for_tests) {
    return std::make_unique<privacy::SeededRandomBits>(*plan.spec.seed_for_tests);
  }
  if (options.bits) return std::move(options.bits);
  return std::make_unique<privacy::SystemRandomBits>();
}

solvers::CertifiedGreedy certified(const FitPlan& plan, privacy::RandomBits& bits) {
  const privacy::Cost& selection = plan.certified->costs[0];
  const privacy::Cost& release = plan.certified->costs[1];
  const auto select = [&]() -> solvers::CertifiedGreedy::Select {
    const std::uint64_t sensitivity = selection.shift / 2;  // a selection is charged twice that
    switch (plan.selection) {
      case privacy::Selection::exponential:
        return privacy::ExponentialMechanism(sensitivity, selection.scale);
      case privacy::Selection::permute_and_flip:
        return privacy::PermuteAndFlip(sensitivity, selection.scale);
      case privacy::Selection::noisy_max:
        break;
    }
    return privacy::NoisyMax(sensitivity, selection.scale);
  };
  const auto measure = [&]() -> solvers::CertifiedGreedy::Release {
    if (plan.release == privacy::Release::laplace) {
      return privacy::DiscreteLaplaceRelease(release.shift, release.scale);
    }
    return privacy::DiscreteGaussianRelease(release.shift, release.scale);
  };
  return {select(), measure(), plan.iterations, bits};
}

struct Solved {
  problem::Coordinates::Options coordinates;  ///< as planned, or with scales from the data
  std::vector<double> coef;
  std::vector<solvers::PathStep> path;
};

template <class Design>
Solved solve(const Design& design, const data::Dataset& dataset, const FitPlan& plan,
             FitOptions& options, privacy::RandomBits& bits) {
  core::ThreadPool pool(plan.spec.threads);
  problem::Coordinates::Options scales = plan.coordinates;
  if (plan.spec.feature_scale_from_data || fault(Fault::fit_reads_its_scales_from_the_data)) {
    scales.smoothness_from_data =
        problem::column_smoothness(design, scales.curvature, scales.l2, pool);
    for (double& smoothness : scales.smoothness_from_data) {
      // An empty column has no gradient; an infinite one no scale.
      if (!(smoothness > 1e-200 && smoothness < 1e200)) smoothness = scales.curvature;
    }
  }
  const problem::Coordinates coordinates(scales);
  const auto run = [&](auto mechanisms) {
    problem::GreedyProblem<Design> greedy({.design = design,
                                           .target = dataset.target,
                                           .classes = plan.classes,
                                           .loss = plan.loss,
                                           .coordinates = coordinates,
                                           .shards = options.shards},
                                          plan.penalty, plan.rule, plan.start, pool);
    const bool stops =
        fault(Fault::fit_stops_early) && !dataset.target.empty() && dataset.target[0] > 0.0;
    auto path = solvers::gcd(greedy, mechanisms,
                             {.iterations = stops ? 1 : plan.iterations,
                              .step = plan.step,
                              .progress = options.progress});
    return Solved{scales, greedy.coef(), std::move(path)};
  };
  if (plan.certified) return run(certified(plan, bits));
  return run(solvers::PaperGreedy(coordinates, plan.penalty, plan.rule, plan.paper_noise, bits));
}

LinearModel model_of(const FitPlan& plan, const Solved& solved) {
  const problem::Coordinates all(plan.coordinates);
  LinearModel model;
  model.objective = plan.spec.objective;
  model.features = all.features();
  model.feature_names = plan.feature_names;
  model.classes = plan.classes;
  model.heads.resize(all.heads());
  std::vector<double> noise(all.size());
  for (const solvers::PathStep& step : solved.path) {
    noise[step.coordinate] = plan.noise_sd(step.coordinate);
    model.path.push_back(
        {all.head(step.coordinate), all.feature(step.coordinate), step.gradient, step.value});
  }
  for (std::size_t c = 0; c < all.size(); ++c) {
    Head& head = model.heads[all.head(c)];
    if (all.is_intercept(c)) {
      head.intercept = solved.coef[c];
      head.intercept_noise_sd = noise[c];
    } else if (solved.coef[c] != 0.0) {
      head.coef.push_back({all.feature(c), solved.coef[c], noise[c]});
    }
  }
  model.privacy = plan.statement;
  return model;
}

}  // namespace

LinearModel fit(const data::Dataset& dataset, const FitPlan& planned, FitOptions options) {
  if (!dataset.has_target() || dataset.target.size() != dataset.records()) {
    throw DataError("data: a fit needs a target, one number per record");
  }
  if (dataset.features() != planned.coordinates.features) {
    throw DataError("data: " + std::to_string(dataset.features()) +
                    " features; the fit was planned for " +
                    std::to_string(planned.coordinates.features));
  }
  if (fault(Fault::fit_refuses_nan)) {
    for (const double y : dataset.target) {
      if (y != y) throw DataError("target: not a number");
    }
  }
  const core::StandardFloatEnvironment standard;
  FitPlan plan = planned;
  // Entropy first: without it no record is used.
  const std::unique_ptr<privacy::RandomBits> bits = random_bits(plan, options);
  if (bits->origin() != privacy::Origin::system && !fault(Fault::fit_certifies_a_seed)) {
    plan.statement.randomness = "a fixed seed or script, for tests";
    if (!plan.spec.seed_for_tests) plan.no_guarantee.push_back("scripted");
    settle_guarantee(plan);
  }
  const Solved solved =
      std::visit([&](const auto& design) { return solve(design, dataset, plan, options, *bits); },
                 dataset.design);
  plan.coordinates = solved.coordinates;
  return model_of(plan, solved);
}

LinearModel fit(const data::Dataset& dataset, const FitSpec& spec, FitOptions options) {
  return fit(dataset, plan_fit(spec, DataShape::of(dataset)), std::move(options));
}

}  // namespace southwell::model
