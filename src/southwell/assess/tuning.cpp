#include "southwell/assess/tuning.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/held_out_fit.hpp"
#include "southwell/assess/loss_scores.hpp"
#include "southwell/assess/private_evaluation.hpp"
#include "southwell/assess/secret_runs.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/fit/found_sizes.hpp"
#include "southwell/ledger/charge.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/line_losses.hpp"

namespace southwell::assess {
namespace {

constexpr auto kSensitivity = static_cast<std::uint64_t>(problem::ProductClip::kBound);

TuningSplit split_for(const TuningPlan& plan, std::size_t units, privacy::RandomBits& bits) {
  TuningSplit split{
      .is_held_out = drawn_split(plan.held_out(), units, *bits.stream(privacy::Purpose::split, 0))};
  if (!plan.figures()) return split;
  std::vector<std::size_t> places;
  for (std::size_t unit = 0; unit < units; ++unit) {
    if (split.is_held_out[unit]) places.push_back(unit);
  }
  const std::vector<bool> again =
      drawn_split(*plan.figures(), places.size(), *bits.stream(privacy::Purpose::split, 1));
  split.is_for_figures.resize(units);
  for (std::size_t k = 0; k < places.size(); ++k) split.is_for_figures[places[k]] = again[k];
  return split;
}

/// The units to compare models on.
std::vector<bool> compared_units(const TuningSplit& split) {
  std::vector<bool> units = split.is_held_out;
  for (std::size_t unit = 0; unit < split.is_for_figures.size(); ++unit) {
    if (split.is_for_figures[unit]) units[unit] = false;
  }
  return units;
}

/// What a loss counts at most: several times that of a model that says nothing.
double loss_cap(const fit::Decisions& plan) {
  const bool is_softmax = plan.multiclass == problem::Multiclass::softmax;
  const double classes = static_cast<double>(std::max<std::size_t>(2, plan.classes.size()));
  return problem::typical_cap(plan.loss, plan.target_scale) *
         (is_softmax ? std::log2(classes) : 1.0);
}

/// The plans of all fits, with the target scale that a mechanism finds if one is to.
struct Settled {
  std::vector<fit::FitPlan> fits;
  bool is_too_large = false;  ///< that scale
};

Settled settled(const TuningPlan& plan, const data::Dataset& fitted, privacy::RandomBits& bits) {
  if (!plan.target_scale()) return {.fits = plan.fits()};
  const auto& [magnitude, reach] = *plan.target_scale();
  const double scale = magnitude.find(fitted.target, fitted.record_units, bits);
  return {.fits = plan.fits_for(scale),
          .is_too_large = !reach.confirms(scale, fitted.target, fitted.record_units, bits)};
}

/// Fits all, and lets the exponential mechanism choose.
Candidate best_of_all(const Comparison& of, const fit::RunOptions& options,
                      privacy::RandomBits& bits) {
  std::vector<model::LinearModel> candidates;
  const auto all = static_cast<double>(of.fits.size());
  for (std::size_t k = 0; k < of.fits.size(); ++k) {
    // Bits of its own for each fit, which draws streams of them.
    const auto own = bits.stream(privacy::Purpose::run, static_cast<std::uint32_t>(k + 1));
    fit::RunOptions run;
    run.shards = options.shards;
    run.progress = [&](double share) {
      if (options.progress) options.progress((static_cast<double>(k) + share) / all);
    };
    candidates.push_back(fit::fit_part(of.fitted, of.fits[k], run, *own));
  }
  candidates.push_back(fit::start_model(of.fits.front(), bits));
  const core::StandardFloatEnvironment standard;
  const std::uint64_t scale = fault(Fault::choice_without_noise) ? 1 : of.choice.scale;
  const privacy::ExponentialMechanism mechanism(kSensitivity, scale);
  const std::size_t chosen = mechanism.release(loss_scores(candidates, of.compared, of.loss_cap),
                                               *bits.stream(privacy::Purpose::iterate, 0));
  return {chosen, std::move(candidates[chosen])};
}

/// Private figures of the model on records that neither a fit nor the choice has seen.
void assess_on(const data::Dataset& records, const TuningPlan& plan, model::LinearModel& model,
               privacy::RandomBits& bits) {
  const fit::Decisions& fit = *plan.fits().front();
  EvaluationSpec spec{.epsilon = plan.budget().epsilon,
                      .delta = plan.budget().delta,
                      .relation = fit.statement.relation};
  if (plan.figures()->relation != privacy::Relation::replace_one) {
    spec.records = plan.figures()->test;
  }
  if (fit.statement.has_units()) spec.unit = fit.spec.unit;
  fit::DataShape shape = fit::DataShape::of(records);
  shape.records = static_cast<std::size_t>(plan.figures()->test);
  const PrivateEvaluation evaluation(spec, model, shape);
  model.attachments.evaluation =
      evaluation_text(evaluation.find(records, *bits.stream(privacy::Purpose::figures, 0)));
}

std::string choice_text(const TuningPlan& plan, std::size_t chosen,
                        const model::LinearModel& model) {
  const std::vector<std::string>& names = plan.spec().names;
  nlohmann::json choice{{"settings", names},
                        {"chosen", chosen < names.size() ? names[chosen] : kNoFeatures},
                        {"way", plan.runs() ? "runs" : "all"}};
  if (!model.attachments.choice.empty()) {
    choice["iterate"] = nlohmann::json::parse(model.attachments.choice);
  }
  return core::dumped(choice, -1);
}

}  // namespace

model::LinearModel Tuning::find_on_parts(const data::Dataset& dataset, const TuningSplit& split,
                                         const fit::RunOptions& options,
                                         privacy::RandomBits& bits) const {
  const data::Dataset fitted = part_of(dataset, split.is_held_out, false);
  const data::Dataset compared = part_of(dataset, compared_units(split), true);
  const Settled of = settled(plan_, fitted, bits);
  const Comparison comparison{.fits = of.fits,
                              .fitted = fitted,
                              .compared = compared,
                              .choice = plan_.choice(),
                              .loss_cap = loss_cap(*of.fits.front())};
  Candidate best = of.is_too_large
                       ? Candidate{of.fits.size(), fit::start_model(of.fits.front(), bits)}
                   : plan_.runs() ? best_of_runs(comparison, *plan_.runs(), options, bits)
                                  : best_of_all(comparison, options, bits);
  model::LinearModel& model = best.model;
  model.privacy = plan_.statement_of(best.setting, model.privacy);
  if (of.is_too_large) {
    model.privacy.found_amiss.push_back(fit::too_large_warning(of.fits.front()->target_scale));
  }
  model.attachments.choice = choice_text(plan_, best.setting, model);
  if (plan_.figures()) {
    const bool of_choice = fault(Fault::figures_of_the_choices_records);
    assess_on(of_choice ? compared : part_of(dataset, split.is_for_figures, true), plan_, model,
              bits);
    model.attachments.parts = parts_text(model.privacy);
  }
  return std::move(model);
}

model::LinearModel Tuning::find(const data::Dataset& dataset, fit::RunOptions options) const {
  check_form(dataset, plan_.fits().front());
  const std::unique_ptr<privacy::RandomBits> bits = fit::bits_of(plan_.fits().front(), options);
  ledger::Charge charge(options.ledger, "tune", statement());
  model::LinearModel model =
      find_on_parts(dataset, split_for(plan_, dataset.units(), *bits), options, *bits);
  charge.commit(model);
  return model;
}

}  // namespace southwell::assess
