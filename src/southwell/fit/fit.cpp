#include "southwell/fit/fit.hpp"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/fit/classes_from_data.hpp"
#include "southwell/fit/found_sizes.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/fit/planned_model.hpp"
#include "southwell/fit/private_norm.hpp"
#include "southwell/ledger/charge.hpp"
#include "southwell/model/coef_covariance.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/problem/objective.hpp"

namespace southwell::fit {
namespace {

// How far the logarithm of a scale may be off: of one that was declared, and of one that a
// mechanism found, which is a power of two.
constexpr double kScaleDoubt = 0.22;
constexpr double kFoundScaleDoubt = 0.4;

/// As planned, or with scales from the data.
problem::Coordinates::Options scales_of(const data::Dataset& dataset, const Decisions& plan,
                                        core::ThreadPool& pool) {
  problem::Coordinates::Options scales = plan.coordinates;
  if (!plan.spec.feature_scale_from_data) return scales;
  scales.smoothness_from_data = std::visit(
      [&](const auto& design) {
        return problem::column_smoothness(design, scales.curvature, scales.l2, pool);
      },
      dataset.design);
  for (double& smoothness : scales.smoothness_from_data) {
    // An empty column has no gradient; an infinite one no scale.
    if (!(smoothness > 1e-200 && smoothness < 1e200)) smoothness = scales.curvature;
  }
  return scales;
}

struct Chosen {
  Solved solved;
  std::optional<double> share;  ///< what a choice kept of it
};

Chosen solve(const data::Dataset& dataset, const Decisions& plan, const RunOptions& options,
             core::ThreadPool& pool, privacy::RandomBits& bits) {
  const problem::Coordinates coordinates(plan.coordinates);
  const problem::RecordWeights weights(dataset.record_units, plan.spec.class_weight,
                                       problem::HeadTarget(dataset.target, plan.classes));
  const auto factors = std::visit(
      [&](const auto& design) { return problem::RecordFactors(design, plan.record_limit, pool); },
      dataset.design);
  const Work work{.dataset = dataset,
                  .loss = plan.loss,
                  .penalty = plan.penalty,
                  .classes = plan.classes,
                  .coordinates = coordinates,
                  .weights = weights,
                  .factors = factors,
                  .start = plan.start,
                  .iterations = plan.iterations,
                  .step = plan.step,
                  .slope_scale = problem::typical_slope(plan.loss, plan.target_scale),
                  .slope_scale_doubt = plan.private_scale ? kFoundScaleDoubt : kScaleDoubt,
                  .record_norm = plan.record_norm,
                  .multiclass = plan.multiclass,
                  .shards = options.shards,
                  .progress = options.progress,
                  .pool = pool,
                  .bits = bits};
  Chosen out{.solved = std::visit([&](const auto& algorithm) { return algorithm.solve(work); },
                                  plan.algorithm),
             .share = std::nullopt};
  if (plan.choice) out.share = plan.choice->apply(out.solved, work);
  return out;
}

/// Of the coefficients that are not 0 and have a noise that is stated.
model::CoefCovariance covariance_of(const Solved& solved, const problem::Coordinates& all) {
  std::map<std::size_t, std::size_t> places;  // by index, in order
  for (std::size_t k = 0; k < solved.noisy.size(); ++k) {
    const std::size_t c = solved.noisy[k];
    const bool is_there = all.is_intercept(c) || solved.coef[c] != 0.0;
    if (is_there && std::isfinite(solved.noise_sd[c])) places[all.feature(c)] = k;
  }
  model::CoefCovariance out;
  for (const auto& [index, a] : places) {
    out.index.push_back(index);
    for (const auto& [other, b] : places) {
      out.values.push_back(solved.covariance[a * solved.noisy.size() + b]);
    }
  }
  return out;
}

LinearModel model_of(const Decisions& plan, const Solved& solved) {
  const problem::Coordinates all(plan.coordinates);
  LinearModel model = empty_model(plan);
  for (const solvers::PathStep& step : solved.path) {
    model.path.push_back(
        {all.head(step.coordinate), all.feature(step.coordinate), step.gradient, step.value});
  }
  for (std::size_t c = 0; c < all.size(); ++c) {
    model::Head& head = model.heads[all.head(c)];
    if (all.is_intercept(c)) {
      head.intercept = solved.coef[c];
      head.intercept_noise_sd = solved.noise_sd[c];
    } else if (solved.coef[c] != 0.0) {
      head.coef.push_back({all.feature(c), solved.coef[c], solved.noise_sd[c]});
    }
  }
  if (!solved.covariance.empty() && solved.noisy.size() <= model::kMostTogether) {
    model.attachments.coef_covariance = model::covariance_text(covariance_of(solved, all));
  }
  return model;
}

}  // namespace

std::unique_ptr<privacy::RandomBits> bits_of(const FitPlan& plan, RunOptions& options) {
  if (plan->spec.seed_for_tests) {
    return std::make_unique<privacy::SeededRandomBits>(*plan->spec.seed_for_tests);
  }
  if (options.bits) return std::move(options.bits);
  return std::make_unique<privacy::SystemRandomBits>();
}

LinearModel fit(const data::Dataset& dataset, const FitPlan& plan, RunOptions options) {
  if (plan->held_out) {
    refuse_as_foreign("test_share", core::number_text(plan->held_out->share),
                      "assess::fit_and_assess", "a fit alone has no figures");
  }
  check_dataset(dataset, plan);
  // Entropy first: without it no record is used.
  const std::unique_ptr<privacy::RandomBits> bits = bits_of(plan, options);
  ledger::Charge charge(options.ledger, "fit", plan->statement);
  LinearModel model = fit_part(dataset, plan, options, *bits);
  charge.commit(model);
  return model;
}

namespace {

/// What other bits than the operating system's take away.
void settle_origin(Decisions& plan, const privacy::RandomBits& bits) {
  if (bits.origin() == privacy::Origin::system || fault(Fault::fit_certifies_a_seed)) return;
  plan.statement.randomness = model::kFixedRandomness;
  if (!plan.spec.seed_for_tests) plan.no_guarantee.push_back("scripted");
  settle_guarantee(plan.statement, plan.no_guarantee);
}

}  // namespace

LinearModel start_model(const FitPlan& planned, const privacy::RandomBits& bits) {
  Decisions plan = *planned;
  settle_origin(plan, bits);
  const problem::Coordinates all(plan.coordinates);
  LinearModel model = empty_model(plan);
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all.is_intercept(c)) model.heads[all.head(c)].intercept = plan.start[c];
  }
  return model;
}

