#include "southwell/model/fit_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/model/defaults.hpp"
#include "southwell/privacy/advanced.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/selection.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::model {
namespace {

using privacy::text_of;

constexpr double kSmallest = 1e-100;  // of a public scale, so that no product of them overflows
constexpr double kLargest = 1e100;

[[noreturn]] void refuse(std::string_view name, const std::string& given,
                         std::string_view accepted) {
  throw InvalidArgument(std::string(name) + ": given " + given + ", accepted is " +
                        std::string(accepted));
}

/// All digits of it: what is promised must not be rounded.
std::string exact_text(double number) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

double checked_scale(std::string_view name, double value) {
  if (!(value >= kSmallest && value <= kLargest)) {
    refuse(name, text_of(value), "a number > 0, from 1e-100 to 1e100");
  }
  return value;
}

std::string word(std::string_view name, const std::optional<std::string>& given,
                 const std::vector<std::string>& accepted) {
  const std::string chosen = given.value_or(accepted.front());
  if (std::find(accepted.begin(), accepted.end(), chosen) != accepted.end()) return chosen;
  std::string list;
  for (const std::string& each : accepted) list += (list.empty() ? "" : ", ") + each;
  throw InvalidArgument(std::string(name) + ": given '" + chosen + "', accepted are " + list);
}

/// Fills in a plan input by input, and notes each with its source.
class Planner {
 public:
  Planner(const FitSpec& spec, const DataShape& shape) : shape_(shape) { plan_.spec = spec; }

  FitPlan plan() {
    plan_objective();
    plan_budget();
    plan_algorithm();
    plan_shape();
    plan_classes();
    plan_scales();
    plan_automatic();
    calibrate();
    plan_start();
    state();
    return std::move(plan_);
  }

 private:
  const FitSpec& spec() const { return plan_.spec; }
  bool is_paper() const { return plan_.statement.mode == "paper"; }
  bool is_regression() const { return plan_.classes.empty(); }

  void note(std::string name, PublicInput::Value value, Source source) {
    plan_.statement.public_inputs.push_back({std::move(name), std::move(value), source});
  }
  template <class T>
  void note_if_given(const std::string& name, const std::optional<T>& value) {
    if (value) note(name, static_cast<double>(*value), Source::user);
  }
  static Source source_of(bool given) { return given ? Source::user : Source::standard; }

  void plan_objective() {
    problem::ObjectiveSpec& objective = plan_.spec.objective;
    if (spec().intercept) {
      objective.intercept = *spec().intercept ? problem::Intercept::free : problem::Intercept::none;
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
      if (std::isfinite(end) && std::fabs(end) > kLargest) {
        refuse("lower, upper", text_of(end), "at most 1e100 in size, or infinite");
      }
    }
  }

  void plan_budget() {
    budget_ = {spec().epsilon, spec().delta};
    budget_.check();
    note("epsilon", spec().epsilon, Source::user);
    note("delta", spec().delta, Source::user);
    plan_.statement.epsilon = spec().epsilon;
    plan_.statement.delta = spec().delta;
    const std::string relation =
        word("relation", spec().relation, {"replace_one", "add_or_remove_one"});
    relation_ = relation == "replace_one" ? privacy::Relation::replace_one
                                          : privacy::Relation::add_or_remove_one;
    plan_.statement.relation = relation;
    note("relation", relation, source_of(spec().relation.has_value()));
  }

