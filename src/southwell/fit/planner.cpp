#include "southwell/fit/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/figure_mechanisms.hpp"
#include "southwell/fit/fit_start.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/inputs.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/fit/table_inputs.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::fit {

Planner::Planner(const FitSpec& spec, const DataShape& shape)
    : shape_(shape),
      draft_{.spec = out_.spec,
             .loss = out_.loss,
             .statement = out_.statement,
             .record_limit = out_.record_limit} {
  out_.spec = with_table_inputs(spec);
}

SolverChoice Planner::solver() {
  plan_objective();
  plan_budget();
  check_values(spec());
  plan_mode();
  return chooses_solver() ? better_solver() : SolverChoice{*spec().solver, "as given"};
}

Decisions Planner::plan(const SolverChoice& choice) {
  descends_up_to_ = choice.descends_up_to;
  if (descends_up_to_) {
    draft_.budget.delta = privacy::delta_of_each(draft_.budget.delta, 2);
  }
  plan_algorithm(choice);
  check_test_share();
  plan_shape();
  plan_classes();
  plan_coordinates();
  plan_feature_scale();
  plan_record_norm();
  plan_target_scale();
  plan_alpha();
  check_target_center();
  plan_numbers();
  plan_figures();
  plan_start();
  state();
  return std::move(out_);
}

void Planner::check() {
  plan_objective();
  plan_budget();
  check_values(spec());
  plan_mode();
  is_check_ = true;
  check_algorithm();
  check_test_share();
  plan_shape();
  plan_classes();
  plan_coordinates();
  plan_feature_scale();
  check_record_norm();
  check_target_scale();
  check_target_center();
}

void Planner::plan_objective() {
  problem::ObjectiveSpec& objective = out_.spec.objective;
  if (spec().intercept) {
    objective.intercept = *spec().intercept ? problem::Intercept::free : problem::Intercept::none;
  }
  if (objective.loss.empty()) {
    refuse("loss", "nothing", "one of " + core::listed(problem::kLossNames));
  }
  out_.loss = problem::loss_of(objective);
  alpha_given_ = objective.alpha.has_value();
  // What stands for it until plan_alpha: the form of the penalty is all that is asked for before.
  if (!alpha_given_ && problem::has_strength(objective)) objective.alpha = 1.0;
  out_.penalty = problem::penalty_of(objective);
  const auto note_if_given = [&](std::string_view name, const std::optional<double>& given) {
    if (given) draft_.note(name, *given);
  };
  draft_.note("loss", objective.loss);
  note_if_given("huber_width", objective.huber_width);
  draft_.note("penalty", objective.penalty);
  if (alpha_given_) draft_.note("alpha", *objective.alpha);
  note_if_given("l1_ratio", objective.l1_ratio);
  note_if_given("lower", objective.lower);
  note_if_given("upper", objective.upper);
  draft_.note("intercept", objective.intercept == problem::Intercept::free);
  const problem::Interval box = problem::kinked_part(out_.penalty).box;
  if (box.lo == box.hi) {
    refuse("lower, upper", "the same number twice", "lower < upper: nothing else can be fitted");
  }
  if (objective.alpha) checked_scale("alpha", *objective.alpha);
  if (objective.huber_width) checked_scale("huber_width", *objective.huber_width);
  for (const double end : {box.lo, box.hi}) {
    if (std::isfinite(end) && std::fabs(end) > kLargestScale) {
      refuse("lower, upper", core::rounded_text(end), "at most 1e100 in size, or infinite");
    }
  }
}

void Planner::plan_budget() {
  draft_.budget = {required("epsilon", spec().epsilon, "a positive finite number"),
                   required("delta", spec().delta, "a number from 0 to below 1")};
  draft_.budget.check();
  draft_.budget.delta += 0.0;  // -0 is 0
  out_.statement.epsilon = draft_.budget.epsilon;
  out_.statement.delta = draft_.budget.delta;
  draft_.note("epsilon", out_.statement.epsilon);
  draft_.note("delta", out_.statement.delta);
  draft_.relation = relation_of(spec().relation);
  out_.statement.relation = name_of(draft_.relation);
  draft_.note("relation", out_.statement.relation);
}

void Planner::plan_mode() {
  out_.statement.mode = word_of(input_named("mode"), spec());
  draft_.mode = out_.statement.mode == kModeNames[0] ? Mode::certified : Mode::paper;
}

