#include "southwell/fit/fit_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/fit/defaults.hpp"
#include "southwell/fit/fit_start.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/fit/planned_model.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::fit {
namespace {

using privacy::text_of;

/// The solver of that name.
SolverFit solver_named(const std::string& name) {
  std::optional<SolverFit> found;
  std::string accepted;
  const auto look_at = [&](auto solver) {
    if (solver.kName == name) found = solver;
    accepted += (accepted.empty() ? "" : ", ") + std::string(solver.kName);
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (look_at(std::variant_alternative_t<K, SolverFit>()), ...);
  }(std::make_index_sequence<std::variant_size_v<SolverFit>>());
  if (!found) {
    throw InvalidArgument("solver: given " + core::quoted(name) + ", accepted are auto, " +
                          accepted);
  }
  return *found;
}

/// Fills in a plan input by input, and notes each with its source.
class Planner {
 public:
  Planner(const FitSpec& spec, const DataShape& shape)
      : shape_(shape), planning_{.spec = plan_.spec, .statement = plan_.statement} {
    plan_.spec = spec;
  }

  PlannedFit plan() {
    plan_objective();
    plan_budget();
    plan_algorithm();
    plan_shape();
    plan_classes();
    plan_scales();
    check_target_center();
    plan_automatic();
    plan_start();
    state();
    return std::move(plan_);
  }

  /// The refusals of a plan that need no data.
  void check() {
    plan_objective();
    plan_budget();
    check_numbers();
    plan_mode();
    const bool chosen_later = spec().solver.value_or("") == "auto";
    if (!chosen_later) plan_algorithm();
    plan_shape();
    plan_classes();
    plan_coordinates();
    plan_feature_scale();
    check_target_scale();
    if (!chosen_later) check_target_center();
  }

 private:
  const FitSpec& spec() const { return plan_.spec; }
  bool is_paper() const { return planning_.mode == Mode::paper; }
  bool is_regression() const { return plan_.classes.empty(); }
  bool classifies() const { return slopes_of(plan_.loss).are_limited(); }

  void note(std::string name, PublicInput::Value value, Source source) {
    planning_.note(std::move(name), std::move(value), source);
  }
  template <class T>
  void note_if_given(const std::string& name, const std::optional<T>& value) {
    if (value) note(name, static_cast<double>(*value), Source::user);
  }
  static Source source_of(bool given) { return Planning::source_of(given); }

  void plan_objective() {
    problem::ObjectiveSpec& objective = plan_.spec.objective;
    if (spec().intercept) {
      objective.intercept = *spec().intercept ? problem::Intercept::free : problem::Intercept::none;
    }
    if (objective.loss.empty()) {
      refuse("loss", "nothing", "one of squared, logistic, huber, squared_hinge");
    }
    plan_.loss = problem::loss_of(objective);
    plan_.penalty = problem::penalty_of(objective);
    note("loss", objective.loss, Source::user);
    note_if_given("huber_width", objective.huber_width);
    note("penalty", objective.penalty, source_of(objective.penalty != "none"));
    note_if_given("alpha", objective.alpha);
    note_if_given("l1_ratio", objective.l1_ratio);
    note_if_given("lower", objective.lower);
    note_if_given("upper", objective.upper);
    note("intercept", objective.intercept == problem::Intercept::free,
         source_of(spec().intercept.has_value()));
    const problem::Interval box = problem::kinked_part(plan_.penalty).box;
    if (box.lo == box.hi) {
      refuse("lower, upper", "the same number twice", "lower < upper: nothing else can be fitted");
    }
    if (objective.alpha) checked_scale("alpha", *objective.alpha);
    if (objective.huber_width) checked_scale("huber_width", *objective.huber_width);
    for (const double end : {box.lo, box.hi}) {
      if (std::isfinite(end) && std::fabs(end) > kLargestScale) {
        refuse("lower, upper", text_of(end), "at most 1e100 in size, or infinite");
      }
    }
  }