  void plan_algorithm() {
    Statement& statement = plan_.statement;
    statement.solver = word("solver", spec().solver, {"gcd"});
    statement.mode = word("mode", spec().mode, {"certified", "paper"});
    statement.rule = word("rule", spec().rule, {"gs_s", "gs_r", "gs_q"});
    plan_.rule = problem::make_rule(statement.rule);
    note("solver", statement.solver, source_of(spec().solver.has_value()));
    note("mode", statement.mode, source_of(spec().mode.has_value()));
    note("rule", statement.rule, source_of(spec().rule.has_value()));
    if (is_paper()) {
      if (relation_ != privacy::Relation::replace_one) {
        refuse("relation", statement.relation, "replace_one in paper mode");
      }
      if (spec().selection || spec().release || spec().share) {
        refuse(spec().selection ? "selection"
               : spec().release ? "release"
                                : "share",
               "in paper mode",
               "certified mode only: the paper has one noisy max and one Laplace release");
      }
      reason("paper mode");
    } else {
      const std::string selection =
          word("selection", spec().selection, {"exponential", "permute_and_flip", "noisy_max"});
      plan_.selection = selection == "exponential"        ? privacy::Selection::exponential
                        : selection == "permute_and_flip" ? privacy::Selection::permute_and_flip
                                                          : privacy::Selection::noisy_max;
      const std::string release = word("release", spec().release, {"laplace", "gaussian"});
      plan_.release = release == "laplace" ? privacy::Release::laplace : privacy::Release::gaussian;
      note("selection", selection, source_of(spec().selection.has_value()));
      note("release", release, source_of(spec().release.has_value()));
    }
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
    if (relation_ == privacy::Relation::replace_one) {
      if (spec().records) {
        refuse("records", std::to_string(*spec().records),
               "nothing under replace_one, where the number of records is public; it belongs to "
               "add_or_remove_one");
      }
      if (shape_.records == 0) {
        throw DataError("data: no records; at least one is needed under replace_one");
      }
      records_ = shape_.records;
      note("records", static_cast<double>(records_), Source::data);
    } else {
      if (!spec().records || *spec().records == 0) {
        refuse("records", spec().records ? "0" : "nothing",
               "a whole number >= 1 under add_or_remove_one: the public divisor");
      }
      records_ = *spec().records;
      if (fault(Fault::fit_divides_by_the_records_it_sees)) records_ = shape_.records + 1;
      note("records", static_cast<double>(records_), Source::user);
    }
    // n K <= 2^61: sums of all records fit their 64 bits.
    if (records_ > std::uint64_t{1} << 41) {
      refuse("records", std::to_string(records_), "at most 2^41");
    }
    plan_.statement.records = static_cast<double>(records_);
    if (spec().features && *spec().features != shape_.features) {
      refuse("features", std::to_string(*spec().features),
             std::to_string(shape_.features) + " for these data");
    }
    const bool counted = shape_.features_counted && !spec().features;
    if (counted && !is_paper() && !spec().allow_leaks) {
      refuse("features", "nothing",
             "the number of features of a sparse file: counting them in the records would be a "
             "release of its own (--features; or --allow-leaks, without a guarantee)");
    }
    note("features", static_cast<double>(shape_.features),
         spec().features ? Source::user : Source::data);
    plan_.feature_names = shape_.feature_names;
    plan_.coordinates.features = shape_.features;
    plan_.coordinates.intercept = spec().objective.intercept;
    plan_.coordinates.records = static_cast<double>(records_);
  }

  void plan_classes() {
    // The losses that classify are those that accept two targets only.
    const bool classifies =
        std::visit([](const auto& loss) { return !loss.accepts(0.5); }, plan_.loss);
    if (!classifies) {
      if (!spec().classes.empty()) {
        refuse("classes", "some",
               "none with the loss " + spec().objective.loss + ", which is for regression");
      }
      return;
    }
    plan_.classes = spec().classes.empty() ? std::vector<double>{-1.0, 1.0} : spec().classes;
    const std::set<double> distinct(plan_.classes.begin(), plan_.classes.end());
    const bool finite = std::all_of(plan_.classes.begin(), plan_.classes.end(),
                                    [](double c) { return std::isfinite(c); });
    if (!finite || distinct.size() != plan_.classes.size() || distinct.size() < 2) {
      refuse("classes", std::to_string(plan_.classes.size()) + " labels",
             "at least two finite numbers, all different");
    }
    note("classes", plan_.classes, source_of(!spec().classes.empty()));
    plan_.coordinates.heads = problem::HeadTarget::heads(plan_.classes.size());
  }

