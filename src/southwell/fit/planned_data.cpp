// The part of the planner that speaks of data: their form, labels and scales, as declared.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/inputs.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/fit/planner.hpp"
#include "southwell/fit/private_norm.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::fit {

void Planner::check_test_share() const {
  const Input& input = input_named("test_share");
  if (!is_given(input, spec())) return;
  if (is_paper()) {
    refuse_as_foreign(input.name, given_text(input, spec()), "mode certified",
                      "the published algorithms are fitted on all records");
  }
  if (draft_.budget.delta == 0.0) {
    refuse("delta", "0, and a test_share",
           "a number above 0 beside a test_share: the noise of figures is Gaussian");
  }
  if (is_regression() && spec().clip && !spec().target_scale) {
    refuse("target_scale", "nothing, with a clip and a test_share",
           "a number beside both: figures of a regression are counted in it");
  }
}

std::uint64_t Planner::fitted_of(std::uint64_t records) const {
  if (!spec().test_share || is_check_ || records == 0) return records;
  return held_out(*spec().test_share, records, draft_.relation).fit;
}

void Planner::plan_shape() {
  if (shape_.features == 0) throw DataError("data: no features; at least one is needed");
  plan_units();
  const bool replaces = draft_.relation == privacy::Relation::replace_one;
  draft_.records = public_records(draft_.relation, spec().records, shape_);
  if (!replaces && fault(Fault::fit_divides_by_the_records_it_sees)) {
    draft_.records = shape_.records + 1;
  }
  draft_.note("records", static_cast<double>(draft_.records),
              replaces ? Source::data : Source::user);
  out_.statement.records = static_cast<double>(draft_.records);
  if (spec().test_share && !is_check_) {
    out_.held_out = held_out(*spec().test_share, draft_.records, draft_.relation);
    draft_.records = out_.held_out->fit;
    draft_.note("test_share", *spec().test_share);
  }
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
  if (spec().table) {
    draft_.note(
        "schema",
        std::to_string(spec().table->schema().fields().size()) + " fields, kept with the model",
        Source::user);
  }
  draft_.note("features", static_cast<double>(shape_.features),
              spec().features ? Source::user : Source::data);
  for (const std::string& name : shape_.feature_names) {
    if (name == kInterceptName) {
      throw DataError("data: a feature is called " + std::string(kInterceptName) +
                      ", which stands for the constant; accepted is any other name");
    }
  }
  out_.feature_names = shape_.feature_names;
  out_.coordinates.features = shape_.features;
  out_.coordinates.intercept = spec().objective.intercept;
  out_.coordinates.records = static_cast<double>(draft_.records);
}

void Planner::plan_units() {
  out_.statement.unit = unit_of(spec().unit, shape_);
  if (!shape_.has_units) return;
  if (is_paper()) {
    refuse_as_foreign("units", "with the data", "mode certified",
                      "the published algorithms know one record of each person");
  }
  out_.statement.public_inputs.push_back(unit_input(spec().unit));
}

void Planner::plan_class_weight() {
  const std::vector<double>& weights = spec().class_weight;
  if (weights.empty()) return;
  if (is_paper()) {
    refuse_as_foreign("class_weight", std::to_string(weights.size()) + " numbers", "mode certified",
                      "the published algorithms count all classes alike");
  }
  if (weights.size() != out_.classes.size()) {
    refuse("class_weight",
           std::to_string(weights.size()) + (weights.size() == 1 ? " number" : " numbers"),
           "one for each of the " + std::to_string(out_.classes.size()) + " classes");
  }
  for (const double weight : weights) checked_scale("class_weight", weight);
  draft_.note("class_weight", weights);
}