  void plan_budget() {
    planning_.budget = {required("epsilon", spec().epsilon, "a positive finite number"),
                        required("delta", spec().delta, "a number from 0 to below 1")};
    planning_.budget.check();
    planning_.budget.delta += 0.0;  // -0 is 0
    plan_.statement.epsilon = planning_.budget.epsilon;
    plan_.statement.delta = planning_.budget.delta;
    note("epsilon", plan_.statement.epsilon, Source::user);
    note("delta", plan_.statement.delta, Source::user);
    planning_.relation = relation_of(spec().relation);
    plan_.statement.relation = name_of(planning_.relation);
    note("relation", plan_.statement.relation, source_of(spec().relation.has_value()));
  }

  void plan_mode() {
    plan_.statement.mode = word("mode", spec().mode, {"certified", "paper"});
    planning_.mode = plan_.statement.mode == "paper" ? Mode::paper : Mode::certified;
  }

  void plan_algorithm() {
    Statement& statement = plan_.statement;
    statement.solver = spec().solver.value_or("gcd");
    plan_.solver_reason = spec().solver ? "as given" : "the default";
    if (statement.solver == "auto") {
      const SolverChoice choice = better_solver();
      statement.solver = choice.solver;
      plan_.solver_reason = choice.why;
    }
    plan_.solver = solver_named(statement.solver);
    plan_mode();
    note("solver", statement.solver,
         source_of(spec().solver.has_value() && *spec().solver != "auto"));
    note("mode", statement.mode, source_of(spec().mode.has_value()));
    if (is_paper()) {
      if (planning_.relation != privacy::Relation::replace_one) {
        refuse("relation", statement.relation, "replace_one in paper mode");
      }
      reason("paper mode");
      statement.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
    }
    planning_.is_regression = !classifies();
    std::visit([&](auto& solver) { solver.read(planning_); }, plan_.solver);
    if (spec().seed_for_tests) {
      if (!fault(Fault::fit_certifies_a_seed)) reason("seeded");
      note("seed_for_tests", std::to_string(*spec().seed_for_tests), Source::user);
    }
    if (spec().allow_leaks) {
      reason("allow_leaks");
      note("allow_leaks", true, Source::user);
    }
  }

  void plan_shape() {
    if (shape_.features == 0) throw DataError("data: no features; at least one is needed");
    const bool replaces = planning_.relation == privacy::Relation::replace_one;
    planning_.records = public_records(planning_.relation, spec().records, shape_.records);
    if (!replaces && fault(Fault::fit_divides_by_the_records_it_sees)) {
      planning_.records = shape_.records + 1;
    }
    note("records", static_cast<double>(planning_.records), replaces ? Source::data : Source::user);
    plan_.statement.records = static_cast<double>(planning_.records);
    if (spec().features && *spec().features != shape_.features) {
      refuse("features", std::to_string(*spec().features),
             std::to_string(shape_.features) + " for these data");
    }
    const bool counted = shape_.features_counted && !spec().features;
    if (counted && !is_paper() && !spec().allow_leaks) {
      refuse_leak("features", "nothing",
                  "the number of features of sparse data: counting them in the records would be a "
                  "release of its own (or allow_leaks, without a guarantee)");
    }
    note("features", static_cast<double>(shape_.features),
         spec().features ? Source::user : Source::data);
    for (const std::string& name : shape_.feature_names) {
      if (name == kInterceptName) {
        throw DataError("data: a feature is called " + std::string(kInterceptName) +
                        ", which stands for the constant; accepted is any other name");
      }
    }
    plan_.feature_names = shape_.feature_names;
    plan_.coordinates.features = shape_.features;
    plan_.coordinates.intercept = spec().objective.intercept;
    plan_.coordinates.records = static_cast<double>(planning_.records);
  }

