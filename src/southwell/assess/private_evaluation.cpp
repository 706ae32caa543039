#include "southwell/assess/private_evaluation.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/assess/bins.hpp"
#include "southwell/assess/class_figures.hpp"
#include "southwell/assess/error_figures.hpp"
#include "southwell/assess/noisy_counts.hpp"
#include "southwell/assess/record_sums.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/subset.hpp"
#include "southwell/fit/figure_mechanisms.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/ledger/charge.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/ledger_words.hpp"
#include "southwell/model/predict.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"

namespace southwell::assess {
namespace {

using privacy::DiscreteGaussianRelease;

bool is_regression(const model::LinearModel& model) { return model.classes.empty(); }

/// What the statement of the model says of its targets, if it does.
std::optional<double> target_scale_of(const model::LinearModel& model) {
  for (const model::PublicInput& input : model.privacy.public_inputs) {
    if (!model::Statement::is_named(input, "target_scale")) continue;
    if (input.source == model::Source::standard) continue;  // nobody said it: a clip was given
    if (const double* const scale = std::get_if<double>(&input.value)) return *scale;
  }
  return std::nullopt;
}

/// Where the fit knew whose each record is, and the evaluation does not.
std::string less_than(const model::Statement& of_model) {
  return "unit: the model was fitted to protect " + core::printable(of_model.unit) +
         ", and these figures protect one record: who has several is covered as a group, at a "
         "multiple of the cost. Say whose each record is (units in Python, --unit on the command "
         "line)";
}

DiscreteGaussianRelease mechanism(const privacy::Cost& cost) {
  return {cost.shift, fault(Fault::figures_without_noise) ? 1 : cost.scale};
}

}  // namespace

PrivateEvaluation::PrivateEvaluation(const EvaluationSpec& spec, const model::LinearModel& model,
                                     const fit::DataShape& shape)
    : spec_(spec),
      model_(model),
      relation_(fit::relation_of(spec.relation)),
      unit_(fit::unit_of(spec.unit, shape)),
      records_(0) {
  privacy::Budget{spec.epsilon, spec.delta}.check();
  decide_target_scale();
  records_ = fit::public_records(relation_, spec.records, shape);
  const core::StandardFloatEnvironment standard;
  describe(fit::figure_mechanisms(model_.classes.size(), relation_, {spec.epsilon, spec.delta}));
}

void PrivateEvaluation::decide_target_scale() {
  if (!is_regression(model_)) {
    if (spec_.target_scale) {
      fit::refuse_as_foreign("target_scale", core::number_text(*spec_.target_scale),
                             "a regression");
    }
    return;
  }
  const auto known = spec_.target_scale ? spec_.target_scale : target_scale_of(model_);
  target_scale_ = fit::required(
      "target_scale", known,
      "a number here, the typical size of an error or of the target around its mean, such as "
      "target_scale=100 (command line: --target-scale 100): the model does not say one");
  fit::checked_scale("target_scale", target_scale_);
}

void PrivateEvaluation::describe(std::vector<model::MechanismUse> mechanisms) {
  using model::Source;
  histogram_ = mechanisms.at(0).cost;
  if (mechanisms.size() > 1) moments_ = mechanisms[1].cost;
  model::Statement& out = statement_;
  out.epsilon = spec_.epsilon;
  out.delta = spec_.delta;
  out.relation = fit::name_of(relation_);
  out.unit = unit_;
  out.records = static_cast<double>(records_);
  out.mode = "certified";
  out.mechanisms = std::move(mechanisms);
  const bool replaces = relation_ == privacy::Relation::replace_one;
  out.public_inputs = {{"epsilon", spec_.epsilon, Source::user},
                       {"delta", spec_.delta, Source::user},
                       {"relation", out.relation, spec_.relation ? Source::user : Source::standard},
                       {"records", out.records, replaces ? Source::data : Source::user}};
  if (out.has_units()) out.public_inputs.push_back(fit::unit_input(spec_.unit));
  if (is_regression(model_)) {
    out.public_inputs.push_back(
        {"target_scale", target_scale_, spec_.target_scale ? Source::user : Source::standard});
  }
  model::describe_cover(out);
  out.covers = {"the figures of the model on these records, and whatever is computed from them"};
  out.not_covered = {
      "the model itself: its own statement says what it promises of the records it was fitted on",
      "errors of the file reader, running out of memory, the form of the data (types, shapes)",
      "the time an evaluation takes",
      "fits and other evaluations on the same people, here or elsewhere" +
          std::string(model::kAddUp),
      out.has_units() ? "people whose records are of several units: g units cost as a group"
                      : "people with more than one record: g records cost as a group",
      "what was chosen by looking at the data: which records, the target scale",
  };
  if (model_.privacy.has_units() && !out.has_units()) out.found_amiss = {less_than(model_.privacy)};
  out.not_covered.insert(out.not_covered.end(), spec_.not_covered_either.begin(),
                         spec_.not_covered_either.end());
  std::vector<std::string> reasons_against;
  if (spec_.seed_for_tests) {
    out.randomness = model::kFixedRandomness;
    out.public_inputs.push_back(
        {"seed_for_tests", std::to_string(*spec_.seed_for_tests), Source::user});
    reasons_against.emplace_back("seeded");
  }
  model::settle_spent(out);
  model::settle_guarantee(out, reasons_against);
}

std::size_t PrivateEvaluation::bins() const {
  return bins_for(static_cast<double>(records_), sd_of_counts(histogram_.scale));
}

std::size_t PrivateEvaluation::cells() const {
  const std::size_t classes = model_.classes.size();
  if (is_regression(model_)) return bins() + 1;
  return classes == 2 ? cells_of_bins(bins()) : cells_of_classes(classes);
}

Sensitive<std::vector<std::int64_t>> PrivateEvaluation::histogram_of(
    const AssessedRecords& records) const {
  if (is_regression(model_)) return error_histogram(records, ErrorBins(bins()), target_scale_);
  if (model_.classes.size() == 2) return margin_histogram(records, MarginBins(model_, bins()));
  return class_histogram(records);
}

void PrivateEvaluation::check_form(const data::Dataset& dataset) const {
  if (!dataset.has_target() || dataset.target.size() != dataset.records()) {
    throw DataError("data: an evaluation needs a target, one number per record");
  }
  fit::check_units(dataset.record_units, dataset.target.size(), statement_);
  model::margins(model_, data::subset(dataset, {}));  // of no record: whether a feature is missing
  if (relation_ == privacy::Relation::replace_one && dataset.units() != records_) {
    throw DataError("data: another number of records than was planned for");
  }
}

PrivateFigures PrivateEvaluation::find(const data::Dataset& dataset,
                                       const std::optional<std::string>& ledger) const {
  check_form(dataset);
  std::unique_ptr<privacy::RandomBits> bits = std::make_unique<privacy::SystemRandomBits>();
  if (spec_.seed_for_tests) {
    bits = std::make_unique<privacy::SeededRandomBits>(*spec_.seed_for_tests);
  }
  ledger::Charge charge(ledger, "evaluate", statement_);
  PrivateFigures figures = find(dataset, *bits);
  charge.commit(figures.privacy);
  return figures;
}

PrivateFigures PrivateEvaluation::find(const data::Dataset& dataset,
                                       privacy::RandomBits& bits) const {
  check_form(dataset);
  const core::StandardFloatEnvironment standard;
  // All noise before the first record: the time of a draw depends on its size.
  const DiscreteGaussianRelease counting = mechanism(histogram_);
  privacy::Noise of_counts = counting.draw(*bits.stream(privacy::Purpose::release, 0), cells());
  std::optional<privacy::Noise> of_moments;
  if (moments_) {
    of_moments = mechanism(*moments_).draw(*bits.stream(privacy::Purpose::release, 1), kMoments);
  }
  const std::vector<double> margins = model::margins(model_, dataset);
  const AssessedRecords records{margins, dataset.target, model_.classes, dataset.record_units};
  PrivateFigures out;
  out.privacy = statement_;
  if (bits.origin() != privacy::Origin::system && !fault(Fault::figures_certify_a_seed)) {
    out.privacy.randomness = model::kFixedRandomness;
    model::settle_guarantee(out.privacy, {spec_.seed_for_tests ? "seeded" : "scripted"});
  }
  const std::optional<double> total = relation_ == privacy::Relation::replace_one
                                          ? std::optional<double>(static_cast<double>(records_))
                                          : std::nullopt;
  const NoisyCounts counts(counting.release(histogram_of(records), std::move(of_counts)),
                           histogram_.scale, total);
  if (moments_) {
    const double moment_sd = sd_of_counts(moments_->scale);
    const MomentUnits units{.error_scale = error_scale_of(counts, target_scale_, moment_sd),
                            .target_scale = target_scale_,
                            .centre = model_.heads.at(0).intercept};
    out.privacy.public_inputs.push_back(
        {"error_scale", units.error_scale, model::Source::mechanism});
    const std::vector<std::int64_t> sums =
        mechanism(*moments_).release(error_moments(records, units), std::move(*of_moments));
    add_error_figures(model_, {counts, sums, moments_->scale, units}, out);
  } else if (model_.classes.size() == 2) {
    add_two_class_figures(model_, counts, out);
  } else {
    add_many_class_figures(model_, counts, out);
  }
  return out;
}

PrivateFigures evaluate(const model::LinearModel& model, const data::Dataset& dataset,
                        const EvaluationSpec& spec) {
  return PrivateEvaluation(spec, model, fit::DataShape::of(dataset)).find(dataset);
}

}  // namespace southwell::assess