void Planner::plan_classes() {
  if (is_regression()) {
    if (!spec().classes.empty() || !spec().class_names.empty()) {
      refuse_as_foreign("classes", "some", "a loss that classifies",
                        "the loss " + spec().objective.loss + " is for regression");
    }
    return;
  }
  if (spec().classes.empty() && shape_.is_imagined) {
    out_.classes_are_imagined = true;
    out_.spec.classes = {0.0, 1.0};
  } else if (spec().classes.empty()) {
    if (!(is_check_ && spec().allow_leaks)) refuse_leak("classes", "nothing", kClassesAccepted);
    return;  // the labels that will occur
  }
  if (spec().classes_from_data && !spec().allow_leaks) {
    refuse_leak("classes", "from data", kClassesAccepted);
  }
  out_.classes = spec().classes;
  const std::set<double> distinct(out_.classes.begin(), out_.classes.end());
  const bool finite = std::all_of(out_.classes.begin(), out_.classes.end(),
                                  [](double c) { return std::isfinite(c); });
  if (!finite || distinct.size() != out_.classes.size() || distinct.size() < 2) {
    refuse("classes",
           std::to_string(out_.classes.size()) + (out_.classes.size() == 1 ? " class" : " classes"),
           "at least two finite numbers, all different");
  }
  const std::vector<std::string>& names = spec().class_names;
  const std::set<std::string> named(names.begin(), names.end());
  if (!names.empty() && (names.size() != spec().classes.size() || named.size() != names.size())) {
    refuse("class_names", std::to_string(names.size()) + (names.size() == 1 ? " name" : " names"),
           "one for each of the classes given, all different");
  }
  if (out_.classes_are_imagined) {
    draft_.note("classes", "two", Source::standard);
  } else {
    draft_.note("classes", out_.classes, spec().classes_from_data ? Source::data : Source::user);
  }
  plan_class_weight();
  out_.coordinates.heads = problem::HeadTarget::heads(out_.classes.size());
  const bool whole_gradients = out_.statement.solver == NormDescent::kSolver;
  if (whole_gradients && out_.coordinates.heads > 1 && draft_.by_norm) {
    out_.multiclass = problem::Multiclass::softmax;
    draft_.note("multiclass", problem::kSoftmax, Source::standard);
  }
}

void Planner::plan_coordinates() {
  out_.coordinates.curvature = problem::curvature_bound(out_.loss);
  out_.coordinates.l2 = problem::curvature(out_.penalty);
  const std::size_t candidates = coordinates().size();
  if (shape_.features > privacy::kMaxCandidates || candidates > privacy::kMaxCandidates) {
    throw DataError("features: " + std::to_string(shape_.features) + " features make " +
                    std::to_string(candidates) + " candidates (times classes, and intercepts); " +
                    "accepted are at most 2^23");
  }
}

void Planner::plan_feature_scale() {
  if (spec().feature_scale_from_data) {
    if (!spec().feature_scale.empty()) {
      refuse("feature_scale", "numbers and from_data", "one of them");
    }
    if (!is_paper() && !spec().allow_leaks) {
      refuse_leak("feature_scale", "from_data",
                  "a number or one for each feature: scales read from records are a leak (or "
                  "allow_leaks, without a guarantee)");
    }
    draft_.note("feature_scale", "from_data", Source::data);
  } else if (!spec().feature_scale.empty()) {
    if (spec().feature_scale.size() != 1 && spec().feature_scale.size() != shape_.features) {
      refuse("feature_scale", std::to_string(spec().feature_scale.size()) + " numbers",
             "one number, or one for each of " + std::to_string(shape_.features) + " features");
    }
    for (const double scale : spec().feature_scale) checked_scale("feature_scale", scale);
    out_.coordinates.feature_scale = spec().feature_scale;
    // What a schema encodes is limited as it is encoded: its scales say how rare a level is.
    if (!spec().table) out_.record_limit.units = spec().feature_scale;
    draft_.note("feature_scale", spec().feature_scale);
  } else {
    draft_.note("feature_scale", 1.0);
  }
}

double Planner::declared_norm() const {
  if (spec().record_norm) return *spec().record_norm;
  if (spec().table) return spec().table->record_norm();
  return std::sqrt(static_cast<double>(std::max<std::size_t>(1, shape_.features)));
}

bool Planner::finds_norm(std::uint64_t records) const {
  const double epsilon = draft_.budget.epsilon;
  if (spec().record_norm_private) return can_find_norm(records, epsilon);
  return !spec().record_norm && !spec().table && finds_norm_unasked(records, epsilon);
}

void Planner::check_record_norm() const {
  if (spec().record_norm_private && !std::holds_alternative<problem::Logistic>(out_.loss)) {
    refuse_as_foreign("record_norm", "private", "the loss logistic",
                      "the loss " + spec().objective.loss + " follows a norm that is declared");
  }
  if (!spec().record_norm) return;
  if (spec().record_norm_private) refuse("record_norm", "a number and private", "one of them");
  checked_scale("record_norm", *spec().record_norm);
}