  void plan_classes() {
    if (!classifies()) {
      if (!spec().classes.empty() || !spec().class_names.empty()) {
        refuse_as_foreign("classes", "some", "a loss that classifies",
                          "the loss " + spec().objective.loss + " is for regression");
      }
      return;
    }
    plan_.classes = spec().classes.empty() ? std::vector<double>{-1.0, 1.0} : spec().classes;
    const std::set<double> distinct(plan_.classes.begin(), plan_.classes.end());
    const bool finite = std::all_of(plan_.classes.begin(), plan_.classes.end(),
                                    [](double c) { return std::isfinite(c); });
    if (!finite || distinct.size() != plan_.classes.size() || distinct.size() < 2) {
      refuse("classes",
             std::to_string(plan_.classes.size()) +
                 (plan_.classes.size() == 1 ? " class" : " classes"),
             "at least two finite numbers, all different");
    }
    const std::vector<std::string>& names = spec().class_names;
    const std::set<std::string> named(names.begin(), names.end());
    if (!names.empty() && (names.size() != spec().classes.size() || named.size() != names.size())) {
      refuse("class_names", std::to_string(names.size()) + (names.size() == 1 ? " name" : " names"),
             "one for each of the classes given, all different");
    }
    note("classes", plan_.classes, source_of(!spec().classes.empty()));
    plan_.coordinates.heads = problem::HeadTarget::heads(plan_.classes.size());
  }

  void plan_scales() {
    plan_coordinates();
    plan_feature_scale();
    check_target_scale();
    if (spec().target_scale_private) {
      plan_.private_scale = plan_target_scale(planning_);
      note("target_scale", "private", Source::mechanism);
      return;
    }
    plan_.target_scale = spec().target_scale.value_or(1.0);
    if (is_regression()) {
      note("target_scale", plan_.target_scale, source_of(spec().target_scale.has_value()));
    }
  }

  void plan_coordinates() {
    plan_.coordinates.curvature = problem::curvature_bound(plan_.loss);
    plan_.coordinates.l2 = problem::curvature(plan_.penalty);
    const std::size_t candidates = problem::Coordinates(plan_.coordinates).size();
    if (shape_.features > privacy::kMaxCandidates || candidates > privacy::kMaxCandidates) {
      throw DataError("features: " + std::to_string(shape_.features) + " features make " +
                      std::to_string(candidates) + " candidates (times classes, and intercepts); " +
                      "accepted are at most 2^23");
    }
  }

  void plan_feature_scale() {
    if (spec().feature_scale_from_data) {
      if (!spec().feature_scale.empty()) {
        refuse("feature_scale", "numbers and from_data", "one of them");
      }
      if (!is_paper() && !spec().allow_leaks) {
        refuse_leak("feature_scale", "from_data",
                    "a number or one for each feature: scales read from records are a leak (or "
                    "allow_leaks, without a "
                    "guarantee)");
      }
      note("feature_scale", "from_data", Source::data);
    } else if (!spec().feature_scale.empty()) {
      if (spec().feature_scale.size() != 1 && spec().feature_scale.size() != shape_.features) {
        refuse("feature_scale", std::to_string(spec().feature_scale.size()) + " numbers",
               "one number, or one for each of " + std::to_string(shape_.features) + " features");
      }
      for (const double scale : spec().feature_scale) checked_scale("feature_scale", scale);
      plan_.coordinates.feature_scale = spec().feature_scale;
      note("feature_scale", spec().feature_scale, Source::user);
    } else {
      note("feature_scale", 1.0, Source::standard);
    }
  }

  void check_target_scale() const {
    const bool by_mechanism = spec().target_scale_private;
    if (!spec().target_scale && !by_mechanism) return;
    const std::string given = by_mechanism ? "private" : text_of(*spec().target_scale);
    if (!is_regression()) {
      refuse_as_foreign("target_scale", given, "a regression",
                        "the loss " + spec().objective.loss + " has classes");
    }
    if (!by_mechanism) {
      checked_scale("target_scale", *spec().target_scale);
      return;
    }
    if (spec().target_scale) refuse("target_scale", "a number and private", "one of them");
    if (spec().clip) {
      refuse("target_scale", "private, and a clip",
             "one of them: the clip is all that a target scale is for");
    }
    if (is_paper()) refuse("target_scale", "private", "a number in paper mode");
  }