/// What is refused whichever solver is chosen when the data are there.
void Planner::check_algorithm() {
  if (!chooses_solver()) return plan_algorithm({*spec().solver, "as given"});
  const std::vector<std::string_view> possible = solvers_to_choose_from(draft_);
  for (const std::string_view solver : possible) {
    try {
      return plan_algorithm({std::string(solver), ""});
    } catch (const InvalidArgument&) {
      if (solver == possible.back()) throw;
    }
  }
}

void Planner::plan_algorithm(const SolverChoice& choice) {
  Statement& statement = out_.statement;
  statement.solver = choice.solver;
  out_.solver_reason = choice.why;
  draft_.by_norm = first_facts().by_norm;
  out_.algorithm = chosen_algorithm(statement.solver, draft_);
  const Source automatic = descends_up_to_ ? Source::mechanism : Source::standard;
  draft_.note("solver", statement.solver, chooses_solver() ? automatic : Source::user);
  if (chooses_solver()) draft_.note(model::kSolverChoice, choice.why, Source::standard);
  draft_.note("mode", statement.mode);
  if (is_paper()) {
    if (draft_.relation != privacy::Relation::replace_one) {
      refuse("relation", statement.relation, "replace_one in paper mode");
    }
    no_guarantee("paper mode");
    statement.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
  }
  std::visit([&](auto& algorithm) { algorithm.read(draft_); }, out_.algorithm);
  if (spec().seed_for_tests) {
    if (!fault(Fault::fit_certifies_a_seed)) no_guarantee("seeded");
    draft_.note("seed_for_tests", std::to_string(*spec().seed_for_tests));
  }
  if (spec().allow_leaks) {
    no_guarantee("allow_leaks");
    draft_.note("allow_leaks", true);
  }
}

SolverChoice Planner::better_solver() const {
  const std::vector<std::string_view> possible = solvers_to_choose_from(draft_);
  if (possible.size() == 1) return {std::string(possible[0]), why_no_other(draft_)};
  PublicFacts of = first_facts();
  of.finds_norm = !spec().one_plan && wants_refinement(draft_) &&
                  finds_norm(static_cast<std::uint64_t>(of.records));
  return solver_choice(of);
}

PublicFacts Planner::first_facts() const {
  const bool replaces = draft_.relation == privacy::Relation::replace_one;
  const auto records = static_cast<double>(
      fitted_of(replaces ? shape_.records : spec().records.value_or(std::uint64_t{1})));
  const std::size_t heads =
      problem::HeadTarget::heads(std::max<std::size_t>(2, spec().classes.size()));
  PublicFacts of = public_facts(records, heads * (shape_.features + 1));
  of.heads = heads;
  of.record_norm = declared_norm();
  of.norm_is_declared = spec().record_norm || spec().table;
  const bool asks_for_clips = spec().attenuation || spec().clip_tracking;  // of the other descent
  of.by_norm = std::holds_alternative<problem::Logistic>(out_.loss) ||
               (!asks_for_clips && regression_follows_norm(of));
  return of;
}

PublicFacts Planner::public_facts(double records, std::size_t coordinates) const {
  const problem::KinkedPart kinked = problem::kinked_part(out_.penalty);
  return {.records = records,
          .coordinates = coordinates,
          .features = shape_.features,
          .budget = draft_.budget,
          .l1 = kinked.l1 / largest_scale(out_.coordinates),
          .intercept = spec().objective.intercept == problem::Intercept::free,
          .by_schema = spec().table != nullptr && !spec().table->is_sparse(),
          .slopes = problem::slope_limits(out_.loss)};
}

double Planner::in_range(const char* name, double automatic) const {
  if (automatic >= kSmallestScale && automatic <= kLargestScale) return automatic;
  refuse(name, "nothing, and its automatic value would be " + core::rounded_text(automatic),
         "from 1e-100 to 1e100: give one, or declare other scales");
}

