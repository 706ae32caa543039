#include "southwell/audit/canaries.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "southwell/audit/one_run.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::audit {
namespace {

using privacy::Cost;

constexpr double kDelta = 1e-6;
/// That what is found is too large, for the worst of all fits that keep the promise; for one with
/// Gaussian noise it is less than one in a million (docs/audit.md).
constexpr double kError = 0.05;
constexpr double kLargeTarget = 1e6;  // so that every contribution is clipped to its bound

/// Which records are there.
std::vector<bool> coins(std::size_t canaries) {
  privacy::SystemRandomBits bits;
  std::vector<bool> there(canaries);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < canaries; ++i) {
    word = i % 64 == 0 ? bits.word() : word >> 1;
    there[i] = (word & 1) != 0;
  }
  return there;
}

/// One record for each coin that shows heads: 1 in a feature of its own, with a target that
/// pulls its coefficient up as far as one record can. Signs of both alternate, so that an intercept
/// has nothing to follow.
data::Dataset records_of(const std::vector<bool>& there, double target) {
  data::Compressed lists;
  std::vector<double> targets;
  lists.offsets.push_back(0);
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (!there[i]) continue;
    lists.indices.push_back(static_cast<std::int32_t>(i));
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    lists.values.push_back(sign);
    targets.push_back(sign * target);
    lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
  }
  core::ThreadPool pool(1);
  return {data::SparseDesign::from_records(std::move(lists), there.size(), pool),
          std::move(targets),
          {},
          "target"};
}

/// Heads for the largest coefficients, tails for the smallest, a twentieth of all each, and nothing
/// said of those between: there the noise decides.
Guesses guesses_from(const fit::LinearModel& model, const std::vector<bool>& there) {
  std::vector<double> coef(there.size(), 0.0);
  for (const model::Coefficient& c : model.heads[0].coef) coef[c.index] = c.value;
  std::vector<std::size_t> order(there.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return coef[a] != coef[b] ? coef[a] < coef[b] : a < b;
  });
  const std::size_t each = there.size() / 20;
  Guesses out{.right = 0, .made = 2 * each, .records = there.size()};
  for (std::size_t i = 0; i < each; ++i) {
    out.right += there[order[i]] ? 0u : 1u;
    out.right += there[order[order.size() - 1 - i]] ? 1u : 0u;
  }
  return out;
}

/// Whole-data gradient descent: the solver whose every release holds every canary.
fit::FitSpec descent(std::size_t canaries, double epsilon) {
  fit::FitSpec spec;
  spec.objective.loss = "squared";
  spec.epsilon = epsilon;
  spec.delta = kDelta;
  spec.relation = "add_or_remove_one";
  spec.records = canaries / 2;
  spec.features = canaries;
  spec.intercept = false;
  spec.target_scale = 1.0;
  spec.solver = "sgd";
  spec.refine = "off";
  spec.batch_size = canaries / 2;
  spec.iterations = 4;
  spec.iterate = "last";
  return spec;
}

/// The default for two classes and many features, without what comes after the descent: where
/// canaries are all that there is, a factor for all margins makes every coefficient 0.
fit::FitSpec averaged(std::size_t canaries, double epsilon) {
  fit::FitSpec spec;
  spec.objective.loss = "logistic";
  spec.classes = {-1.0, 1.0};
  spec.epsilon = epsilon;
  spec.delta = kDelta;
  spec.relation = "add_or_remove_one";
  spec.records = canaries / 2;
  spec.features = canaries;
  spec.record_norm = 1.0;
  spec.calibrate_probabilities = false;
  spec.select_iterate = false;
  return spec;
}

struct Experiment {
  std::string subject;
  fit::FitSpec (*spec)(std::size_t canaries, double epsilon);
  double target;
};

/// What the fit says that it spends, and what its model gives away.
struct Outcome {
  double claimed;
  double found;
  Guesses guesses;
};

Outcome run(const Experiment& experiment, std::size_t canaries, double epsilon) {
  const std::vector<bool> there = coins(canaries);
  const data::Dataset dataset = records_of(there, experiment.target);
  const fit::LinearModel model = fit::fit(dataset, experiment.spec(canaries, epsilon));
  const Guesses guesses = guesses_from(model, there);
  const std::vector<model::MechanismUse>& uses = model.privacy.mechanisms;
  const bool is_gaussian = std::all_of(uses.begin(), uses.end(), [](const auto& use) {
    return use.cost.kind == Cost::Kind::discrete_gaussian;
  });
  return {.claimed = model.privacy.epsilon_spent,
          .found = is_gaussian ? epsilon_of_mu(mu_found(guesses, kError), kDelta)
                               : epsilon_found(guesses, kDelta, kError),
          .guesses = guesses};
}

}  // namespace

std::vector<Finding> audit_canaries(const CanaryOptions& options) {
  const std::vector<Experiment> experiments = {
      {"gradient descent", descent, kLargeTarget},
      {"averaged logistic descent", averaged, 1.0},
  };
  std::vector<Finding> findings;
  const std::size_t all = experiments.size() * options.epsilons.size();
  for (const Experiment& experiment : experiments) {
    for (const double epsilon : options.epsilons) {
      const Outcome outcome = run(experiment, options.canaries, epsilon);
      // With half the noise mu is twice as large: a fit that spends that, held to this promise.
      const double weaker = epsilon_of_mu(2.0 * mu_of_epsilon(outcome.claimed, kDelta), kDelta);
      const bool is_noticed = run(experiment, options.canaries, weaker).found > outcome.claimed;
      findings.push_back(
          {.subject = experiment.subject + ", epsilon " + core::number_text(epsilon),
           .verdict = outcome.found > outcome.claimed ? Verdict::flagged : Verdict::passes,
           .unit = "epsilon",
           .claimed = outcome.claimed,
           .found = outcome.found,
           .power = is_noticed ? 1.0 : 0.0,
           .words = std::to_string(outcome.guesses.right) + " of " +
                    std::to_string(outcome.guesses.made) + " coins guessed; at delta " +
                    core::rounded_text(kDelta) + "; the power is that of one fit"});
      core::report(options.progress, findings.size(), all);
    }
  }
  return findings;
}

}  // namespace southwell::audit