  void plan_automatic() {
    DefaultsOf of = public_facts(static_cast<double>(planning_.records), coordinates().size());
    of.largest_smoothness = largest_smoothness(coordinates());
    of.data_part = data_part(plan_.coordinates);
    of.iterations = spec().iterations;
    of.centre_given = spec().target_center.has_value();
    std::visit([&](auto& solver) { plan_numbers(solver, solver.automatic(of)); }, plan_.solver);
  }

  /// What automatic choices depend on, but for scales.
  DefaultsOf public_facts(double records, std::size_t coordinates) const {
    const problem::KinkedPart kinked = problem::kinked_part(plan_.penalty);
    return {.records = records,
            .coordinates = coordinates,
            .features = shape_.features,
            .budget = planning_.budget,
            .l1 = kinked.l1 / largest_scale(plan_.coordinates),
            .intercept = spec().objective.intercept == problem::Intercept::free,
            .slopes = slopes_of(plan_.loss)};
  }

  /// solver = auto: by what is public of the data.
  SolverChoice better_solver() const {
    const bool replaces = planning_.relation == privacy::Relation::replace_one;
    const auto records =
        static_cast<double>(replaces ? shape_.records : spec().records.value_or(std::uint64_t{1}));
    const std::size_t heads =
        problem::HeadTarget::heads(std::max<std::size_t>(2, spec().classes.size()));
    return solver_choice(public_facts(records, heads * (shape_.features + 1)));
  }

  /// Those that were given: automatic ones are in their range.
  void check_numbers() const {
    if (spec().iterations) check_iterations(*spec().iterations);
    if (spec().clip) checked_scale("clip", *spec().clip);
    if (spec().step) checked_scale("step", *spec().step);
    if (spec().share && !(*spec().share > 0.0 && *spec().share < 1.0)) {
      refuse("share", text_of(*spec().share), "a number between 0 and 1");
    }
  }

  static void check_iterations(std::uint64_t iterations) {
    if (iterations < 1 || iterations > 10'000'000) {
      refuse("iterations", std::to_string(iterations), "a whole number from 1 to 10000000");
    }
  }

  /// What every solver has, then its own noise.
  template <class Solver>
  void plan_numbers(Solver& solver, const Defaults& automatic) {
    plan_.iterations = spec().iterations.value_or(automatic.iterations);
    check_iterations(plan_.iterations);
    plan_.statement.iterations = plan_.iterations;
    plan_.coordinates.clip = checked_scale(
        "clip",
        spec().clip.value_or(derivative_scale(plan_.loss, plan_.target_scale) * automatic.clip));
    plan_.step = checked_scale("step", spec().step.value_or(automatic.step));
    note("iterations", static_cast<double>(plan_.iterations),
         source_of(spec().iterations.has_value()));
    plan_.clip_per_derivative = automatic.clip;
    if (plan_.private_scale) {
      note("clip", "to follow from the target scale", Source::mechanism);
    } else {
      note("clip", plan_.coordinates.clip, source_of(spec().clip.has_value()));
    }
    note("step", plan_.step, source_of(spec().step.has_value()));
    solver.calibrate(planning_, plan_.iterations, automatic);
  }

  problem::Coordinates coordinates() const { return problem::Coordinates(plan_.coordinates); }

