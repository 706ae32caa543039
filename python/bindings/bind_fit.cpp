#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "fit_inputs.hpp"
#include "given.hpp"
#include "southwell/assess/held_out_fit.hpp"
#include "southwell/assess/planned_figures.hpp"
#include "southwell/assess/planned_tuning.hpp"
#include "southwell/assess/tuning.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/plan_table.hpp"
#include "southwell/fit/pooled_scale.hpp"
#include "southwell/model/guarantee.hpp"
#include "statement_of.hpp"

namespace southwell::bindings {
namespace {

using fit::FitPlan;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

FitPlan planned(const fit::FitSpec& spec, const fit::DataShape& shape) {
  const nb::gil_scoped_release released;
  return fit::plan_fit(spec, shape);
}

/// Which records belong together, from the bytes of their ids and None.
data::Units units_from(const nb::list& ids) {
  data::UnitCounter counter;
  for (const nb::handle id : ids) {
    if (id.is_none()) {
      counter.add_missing();
      continue;
    }
    const nb::bytes text = nb::cast<nb::bytes>(id);
    counter.add(std::string_view(text.c_str(), text.size()));
  }
  return counter.take();
}

/// The same records, which may say whose they are.
data::Dataset with_units(const data::Dataset& design, const std::optional<data::Units>& units) {
  data::Dataset dataset = design;  // shares its numbers
  if (units) dataset.record_units = units;
  return dataset;
}

FitPlan plan_for(const data::Dataset& design, const nb::dict& inputs,
                 const std::optional<data::Units>& units) {
  return planned(fit_spec(inputs), fit::DataShape::of(with_units(design, units)));
}

/// The form of data that are not there yet: of units if it is said what they are called, and with
/// the features that a schema makes.
fit::DataShape shape_of(const nb::object& records, const nb::object& features,
                        const fit::FitSpec& spec) {
  const bool counted = spec.table && features.is_none();
  return {.records = static_cast<std::size_t>(whole({"records", records}, 1)),
          .features = counted ? spec.table->features()
                              : static_cast<std::size_t>(whole({"features", features}, 1)),
          .has_units = spec.unit.has_value() || (spec.table && spec.table->schema().unit()),
          .is_imagined = true};
}

FitPlan plan(const nb::object& records, const nb::object& features, const nb::dict& inputs) {
  const fit::FitSpec spec = fit_spec(inputs);
  return planned(spec, shape_of(records, features, spec));
}

StatementOf statement_of(const FitPlan& plan) {
  auto model = std::make_shared<model::LinearModel>();
  model->objective = plan->spec.objective;
  model->features = plan->coordinates.features;
  model->feature_names = plan->feature_names;
  model->classes = plan->classes;
  model->privacy = plan->statement;
  return {std::move(model)};
}

/// (of a released gradient, of the step it makes), for every feature and then the intercept.
std::pair<nb::object, nb::object> noise_sd(const FitPlan& plan) {
  const problem::Coordinates all(plan->coordinates);
  std::vector<double> gradient(all.width());
  std::vector<double> step(all.width());
  for (std::size_t c = 0; c < all.width(); ++c) {
    const fit::NoiseSd noise = plan->noise(all, c);
    gradient[c] = noise.gradient;
    step[c] = noise.coef;
  }
  return {to_array(std::move(gradient)), to_array(std::move(step))};
}

/// How a fit is run from here: what it shows, and the ledger that it is charged to.
struct Run {
  const nb::object& progress;
  std::optional<std::string> ledger;
};

/// Does work on these records that signals can stop, while others may use the interpreter.
template <class Work>
model::LinearModel made_of(data::Dataset dataset, const Numbers& target, Run run,
                           const Work& work) {
  dataset.target.assign(target.data(), target.data() + target.size());
  if (!dataset.has_target()) dataset.target_name = data::kDefaultTargetName;
  fit::RunOptions options;
  options.progress = StopOnSignal{run.progress};
  options.ledger = std::move(run.ledger);
  const nb::gil_scoped_release released;
  return work(dataset, std::move(options));
}

model::LinearModel fit(const FitPlan& plan, const data::Dataset& design, const Numbers& target,
                       const std::optional<data::Units>& units, const nb::object& progress,
                       std::optional<std::string> ledger) {
  return made_of(with_units(design, units), target, {progress, std::move(ledger)},
                 [&](const data::Dataset& dataset, fit::RunOptions options) {
                   return assess::fit_and_assess(dataset, plan, std::move(options));
                 });
}

/// Inputs of the same fit in several settings, with their names; the budget, the shares and the
/// way.
assess::Tuning tuning(const data::Dataset& design, const std::vector<nb::dict>& settings,
                      std::vector<std::string> names, nb::dict budget,
                      const std::optional<data::Units>& units) {
  const nb::object choice_share = budget.attr("pop")("choice_share");
  const nb::object way = budget.attr("pop")("way");
  const fit::FitSpec of = fit_spec(budget);
  assess::TuningSpec spec{
      .settings = {},
      .names = std::move(names),
      .epsilon = fit::required("epsilon", of.epsilon, "a positive finite number"),
      .delta = fit::required("delta", of.delta, "a number above 0 and below 1"),
      .choice_share = number({"choice_share", choice_share}),
      .test_share = of.test_share,
      .way = text({"way", way})};
  for (const nb::dict& setting : settings) spec.settings.push_back(fit_spec(setting));
  const data::Dataset dataset = with_units(design, units);
  const nb::gil_scoped_release released;
  return {spec, fit::DataShape::of(dataset)};
}

model::LinearModel tuned(const assess::Tuning& tuning, const data::Dataset& design,
                         const Numbers& target, const std::optional<data::Units>& units,
                         const nb::object& progress, std::optional<std::string> ledger) {
  return made_of(with_units(design, units), target, {progress, std::move(ledger)},
                 [&](const data::Dataset& dataset, fit::RunOptions options) {
                   return tuning.find(dataset, std::move(options));
                 });
}

void bind_tuning(nb::module_& module) {
  nb::class_<assess::Tuning>(module, "Tuning")
      .def_prop_ro("privacy",
                   [](const assess::Tuning& self) {
                     auto model = std::make_shared<model::LinearModel>();
                     model->privacy = self.statement();
                     return StatementOf{std::move(model)};
                   })
      .def_prop_ro("epsilon_of_each", &assess::Tuning::epsilon_of_each)
      .def("find", tuned, nb::arg("design"), nb::arg("target").noconvert(),
           nb::arg("units") = nb::none(), nb::arg("progress") = nb::none(),
           nb::arg("ledger") = nb::none(),
           nb::sig("def find(self, design: Design, target: object, units: Units | None = None, "
                   "progress: object = None, ledger: str | None = None) -> Model"));
  module.def("tuning", tuning, nb::arg("design"), nb::arg("settings"), nb::arg("names"),
             nb::arg("budget"), nb::arg("units") = nb::none(),
             nb::sig("def tuning(design: Design, settings: list[dict[str, object]], names: "
                     "list[str], budget: dict[str, object], units: Units | None = None) -> "
                     "Tuning"));
}

fit::PooledScale pooled_scale(std::size_t records, const nb::dict& inputs, bool has_units) {
  const fit::FitSpec spec = fit_spec(inputs);
  return {{.epsilon = fit::required("epsilon", spec.epsilon, "a positive finite number"),
           .relation = spec.relation,
           .records = spec.records,
           .unit = spec.unit,
           .seed_for_tests = spec.seed_for_tests,
           .allow_leaks = spec.allow_leaks},
          {.records = records, .has_units = has_units}};
}

/// That of the last step's model, which may show its coefficients.
StatementOf composed(const std::vector<std::pair<std::string, StatementOf>>& steps,
                     const std::vector<std::string>& not_covered_either) {
  std::vector<std::pair<std::string, model::Statement>> statements;
  statements.reserve(steps.size());
  for (const auto& [name, of] : steps) statements.emplace_back(name, of.statement());
  model::Statement all = model::composed(statements, not_covered_either);
  auto model = std::make_shared<model::LinearModel>(*steps.back().second.model);
  model->privacy = std::move(all);
  return {std::move(model)};
}

/// The same, which says from now on that it speaks of the fit alone.
StatementOf of_the_fit_alone(const StatementOf& of) {
  auto model = std::make_shared<model::LinearModel>(*of.model);
  model::limit_to_the_fit(model->privacy);
  return {std::move(model)};
}

/// The same, which promises nothing for this reason.
StatementOf without_guarantee(const StatementOf& of, const std::string& reason) {
  auto model = std::make_shared<model::LinearModel>(*of.model);
  model::settle_guarantee(model->privacy, {reason});
  return {std::move(model)};
}

/// The same, which says besides what it does not cover.
StatementOf not_covering(const StatementOf& of, const std::vector<std::string>& either) {
  auto model = std::make_shared<model::LinearModel>(*of.model);
  model->privacy.not_covered.insert(model->privacy.not_covered.end(), either.begin(), either.end());
  return {std::move(model)};
}

void bind_pooled_scale(nb::module_& module) {
  nb::class_<fit::PooledScale>(module, "PooledScale")
      .def(
          "find",
          [](const fit::PooledScale& self, const Numbers& sizes,
             const std::optional<data::Units>& units, const std::optional<std::string>& ledger) {
            const nb::gil_scoped_release released;
            const fit::FoundScale found =
                self.find(std::span(sizes.data(), sizes.size()), units, ledger);
            return std::pair(found.scale, found.ledger);
          },
          nb::arg("sizes").noconvert(), nb::arg("units") = nb::none(),
          nb::arg("ledger") = nb::none(),
          nb::sig("def find(self, sizes: object, units: Units | None = None, ledger: str | None = "
                  "None) -> tuple[float, str]"))
      .def(
          "statement",
          [](const fit::PooledScale& self, double found, const std::string& ledger) {
            auto model = std::make_shared<model::LinearModel>();
            model->privacy = self.statement(found, ledger);
            return StatementOf{std::move(model)};
          },
          nb::arg("found"), nb::arg("ledger") = fit::kNoLedger);
  module.def("pooled_scale", pooled_scale, nb::arg("records"), nb::arg("inputs"),
             nb::arg("has_units") = false,
             nb::sig("def pooled_scale(records: int, inputs: dict[str, object], has_units: bool = "
                     "False) -> PooledScale"));
}

}  // namespace

void bind_fit(nb::module_& module) {
  module.attr("CLASSES_ACCEPTED") = fit::kClassesAccepted;
  module.def("fit_inputs", fit_input_names);
  module.def("fit_input_rows", fit_input_rows,
             nb::sig("def fit_input_rows() -> list[dict[str, object]]"));
  module.def(
      "check_fit_inputs", [](const nb::dict& inputs) { static_cast<void>(fit_spec(inputs)); },
      nb::arg("inputs"), nb::sig("def check_fit_inputs(inputs: dict[str, object]) -> None"));
  nb::class_<FitPlan>(module, "Plan")
      .def_prop_ro("privacy", statement_of)
      .def_prop_ro("noise_sd", noise_sd, nb::sig("def noise_sd(self) -> tuple[object, object]"));
  module.def("plan", plan, nb::arg("records").none(), nb::arg("features").none(), nb::arg("inputs"),
             nb::sig("def plan(records: object, features: object, inputs: dict[str, object]) -> "
                     "Plan"));
  module.def(
      "plan_table",
      [](const nb::object& records, const nb::object& features, const nb::dict& inputs,
         std::optional<std::size_t> settings) {
        const fit::FitSpec spec = fit_spec(inputs);
        const fit::DataShape shape = shape_of(records, features, spec);
        const fit::PlanTable table = fit::plan_table(spec, shape);
        std::string text = fit::to_json(table);
        if (table.held_out) text = assess::with_planned_figures(text, fit::plan_fit(spec, shape));
        if (!settings) return text;
        return assess::with_planned_tuning(text, assess::planned_tuning(spec, shape, *settings));
      },
      nb::arg("records").none(), nb::arg("features").none(), nb::arg("inputs"),
      nb::arg("settings") = nb::none(),
      nb::sig("def plan_table(records: object, features: object, inputs: dict[str, object], "
              "settings: int | None = None) -> str"));
  nb::class_<data::Units>(module, "Units")
      .def(
          "__init__",
          [](data::Units* self, const nb::list& ids) { new (self) data::Units(units_from(ids)); },
          nb::arg("ids"), nb::sig("def __init__(self, ids: list[bytes | None]) -> None"))
      .def_prop_ro("count", &data::Units::count);
  module.def("plan_for", plan_for, nb::arg("design"), nb::arg("inputs"),
             nb::arg("units") = nb::none(),
             nb::sig("def plan_for(design: Design, inputs: dict[str, object], units: Units | None "
                     "= None) -> Plan"));
  module.def("fit", fit, nb::arg("plan"), nb::arg("design"), nb::arg("target").noconvert(),
             nb::kw_only(), nb::arg("units") = nb::none(), nb::arg("progress") = nb::none(),
             nb::arg("ledger") = nb::none(),
             nb::sig("def fit(plan: Plan, design: Design, target: object, *, units: Units | None = "
                     "None, progress: object = None, ledger: str | None = None) -> Model"));
  bind_pooled_scale(module);
  bind_tuning(module);
  module.def(
      "composed", composed, nb::arg("steps"), nb::arg("not_covered_either"),
      nb::sig("def composed(steps: list[tuple[str, Statement]], not_covered_either: list[str]) "
              "-> Statement"));
  module.def("not_covering", not_covering, nb::arg("statement"), nb::arg("either"));
  module.def("without_guarantee", without_guarantee, nb::arg("statement"), nb::arg("reason"));
  module.def("of_the_fit_alone", of_the_fit_alone, nb::arg("statement"));
  module.def("model_with", [](const StatementOf& of) { return *of.model; }, nb::arg("statement"));
}

}  // namespace southwell::bindings
