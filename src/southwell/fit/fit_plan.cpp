#include "southwell/fit/fit_plan.hpp"

#include <utility>
#include <variant>

#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/fit/norm_rules.hpp"
#include "southwell/fit/planned_model.hpp"
#include "southwell/fit/planner.hpp"
#include "southwell/model/guarantee.hpp"

namespace southwell::fit {

DataShape DataShape::of(const data::Dataset& dataset) {
  const bool counts_records = fault(Fault::unit_count_is_that_of_records);
  return {counts_records ? dataset.records() : dataset.units(), dataset.features(),
          std::holds_alternative<data::SparseDesign>(dataset.design), dataset.feature_names,
          dataset.record_units.has_value()};
}

void Decisions::settle_target_scale(double scale) {
  target_scale = scale;
  coordinates.clip = problem::typical_slope(loss, scale) * clip_per_slope;
  if (alpha_waits()) {
    spec.objective = automatic_alpha->settled(loss, scale);
    penalty = problem::penalty_of(spec.objective);
    coordinates.l2 = problem::curvature(penalty);
  }
  for (PublicInput& input : statement.public_inputs) {
    if (input.name == "target_scale") input.value = scale;
    if (input.name == "clip") input.value = coordinates.clip;
    if (!alpha_waits()) continue;
    if (input.name == "alpha") input.value = *spec.objective.alpha;
    if (input.name == kL1Strength) input.value = automatic_alpha->l1_part(loss, scale);
  }
}

void Decisions::settle_choice(double share) {
  for (PublicInput& input : statement.public_inputs) {
    if (input.name != "select_iterate") continue;
    input.value = "kept " + kept_text(share);
    input.source = Source::mechanism;
  }
}

bool Decisions::alpha_waits() const {
  return private_scale && automatic_alpha && automatic_alpha->follows_target_scale(loss);
}

void Decisions::settle_record_norm(double norm) {
  if (other && norm <= other->up_to) *this = Decisions(*other->plan);
  record_norm = norm;
  const auto* const by_norm = std::get_if<NormDescent>(&algorithm);
  if (by_norm != nullptr) {
    record_limit.norm = kLongestRecord * norm;
    coordinates.clip = by_norm->clip_at(norm);
  }
  for (PublicInput& input : statement.public_inputs) {
    if (input.name == "record_norm") input.value = norm;
    if (by_norm == nullptr) continue;
    if (input.name == "record_limit") {
      input.value = record_limit.norm;
      input.source = Source::mechanism;
    }
    if (input.name == "clip") input.value = coordinates.clip;
  }
}

NoiseSd Decisions::noise(const problem::Coordinates& all, std::size_t coordinate) const {
  return std::visit([&](const auto& each) { return each.noise(all, coordinate, step); }, algorithm);
}

void check_inputs(const FitSpec& spec, const DataShape& shape) {
  const core::StandardFloatEnvironment standard;
  Planner(spec, shape).check();
}

namespace {

Decisions planned(const FitSpec& spec, const DataShape& shape,
                  const std::optional<SolverChoice>& taken) {
  Planner planner(spec, shape);
  const SolverChoice choice = planner.solver();
  Decisions decided = planner.plan(taken.value_or(choice));
  check_planned_model(decided);  // or a budget would be spent on what cannot be kept
  return decided;
}

/// What both plans do, and what either does alone, in the statements of both.
void state_together(Decisions& greedy, Decisions& descent) {
  const auto is_of_both = [](const MechanismUse& use) {
    return use.step == "record_norm" || use.part == model::kTestPart;
  };
  std::vector<MechanismUse> all;
  for (Decisions* const each : {&greedy, &descent}) {
    for (MechanismUse use : each->statement.mechanisms) {
      if (!is_of_both(use)) use.plan = each->statement.solver;
      if (!is_of_both(use) || each == &greedy) all.push_back(std::move(use));
    }
  }
  for (Decisions* const each : {&greedy, &descent}) {
    each->statement.mechanisms = all;
    settle_spent(each->statement);
    settle_guarantee(each->statement, each->no_guarantee);
  }
}

}  // namespace

FitPlan plan_fit(const FitSpec& spec, const DataShape& shape) {
  const core::StandardFloatEnvironment standard;  // the accounting rounds up from nearest
  const SolverChoice choice = Planner(spec, shape).solver();
  Decisions decided = planned(spec, shape, choice);
  if (choice.descends_up_to) {
    SolverChoice instead = choice;
    instead.solver = NormDescent::kSolver;
    Decisions descent = planned(spec, shape, instead);
    state_together(decided, descent);
    decided.other = {*choice.descends_up_to, std::make_shared<const Decisions>(std::move(descent))};
  }
  return FitPlan(std::move(decided));
}

}  // namespace southwell::fit
