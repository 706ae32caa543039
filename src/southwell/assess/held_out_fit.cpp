#include "southwell/assess/held_out_fit.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/private_evaluation.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/data/subset.hpp"
#include "southwell/fit/classes_from_data.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/ledger/charge.hpp"
#include "southwell/privacy/random/poisson_sample.hpp"
#include "southwell/privacy/random/random_subset.hpp"

namespace southwell::assess {
namespace {

std::vector<std::size_t> records_in(const data::Dataset& dataset,
                                    const std::vector<bool>& is_held_out, bool held_out) {
  std::vector<std::size_t> records;
  for (std::size_t i = 0; i < dataset.records(); ++i) {
    bool is_out = false;
    if (!dataset.record_units) {
      is_out = is_held_out[i];
    } else if (const std::uint32_t unit = dataset.record_units->unit_of(i);
               unit != data::Units::kNone) {
      is_out = is_held_out[unit];
    }
    if (is_out == held_out) records.push_back(i);
  }
  return records;
}

/// What the figures are asked of: the budget, neighbours and unit of the fit, on the other part.
EvaluationSpec spec_of(const fit::Decisions& plan) {
  const bool replaces = plan.held_out->relation == privacy::Relation::replace_one;
  EvaluationSpec spec{.epsilon = *plan.spec.epsilon,
                      .delta = *plan.spec.delta,
                      .relation = plan.statement.relation};
  if (!replaces) spec.records = plan.held_out->test;
  if (plan.statement.has_units()) spec.unit = plan.spec.unit;
  return spec;
}

}  // namespace

void check_form(const data::Dataset& dataset, const fit::FitPlan& plan) {
  fit::check_dataset(dataset, plan);
  const fit::HeldOut& parts = *plan->held_out;
  if (parts.relation == privacy::Relation::replace_one &&
      dataset.units() != parts.fit + parts.test) {
    throw DataError("data: another number of records than was planned for");
  }
}

data::Dataset part_of(const data::Dataset& dataset, const std::vector<bool>& is_held_out,
                      bool held_out) {
  return data::subset(dataset, records_in(dataset, is_held_out, held_out));
}

std::vector<bool> drawn_split(const fit::HeldOut& parts, std::size_t units,
                              privacy::RandomBits& bits) {
  privacy::SeededRandomBits known(1);
  privacy::RandomBits& drawn = fault(Fault::split_from_a_public_seed) ? known : bits;
  const std::vector<std::size_t> chosen =
      parts.relation == privacy::Relation::replace_one
          ? privacy::random_subset(static_cast<std::size_t>(parts.test), units, drawn)
          : privacy::poisson_sample(units, parts.chance(), drawn);
  std::vector<bool> is_held_out(units);
  for (const std::size_t unit : chosen) is_held_out[unit] = true;
  return is_held_out;
}

model::LinearModel fit_and_assess_parts(const data::Dataset& dataset, const fit::FitPlan& plan,
                                        const std::vector<bool>& is_held_out,
                                        const fit::RunOptions& options, privacy::RandomBits& bits) {
  const auto of_figures = bits.stream(privacy::Purpose::figures, 0);
  const auto part = [&](bool held_out) { return part_of(dataset, is_held_out, held_out); };
  model::LinearModel model = fit::fit_part(part(false), plan, options, bits);
  const data::Dataset held_out = part(true);
  fit::DataShape shape = fit::DataShape::of(held_out);
  shape.records = static_cast<std::size_t>(plan->held_out->test);
  const PrivateEvaluation evaluation(spec_of(*plan), model, shape);
  const PrivateFigures figures = fault(Fault::figures_of_the_fits_records)
                                     ? evaluation.find(part(false), *of_figures)
                                     : evaluation.find(held_out, *of_figures);
  model.attachments.evaluation = evaluation_text(figures);
  model.attachments.parts = parts_text(model.privacy);
  return model;
}

model::LinearModel fit_and_assess(const data::Dataset& dataset, const fit::FitPlan& plan,
                                  fit::RunOptions options) {
  if (!plan->held_out) return fit::fit(dataset, plan, std::move(options));
  check_form(dataset, plan);
  const std::unique_ptr<privacy::RandomBits> bits = fit::bits_of(plan, options);
  ledger::Charge charge(options.ledger, "fit", plan->statement);
  const std::vector<bool> split =
      drawn_split(*plan->held_out, dataset.units(), *bits->stream(privacy::Purpose::split, 0));
  model::LinearModel model = fit_and_assess_parts(dataset, plan, split, options, *bits);
  charge.commit(model);
  return model;
}

model::LinearModel fit_and_assess(const data::Dataset& dataset, const fit::FitSpec& spec,
                                  fit::RunOptions options) {
  return fit_and_assess(
      dataset, fit::plan_fit(fit::with_classes_of(dataset, spec), fit::DataShape::of(dataset)),
      std::move(options));
}

}  // namespace southwell::assess