  void plan_scales() {
    plan_.coordinates.curvature = problem::curvature_bound(plan_.loss);
    plan_.coordinates.l2 = problem::curvature(plan_.penalty);
    const std::size_t candidates = problem::Coordinates(plan_.coordinates).size();
    if (shape_.features > privacy::kMaxCandidates || candidates > privacy::kMaxCandidates) {
      throw DataError("features: " + std::to_string(shape_.features) + " features make " +
                      std::to_string(candidates) + " candidates (times classes, and intercepts); " +
                      "a selection takes at most 2^23");
    }
    if (spec().feature_scale_from_data) {
      if (!spec().feature_scale.empty()) {
        refuse("feature_scale", "numbers and from_data", "one of them");
      }
      if (!is_paper() && !spec().allow_leaks) {
        refuse("feature_scale", "from_data",
               "a number or a file: scales read from records are a leak (--allow-leaks, without a "
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
    if (spec().target_scale && !is_regression()) {
      refuse("target_scale", text_of(*spec().target_scale),
             "nothing with the loss " + spec().objective.loss + ", which has classes");
    }
    target_scale_ = checked_scale("target_scale", spec().target_scale.value_or(1.0));
    if (is_regression()) {
      note("target_scale", target_scale_, source_of(spec().target_scale.has_value()));
    }
  }

  void plan_automatic() {
    const Defaults automatic = defaults({.records = static_cast<double>(records_),
                                         .coordinates = coordinates().size(),
                                         .budget = budget_,
                                         .loss = plan_.loss,
                                         .target_scale = target_scale_});
    plan_.iterations = spec().iterations.value_or(automatic.iterations);
    if (plan_.iterations < 1 || plan_.iterations > 1'000'000) {
      refuse("iterations", std::to_string(plan_.iterations), "a whole number from 1 to 1000000");
    }
    plan_.statement.iterations = plan_.iterations;
    plan_.coordinates.clip = checked_scale("clip", spec().clip.value_or(automatic.clip));
    plan_.step = checked_scale("step", spec().step.value_or(automatic.step));
    share_ = spec().share.value_or(automatic.share);
    note("iterations", static_cast<double>(plan_.iterations),
         source_of(spec().iterations.has_value()));
    note("clip", plan_.coordinates.clip, source_of(spec().clip.has_value()));
    note("step", plan_.step, source_of(spec().step.has_value()));
    if (!is_paper()) note("share", share_, source_of(spec().share.has_value()));
  }

  problem::Coordinates coordinates() const { return problem::Coordinates(plan_.coordinates); }

  void calibrate() {
    Statement& statement = plan_.statement;
    if (is_paper()) {
      const double query =
          privacy::paper_query_epsilon(budget_.epsilon, budget_.delta, plan_.iterations);
      plan_.paper_noise = 2.0 / query;  // replacing a record moves a mean by 2 C_j / n
      note("query_epsilon", query, Source::standard);
      statement.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
      statement.accountant = "advanced composition as in the paper; its premise does not hold";
      return;
    }
    plan_.certified = privacy::calibrate(
        privacy::plan_gcd({.iterations = fault(Fault::fit_counts_half_its_iterations)
                                             ? (plan_.iterations + 1) / 2
                                             : plan_.iterations,
                           .relation = relation_,
                           .selection = plan_.selection,
                           .release = plan_.release,
                           .share = share_,
                           .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}),
        budget_);
    constexpr std::array kSelections{"exponential_mechanism", "permute_and_flip", "noisy_max"};
    statement.mechanisms = {
        {"select", kSelections[static_cast<std::size_t>(plan_.selection)],
         plan_.certified->costs[0], plan_.iterations},
        {"release",
         plan_.release == privacy::Release::laplace ? "discrete_laplace_release"
                                                    : "discrete_gaussian_release",
         plan_.certified->costs[1], plan_.iterations}};
  }

  /// The coefficients to begin with; a private model brings its cost along.
  void plan_start() {
    const problem::Coordinates all = coordinates();
    plan_.start.assign(all.size(), 0.0);
    if (const LinearModel* const start = spec().start.get()) {
      check_start(*start);
      for (std::size_t h = 0; h < all.heads(); ++h) {
        for (const Coefficient& each : start->heads[h].coef) {
          plan_.start[h * all.width() + each.index] = each.value;
        }
        if (all.intercept() == problem::Intercept::free) {
          plan_.start[h * all.width() + all.features()] = start->heads[h].intercept;
        }
      }
      note("start", spec().start_name, Source::user);
      const Statement& past = start->privacy;
      if (!past.guarantee.empty() && !past.is_private) {
        reason("started from a model with guarantee: " + past.guarantee);
      }
      if (fault(Fault::fit_forgets_what_its_start_cost)) return;
      plan_.statement.mechanisms.insert(plan_.statement.mechanisms.begin(), past.mechanisms.begin(),
                                        past.mechanisms.end());
    }
    const problem::Interval box = problem::kinked_part(plan_.penalty).box;
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (!(std::fabs(plan_.start[c]) <= kLargest)) {
        refuse("start", "a coefficient of " + text_of(plan_.start[c]), "at most 1e100 in size");
      }
      if (!all.is_intercept(c)) plan_.start[c] = std::clamp(plan_.start[c], box.lo, box.hi);
    }
  }

  void check_start(const LinearModel& start) const {
    if (start.features != shape_.features || start.heads.size() != plan_.coordinates.heads ||
        start.classes != (start.classes.empty() ? start.classes : plan_.classes)) {
      refuse("start", spec().start_name,
             "coefficients for the same features and the same classes as this fit");
    }
    if (!start.feature_names.empty() && !shape_.feature_names.empty() &&
        start.feature_names != shape_.feature_names) {
      refuse("start", spec().start_name, "a model with the same feature names in the same order");
    }
    if (!start.privacy.guarantee.empty() && start.privacy.relation != plan_.statement.relation) {
      refuse("start", "a model under " + start.privacy.relation,
             "one under " + plan_.statement.relation + ", so that the costs add up");
    }
    for (const Head& head : start.heads) {
      if (spec().objective.intercept == problem::Intercept::none && head.intercept != 0.0) {
        refuse("start", "a model with an intercept", "one without for a fit without");
      }
    }
  }

  void reason(std::string why) { plan_.no_guarantee.push_back(std::move(why)); }

  void state() {
    Statement& statement = plan_.statement;
    if (!is_paper()) {
      const privacy::Spent spent = privacy::spent(statement.composition(), budget_.delta);
      if (!std::isfinite(spent.epsilon)) {
        throw CalibrationError("start: the cost of the model to start from has no bound at delta " +
                               text_of(budget_.delta) + "; ask for a positive delta");
      }
      statement.epsilon_spent = spent.epsilon;
      statement.accountant = privacy::name_of(spent.accountant);
    }
    statement.covers = {
        "every iterate and the model: all choices and released gradients of the "
        "path, and whatever is computed from them"};
    statement.not_covered = {
        "errors of the file reader, running out of memory, the form of the data (types, shapes)",
        "the time a fit takes",
        "other fits on the same people, here or elsewhere: their costs add up",
        "people with more than one record: g records cost as a group",
        "what was chosen by looking at the data: clip, scales, iterations, penalty, features",
    };
    statement.randomness = "operating system entropy, ChaCha20";
    settle_guarantee(plan_);
  }

  const DataShape& shape_;
  FitPlan plan_{};
  privacy::Budget budget_{};
  privacy::Relation relation_{};
  std::uint64_t records_ = 1;
  double target_scale_ = 1.0;
  double share_ = 0.8;
};

}  // namespace

DataShape DataShape::of(const data::Dataset& dataset) {
  return {dataset.records(), dataset.features(),
          std::holds_alternative<data::SparseDesign>(dataset.design), dataset.feature_names};
}

double FitPlan::noise_sd(std::size_t c) const {
  const problem::Coordinates all(coordinates);
  double units = paper_noise * static_cast<double>(problem::ProductClip::kBound);
  if (certified) units = static_cast<double>(certified->costs[1].scale);
  const bool gaussian = certified && release == privacy::Release::gaussian;
  const double sd = gaussian ? units : std::numbers::sqrt2 * units;
  return step / all.smoothness(c) * all.gradient_unit(c) * sd;
}

void settle_guarantee(FitPlan& plan) {
  Statement& statement = plan.statement;
  statement.is_private = plan.no_guarantee.empty();
  if (statement.is_private) {
    // A start that was private too brings its cost along, above what this fit was asked to keep.
    // It is printed with six digits then, so it is taken a little larger than that rounds.
    const std::string epsilon = statement.epsilon_spent > statement.epsilon
                                    ? text_of(statement.epsilon_spent * (1.0 + 1e-5))
                                    : exact_text(statement.epsilon);
    statement.guarantee = "(" + epsilon + ", " + exact_text(statement.delta) + ")-DP";
    return;
  }
  statement.guarantee = "none (";
  for (std::size_t k = 0; k < plan.no_guarantee.size(); ++k) {
    statement.guarantee += (k == 0 ? "" : ", ") + plan.no_guarantee[k];
  }
  statement.guarantee += ")";
}

FitPlan plan_fit(const FitSpec& spec, const DataShape& shape) {
  const core::StandardFloatEnvironment standard;  // the accounting rounds up from nearest
  return Planner(spec, shape).plan();
}

}  // namespace southwell::model
