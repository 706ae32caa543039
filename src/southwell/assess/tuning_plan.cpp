#include "southwell/assess/tuning_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "southwell/assess/tuning_mechanisms.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/figure_mechanisms.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"

namespace southwell::assess {
namespace {

void erase_input(std::vector<model::PublicInput>& inputs, const std::string& name) {
  std::erase_if(inputs, [&](const model::PublicInput& input) { return input.name == name; });
}

}  // namespace

TuningPlan::TuningPlan(const TuningSpec& spec, const fit::DataShape& shape)
    : spec_(spec), budget_{spec.epsilon, spec.delta}, shape_(shape) {
  budget_.check();
  check(spec_);
  const core::StandardFloatEnvironment standard;
  // Parts and what they cost besides the fits are those of any plan: they do not depend on epsilon.
  const fit::FitPlan any = fit::plan_fit(setting(0, budget_.epsilon, 1.0), shape_);
  const fit::HeldOut& out = *any->held_out;
  if (spec_.test_share) {
    figures_ = fit::held_out(*spec_.test_share / (*spec_.test_share + spec_.choice_share), out.test,
                             out.relation);
    of_figures_ = fit::figure_mechanisms(any->classes.size(), out.relation, budget_);
    for (model::MechanismUse& use : of_figures_) use.part = model::kTestPart;
  }
  if (spec_.finds_target_scale()) {
    const auto records = static_cast<double>(out.fit);
    target_scale_ = {fit::PrivateMagnitude::of_targets(budget_.epsilon, records),
                     fit::ReachCheck(budget_, records)};
    fit::check_is_no_guess(target_scale_->magnitude, records,
                           spec_.settings.front().target_scale_private ? "private" : "nothing");
  }
  compare_ways();
}

fit::FitSpec TuningPlan::setting(std::size_t k, double epsilon, double target_scale) const {
  fit::FitSpec out = spec_.settings[k];
  out.epsilon = epsilon;
  out.delta = spec_.delta;
  out.one_plan = true;
  out.test_share = spec_.choice_share + spec_.test_share.value_or(0.0);
  if (spec_.finds_target_scale()) {
    out.target_scale_private = false;
    out.target_scale = target_scale;
  }
  return out;
}

std::vector<fit::FitPlan> TuningPlan::fits_for(double target_scale) const {
  std::vector<fit::FitPlan> fits;
  for (std::size_t k = 0; k < spec_.settings.size(); ++k) {
    fits.push_back(fit::plan_fit(setting(k, chosen_.epsilon, target_scale), shape_));
    if (!are_same(uses_of(fits.back()), uses_of(chosen_.fits[k]))) {
      throw CalibrationError("target_scale: the noise of a fit depends on it; declare a number");
    }
  }
  return fits;
}

/// What ran, or may have run: the fits of the other settings, the chosen one's, the choice, the
/// figures. All of it follows from public inputs and from which setting was chosen.
std::vector<model::MechanismUse> TuningPlan::mechanisms_of(std::size_t chosen, const Fits& fits,
                                                           const Calibrated& with) const {
  std::vector<model::MechanismUse> out;
  if (target_scale_) {
    out.push_back({"target_scale", "exponential_mechanism", target_scale_->magnitude.cost(), 1,
                   model::kFitPart});
    out.push_back({"target_scale", "discrete_gaussian_release", target_scale_->reach.cost(), 1,
                   model::kFitPart});
  }
  // The model without features has the statement of the first setting.
  const std::size_t own = chosen < fits.size() ? chosen : 0;
  const std::vector<model::MechanismUse> of_fits =
      mechanisms_of_fits(own, fits, with.runs ? Way::runs : Way::all);
  out.insert(out.end(), of_fits.begin(), of_fits.end());
  if (!fault(Fault::choice_is_not_charged)) {
    const bool scores = with.choice.kind == privacy::Cost::Kind::discrete_gaussian;
    const std::string name(scores ? privacy::GaussianLaw::kMechanism : "exponential_mechanism");
    out.push_back(
        {"choose", name, with.choice, 1, model::kChoicePart, with.runs ? model::kEveryRun : ""});
  }
  out.insert(out.end(), of_figures_.begin(), of_figures_.end());
  return out;
}

bool TuningPlan::is_within(const Fits& fits, const Calibrated& with) const {
  model::Statement all;
  all.delta = budget_.delta;
  all.runs = with.runs;
  all.mechanisms = mechanisms_of(0, fits, with);
  return all.spent().epsilon <= budget_.epsilon;
}

TuningPlan::Calibrated TuningPlan::first_with(double epsilon,
                                              const std::optional<privacy::RunLaw>& runs) const {
  Calibrated out{.epsilon = epsilon,
                 .fits = {},
                 .choice = runs ? score_within({epsilon, budget_.delta}) : choice_within(budget_),
                 .runs = runs};
  out.fits.push_back(fit::plan_fit(setting(0, epsilon, 1.0), shape_));
  return out;
}

/// The law that costs least among those that try as much. The first makes by far the fewest runs:
/// another has to be a tenth cheaper.
std::optional<privacy::RunLaw> TuningPlan::cheapest_law() const {
  const std::vector<privacy::RunLaw> laws = laws_that_try(spec_.settings.size() + 1);
  Calibrated with = first_with(budget_.epsilon / 2.5, laws.front());
  model::Statement one;
  one.delta = budget_.delta;
  std::optional<privacy::RunLaw> best;
  double least = 0.0;
  for (const privacy::RunLaw& law : laws) {
    with.runs = law;
    one.runs = law;
    one.mechanisms = mechanisms_of(0, {&with.fits.front()}, with);
    const double cost = one.spent().epsilon;
    if (best && cost >= 0.9 * least) continue;
    best = law;
    least = cost;
  }
  return best;
}

/// The largest epsilon of each fit: by bisection of the first setting's, in the place of all, and a
/// little less where another one's costs more. What is kept was checked with all of them.
std::optional<TuningPlan::Calibrated> TuningPlan::calibrated(
    const std::optional<privacy::RunLaw>& runs) const {
  const std::size_t count = spec_.settings.size();
  const auto fits_all = [&](double epsilon) {
    const Calibrated with = first_with(epsilon, runs);
    return is_within(Fits(count, &with.fits.front()), with);
  };
  double high = budget_.epsilon;
  double low = high;
  while (!fits_all(low)) {
    high = low;
    low /= 2.0;
    if (low < 1e-9 * budget_.epsilon) return std::nullopt;
  }
  while (high > 1.01 * low) {
    const double middle = std::sqrt(low * high);
    (fits_all(middle) ? low : high) = middle;
  }
  for (double epsilon = low; epsilon > 0.5 * low; epsilon *= 0.97) {
    Calibrated out = first_with(epsilon, runs);
    for (std::size_t k = 1; k < count; ++k) {
      out.fits.push_back(fit::plan_fit(setting(k, epsilon, 1.0), shape_));
    }
    Fits fits;
    for (const fit::FitPlan& plan : out.fits) fits.push_back(&plan);
    if (is_within(fits, out)) return out;
  }
  return std::nullopt;
}

/// Public numbers alone: the way that leaves each fit the larger epsilon.
void TuningPlan::compare_ways() {
  std::optional<Calibrated> by_all;
  std::optional<Calibrated> by_runs;
  if (spec_.way != "runs") by_all = calibrated(std::nullopt);
  if (spec_.way != "all") by_runs = calibrated(cheapest_law());
  if (!by_all && !by_runs) {
    throw CalibrationError("settings: the budget does not reach for " +
                           std::to_string(spec_.settings.size()) +
                           " fits; ask for fewer settings or a larger epsilon");
  }
  const bool takes_runs = by_runs && (!by_all || by_runs->epsilon > by_all->epsilon);
  std::optional<Calibrated>& other = takes_runs ? by_all : by_runs;
  if (other) epsilon_otherwise_ = other->epsilon;
  chosen_ = std::move(takes_runs ? *by_runs : *by_all);
}

std::string TuningPlan::reason() const {
  const std::string count = std::to_string(spec_.settings.size());
  const std::string own = core::rounded_text(chosen_.epsilon, 3);
  std::string text = chosen_.runs
                         ? "a secret number of runs of settings drawn at random, each with epsilon "
                         : "all " + count + " settings are fitted, each with epsilon ";
  text += own;
  if (!epsilon_otherwise_) return text + "; as asked for";
  const std::string less = core::rounded_text(*epsilon_otherwise_, 3);
  return text + (chosen_.runs ? "; fitting all " + count + " would leave each " + less
                              : "; a secret number of runs would leave each " + less);
}

std::string TuningPlan::expectation() const {
  constexpr double kAlike = 2500.0;
  const double strength = static_cast<double>(held_out().fit) * chosen_.epsilon;
  const std::string words =
      "records to fit times epsilon of each fit is " + core::rounded_text(strength, 3) + ", ";
  return strength < kAlike
             ? words + "below 2500: an untuned fit with the whole budget is likely to be better"
             : words +
                   "at least 2500: an untuned fit with the whole budget is likely to do as well";
}

model::Statement TuningPlan::statement() const {
  model::Statement out = statement_of(0, fits().front()->statement);
  for (model::PublicInput& input : out.public_inputs) {
    if (input.name == "target_scale" && target_scale_) input.value = std::string("private");
  }
  return out;
}

model::Statement TuningPlan::statement_of(std::size_t chosen,
                                          const model::Statement& of_fit) const {
  using model::Source;
  model::Statement out = of_fit;
  Fits fits;
  for (const fit::FitPlan& plan : chosen_.fits) fits.push_back(&plan);
  out.mechanisms = mechanisms_of(chosen, fits, chosen_);
  out.runs = chosen_.runs;
  if (fault(Fault::tuning_states_the_chosen_fit_alone)) out.runs.reset();
  out.epsilon = budget_.epsilon;
  out.delta = budget_.delta;
  const fit::HeldOut& parts = held_out();
  const std::uint64_t compared = figures_ ? figures_->fit : parts.test;
  out.parts = {{model::kFitPart, static_cast<double>(parts.fit)},
               {model::kChoicePart, static_cast<double>(compared)}};
  if (figures_) out.parts.push_back({model::kTestPart, static_cast<double>(figures_->test)});
  for (model::PublicInput& input : out.public_inputs) {
    if (input.name == "epsilon") input.value = budget_.epsilon;
    if (input.name == "target_scale" && target_scale_) input.source = Source::mechanism;
  }
  erase_input(out.public_inputs, "test_share");
  std::string settings;
  for (const std::string& name : spec_.names) settings += (settings.empty() ? "" : "; ") + name;
  const std::string name = chosen < spec_.names.size() ? spec_.names[chosen] : kNoFeatures;
  const Source of_way = spec_.way == "auto" ? Source::standard : Source::user;
  out.public_inputs.push_back({"choice_share", spec_.choice_share, Source::user});
  if (spec_.test_share)
    out.public_inputs.push_back({"test_share", *spec_.test_share, Source::user});
  out.public_inputs.push_back({"settings", settings, Source::user});
  out.public_inputs.push_back({"way", std::string(chosen_.runs ? "runs" : "all"), of_way});
  out.public_inputs.push_back({"way_choice", reason(), Source::standard});
  out.public_inputs.push_back({"epsilon_of_each_fit", chosen_.epsilon, Source::standard});
  out.public_inputs.push_back({"chosen_setting", name, Source::mechanism});
  if (!figures_) {
    std::erase_if(out.covers,
                  [](const std::string& words) { return words.starts_with("the figures"); });
  }
  out.covers.emplace_back(chosen_.runs
                              ? "the choice of its setting, with all runs that were made for it"
                              : "the choice of its setting, with the fits of all settings");
  if (chosen_.runs) {
    out.not_covered.emplace_back(
        "how long all runs took together: that says something of their number, which is secret");
  }
  const core::StandardFloatEnvironment standard;
  model::settle_spent(out);
  if (out.is_private) model::settle_guarantee(out, {});
  return out;
}

}  // namespace southwell::assess