void Planner::plan_record_norm() {
  const Input& input = input_named("record_norm");
  check_record_norm();
  out_.record_norm = declared_norm();
  draft_.record_norm = out_.record_norm;
  if (!std::holds_alternative<NormDescent>(out_.algorithm) && !descends_up_to_) {
    if (spec().record_norm) draft_.note(input.name, out_.record_norm);
    return;
  }
  if (spec().record_norm_private && !can_find_norm(draft_.records, draft_.budget.epsilon)) {
    refuse(input.name, "private",
           "a number: so few records and so small an epsilon do not tell a norm from noise");
  }
  if (finds_norm(draft_.records)) {
    out_.private_norm = charged_norm(draft_);
    draft_.note(input.name, "private", Source::mechanism);
  } else {
    draft_.note(input.name, out_.record_norm);
  }
}

void Planner::check_target_scale() const {
  const Input& input = input_named("target_scale");
  if (!is_given(input, spec())) return;
  if (!is_regression()) {
    refuse_as_foreign(input.name, given_text(input, spec()), "a regression",
                      "the loss " + spec().objective.loss + " has classes");
  }
  if (!spec().target_scale_private) {
    checked_scale(input.name, *spec().target_scale);
    return;
  }
  if (spec().target_scale) refuse(input.name, "a number and private", "one of them");
  if (spec().clip) {
    refuse(input.name, "private, and a clip",
           "one of them: the clip is all that a target scale is for");
  }
  if (is_paper()) refuse(input.name, "private", "a number in paper mode");
}

void Planner::plan_target_scale() {
  check_target_scale();
  const bool is_absent = !spec().target_scale && !spec().clip;
  if (spec().target_scale_private || (is_regression() && is_absent && !is_paper())) {
    out_.private_scale = charged_target_scale(draft_);
    draft_.note("target_scale", "private", Source::mechanism);
    return;
  }
  out_.target_scale = spec().target_scale.value_or(1.0);
  if (is_regression()) draft_.note("target_scale", out_.target_scale);
}

void Planner::plan_alpha() {
  if (alpha_given_ || !problem::has_strength(spec().objective)) return;
  problem::ObjectiveSpec asked = spec().objective;
  asked.alpha.reset();
  const std::vector<double>& scales = out_.coordinates.feature_scale;
  const AutomaticAlpha automatic(
      asked, {.records = static_cast<double>(draft_.records),
              .features = shape_.features,
              .feature_scale = *std::min_element(scales.begin(), scales.end())});
  if (automatic.follows_target_scale(out_.loss) && spec().clip && !spec().target_scale) {
    refuse("alpha", "nothing, and a clip without a target_scale",
           "a number, or a target_scale beside the clip: the strength of an l1 part follows from "
           "the target's size");
  }
  out_.automatic_alpha = automatic;
  out_.spec.objective = automatic.settled(out_.loss, out_.target_scale);
  static_cast<void>(in_range("alpha", *spec().objective.alpha));
  out_.penalty = problem::penalty_of(spec().objective);
  out_.coordinates.l2 = problem::curvature(out_.penalty);
  const auto note = [&](const char* name, double value) {
    if (out_.alpha_waits()) {
      draft_.note(name, kToFollow, Source::mechanism);
    } else {
      draft_.note(name, value, Source::standard);
    }
  };
  note("alpha", *spec().objective.alpha);
  if (!spec().objective.l1_ratio) return;
  note(kL1Strength, automatic.l1_part(out_.loss, out_.target_scale));
  draft_.note(kL2Strength, automatic.l2_part(), Source::standard);
}

void Planner::check_target_center() {
  const Input& input = input_named("target_center");
  if (!is_given(input, spec())) return;
  const std::string given = given_text(input, spec());
  if (!is_regression() || spec().objective.intercept == problem::Intercept::none) {
    refuse_as_foreign(input.name, given, "a regression that has an intercept");
  }
  if (!spec().target_center) {
    const bool refined =
        std::visit([](const auto& algorithm) { return algorithm.kIsRefined; }, out_.algorithm);
    if (!refined) refuse(input.name, given, "a number unless a fit is refined");
    return;  // the algorithm notes it
  }
  if (spec().target_center_private) refuse(input.name, "a number and private", "one of them");
  if (spec().start) refuse(input.name, given + ", and a start", "one of them");
  if (!(std::fabs(*spec().target_center) <= kLargestScale)) {
    refuse(input.name, given, "a number, at most 1e100 in size");
  }
  draft_.note("target_center", *spec().target_center);
}

}  // namespace southwell::fit