void Planner::plan_numbers() {
  PublicFacts of = public_facts(static_cast<double>(draft_.records), coordinates().size());
  of.largest_smoothness = largest_smoothness(coordinates());
  of.data_part = data_part(out_.coordinates);
  of.iterations = spec().iterations;
  of.center_given = spec().target_center.has_value();
  of.heads = out_.coordinates.heads;
  of.record_norm = out_.record_norm;
  of.finds_norm = out_.private_norm.has_value();
  const auto& units = out_.record_limit.units;
  of.l2 = out_.coordinates.l2 / std::pow(*std::min_element(units.begin(), units.end()), 2);
  const Defaults automatic = std::visit(
      [&](auto& algorithm) -> Defaults { return algorithm.automatic(of); }, out_.algorithm);
  out_.iterations = spec().iterations.value_or(automatic.iterations);
  out_.statement.iterations = out_.iterations;
  out_.clip_per_slope = automatic.clip;
  const double slope = problem::typical_slope(out_.loss, out_.target_scale);
  out_.coordinates.clip = spec().clip ? *spec().clip : in_range("clip", slope * automatic.clip);
  out_.step = spec().step ? *spec().step : in_range("step", automatic.step);
  draft_.note("iterations", static_cast<double>(out_.iterations));
  const auto* const by_norm = std::get_if<NormDescent>(&out_.algorithm);
  if (out_.private_scale || (out_.private_norm && by_norm != nullptr)) {
    draft_.note("clip", out_.private_scale ? kToFollow : "to follow from the record norm",
                Source::mechanism);
  } else {
    draft_.note("clip", out_.coordinates.clip);
  }
  // Descent by the norm of a record has steps of its own.
  if (by_norm == nullptr) draft_.note("step", out_.step);
  const bool refined =
      std::visit([](const auto& algorithm) { return algorithm.kIsRefined; }, out_.algorithm);
  if (by_norm != nullptr) of.calibrates = by_norm->calibrates();
  if (refined && out_.private_scale) out_.reach_check = charged_reach_check(draft_);
  if (refined) out_.choice = IterateChoice::planned(draft_, of);
  std::visit([&](auto& algorithm) { algorithm.calibrate(draft_, out_.iterations, automatic); },
             out_.algorithm);
}

/// What ran so far ran on the part that is fitted on. Each part has the whole budget: what runs on
/// the other one costs nothing besides (privacy/accounting/parts.md).
void Planner::plan_figures() {
  if (!out_.held_out) return;
  Statement& statement = out_.statement;
  statement.parts = {{model::kFitPart, static_cast<double>(out_.held_out->fit)},
                     {model::kTestPart, static_cast<double>(out_.held_out->test)}};
  for (MechanismUse& use : statement.mechanisms) use.part = model::kFitPart;
  if (fault(Fault::figures_are_not_charged)) return;
  // Where the norm has decided for one of two plans, nothing of the other part has.
  const privacy::Budget whole{statement.epsilon, statement.delta};
  for (MechanismUse use : figure_mechanisms(out_.classes.size(), draft_.relation, whole)) {
    use.part = model::kTestPart;
    statement.mechanisms.push_back(std::move(use));
  }
}

/// The coefficients to begin with; a private model brings its cost along.
void Planner::plan_start() {
  const problem::Coordinates all = coordinates();
  out_.start.assign(all.size(), 0.0);
  if (const LinearModel* const start = spec().start.get()) {
    out_.start = start_coefficients({.start = *start,
                                     .name = spec().start_name,
                                     .coordinates = all,
                                     .feature_names = shape_.feature_names,
                                     .classes = out_.classes,
                                     .relation = out_.statement.relation,
                                     .unit = out_.statement.unit});
    draft_.note("start", spec().start_name);
    const Statement& past = start->privacy;
    if (!past.guarantee.empty() && !past.is_private) {
      no_guarantee("started from a model with guarantee: " + past.guarantee);
    }
    if (past.fit_alone) limit_to_the_fit(out_.statement);
    if (!fault(Fault::fit_forgets_what_its_start_cost)) {
      auto& mechanisms = out_.statement.mechanisms;
      std::vector<MechanismUse> own = std::exchange(mechanisms, {});
      model::add_looks(out_.statement, past, "start");
      mechanisms.insert(mechanisms.end(), own.begin(), own.end());
    }
  }
  std::optional<double> center = spec().target_center;
  const std::optional<DeclaredTarget> declared = declared_target(spec());
  if (!center && declared && !spec().start) center = declared->center;
  for (std::size_t c = 0; c < all.size() && center; ++c) {
    if (all.is_intercept(c)) out_.start[c] = *center;
  }
  confine(out_.start, all, problem::kinked_part(out_.penalty).box);
}

void Planner::state() {
  if (!is_paper()) settle_spent(out_.statement);
  describe_cover(out_.statement);
  if (out_.held_out) {
    out_.statement.covers.emplace_back(
        "the figures of the model on the records that were held out, and whatever is computed "
        "from them");
  }
  if (spec().start && !spec().start->privacy.mechanisms.empty()) {
    out_.statement.not_covered.push_back(
        "a budget of this fit that was chosen after looking at the model it starts from: costs "
        "that were fixed beforehand add up");
  }
  settle_guarantee(out_.statement, out_.no_guarantee);
}

}  // namespace southwell::fit