  void check_target_center() {
    if (!spec().target_center && !spec().target_center_private) return;
    const std::string given = spec().target_center ? text_of(*spec().target_center) : "private";
    if (!is_regression() || spec().objective.intercept == problem::Intercept::none) {
      refuse_as_foreign("target_center", given, "a regression that has an intercept");
    }
    if (!spec().target_center) {
      if (!planning_.refined) refuse("target_center", given, "a number unless a fit is refined");
      return;  // the solver notes it
    }
    if (spec().target_center_private)
      refuse("target_center", "a number and private", "one of them");
    if (spec().start) refuse("target_center", given + ", and a start", "one of them");
    if (!(std::fabs(*spec().target_center) <= kLargestScale)) {
      refuse("target_center", given, "a number, at most 1e100 in size");
    }
    note("target_center", *spec().target_center, Source::user);
  }

  /// The coefficients to begin with; a private model brings its cost along.
  void plan_start() {
    const problem::Coordinates all = coordinates();
    plan_.start.assign(all.size(), 0.0);
    if (const LinearModel* const start = spec().start.get()) {
      plan_.start = start_coefficients({.start = *start,
                                        .name = spec().start_name,
                                        .coordinates = all,
                                        .feature_names = shape_.feature_names,
                                        .classes = plan_.classes,
                                        .relation = plan_.statement.relation});
      note("start", spec().start_name, Source::user);
      const Statement& past = start->privacy;
      if (!past.guarantee.empty() && !past.is_private) {
        reason("started from a model with guarantee: " + past.guarantee);
      }
      if (past.fit_alone) limit_to_the_fit(plan_.statement);
      if (!fault(Fault::fit_forgets_what_its_start_cost)) {
        auto& mechanisms = plan_.statement.mechanisms;
        mechanisms.insert(mechanisms.begin(), past.mechanisms.begin(), past.mechanisms.end());
      }
    }
    if (spec().target_center) {
      for (std::size_t c = 0; c < all.size(); ++c) {
        if (all.is_intercept(c)) plan_.start[c] = *spec().target_center;
      }
    }
    confine(plan_.start, all, problem::kinked_part(plan_.penalty).box);
  }

  void reason(std::string why) { plan_.no_guarantee.push_back(std::move(why)); }

  void state() {
    if (!is_paper()) settle_spent(plan_.statement);
    describe_cover(plan_.statement);
    if (spec().start && !spec().start->privacy.mechanisms.empty()) {
      plan_.statement.not_covered.push_back(
          "a budget of this fit that was chosen after looking at the model it starts from: costs "
          "that were fixed beforehand add up");
    }
    settle_guarantee(plan_.statement, plan_.no_guarantee);
  }

  const DataShape& shape_;
  PlannedFit plan_;
  Planning planning_;
};

}  // namespace

DataShape DataShape::of(const data::Dataset& dataset) {
  return {dataset.records(), dataset.features(),
          std::holds_alternative<data::SparseDesign>(dataset.design), dataset.feature_names};
}

void PlannedFit::settle_target_scale(double scale) {
  target_scale = scale;
  coordinates.clip = derivative_scale(loss, scale) * clip_per_derivative;
  for (PublicInput& input : statement.public_inputs) {
    if (input.name == "target_scale") input.value = scale;
    if (input.name == "clip") input.value = coordinates.clip;
  }
}

double PlannedFit::gradient_noise_sd(const problem::Coordinates& all, std::size_t c) const {
  return std::visit([&](const auto& fit) { return fit.gradient_noise_sd(all, c); }, solver);
}

double PlannedFit::noise_sd(const problem::Coordinates& all, std::size_t c) const {
  return gradient_noise_sd(all, c) *
         std::visit([&](const auto& fit) { return fit.step_length(all, c, step); }, solver);
}

void check_inputs(const FitSpec& spec, const DataShape& shape) {
  const core::StandardFloatEnvironment standard;
  Planner(spec, shape).check();
}

FitPlan plan_fit(const FitSpec& spec, const DataShape& shape) {
  const core::StandardFloatEnvironment standard;  // the accounting rounds up from nearest
  PlannedFit planned = Planner(spec, shape).plan();
  check_planned_model(planned);  // or a budget would be spent on what cannot be kept
  return FitPlan(std::move(planned));
}

}  // namespace southwell::fit