void check_dataset(const data::Dataset& dataset, const FitPlan& planned) {
  if (!dataset.has_target() || dataset.target.size() != dataset.records()) {
    throw DataError("data: a fit needs a target, one number per record");
  }
  if (planned->classes_are_imagined) refuse_leak("classes", "nothing", kClassesAccepted);
  check_units(dataset.record_units, dataset.records(), planned->statement);
  if (dataset.features() != planned->coordinates.features) {
    throw DataError("data: " + std::to_string(dataset.features()) +
                    " features; the fit was planned for " +
                    std::to_string(planned->coordinates.features));
  }
}

LinearModel fit_part(const data::Dataset& dataset, const FitPlan& planned,
                     const RunOptions& options, privacy::RandomBits& bits) {
  check_dataset(dataset, planned);
  const core::StandardFloatEnvironment standard;
  core::ThreadPool pool(planned->spec.threads);
  Decisions plan = *planned;
  if (plan.private_norm) {
    plan.settle_record_norm(found_norm(*plan.private_norm, dataset, plan.record_limit, pool, bits));
  }
  settle_origin(plan, bits);
  bool is_too_large = false;  // the target scale
  if (plan.private_scale) {
    plan.settle_target_scale(plan.private_scale->find(dataset.target, dataset.record_units, bits));
    is_too_large =
        plan.reach_check &&
        !plan.reach_check->confirms(plan.target_scale, dataset.target, dataset.record_units, bits);
  }
  plan.coordinates = scales_of(dataset, plan, pool);
  Chosen chosen = solve(dataset, plan, options, pool, bits);
  if (is_too_large) {
    stay_at_start(chosen.solved, plan.start);
    if (chosen.share) chosen.share = 0.0;
  }
  if (chosen.share) plan.settle_choice(*chosen.share);
  LinearModel model = model_of(plan, chosen.solved);
  model.privacy.found_amiss = size_warnings(model, chosen.solved);
  if (is_too_large) model.privacy.found_amiss.push_back(too_large_warning(plan.target_scale));
  if (chosen.share) model.attachments.choice = choice_json(*chosen.share);
  return model;
}

LinearModel fit(const data::Dataset& dataset, const FitSpec& spec, RunOptions options) {
  return fit(dataset, plan_fit(with_classes_of(dataset, spec), DataShape::of(dataset)),
             std::move(options));
}

}  // namespace southwell::fit
