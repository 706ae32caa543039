#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bind.hpp"
#include "convert.hpp"
#include "fit_inputs.hpp"
#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/assess/private_evaluation.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/model/predict.hpp"
#include "statement_of.hpp"

namespace southwell::bindings {
namespace {

using assess::PrivateFigures;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

data::Dataset with_target(const data::Dataset& design, const Numbers& target,
                          const std::optional<data::Units>& units) {
  data::Dataset dataset = design;  // shares its numbers
  if (units) dataset.record_units = units;
  dataset.target.assign(target.data(), target.data() + target.size());
  if (dataset.target.size() != dataset.records()) {
    throw DataError("data: an evaluation needs a target, one number per record");
  }
  if (!dataset.has_target()) dataset.target_name = data::kDefaultTargetName;
  return dataset;
}

/// The inputs of an evaluation are those of a fit by the same names.
assess::EvaluationSpec evaluation_spec(const nb::dict& inputs) {
  const fit::FitSpec spec = fit_spec(inputs);
  if (spec.target_scale_private) fit::refuse("target_scale", "private", "a number");
  return {.epsilon = fit::required("epsilon", spec.epsilon, "a positive finite number"),
          .delta = fit::required("delta", spec.delta, "a number above 0 and below 1"),
          .relation = spec.relation,
          .records = spec.records,
          .unit = spec.unit,
          .target_scale = spec.target_scale,
          .seed_for_tests = spec.seed_for_tests};
}

StatementOf statement_of(const model::Statement& statement) {
  auto model = std::make_shared<model::LinearModel>();
  model->privacy = statement;
  return {.model = std::move(model), .of_figures = true};
}

nb::dict exact_figures(const model::LinearModel& model, const data::Dataset& design,
                       const Numbers& target) {
  const data::Dataset dataset = with_target(design, target, std::nullopt);
  const model::Evaluation figures = [&] {
    const nb::gil_scoped_release released;
    return model::evaluate(model, dataset);
  }();
  nb::dict out;
  out["records"] = figures.records;
  out["left_out"] = figures.left_out;
  const std::pair<const char*, double> rows[] = {
      {"loss_value", figures.loss_value}, {"mse", figures.mse}, {"r2", figures.r2},
      {"accuracy", figures.accuracy},     {"auc", figures.auc}, {"log_loss", figures.log_loss}};
  for (const auto& [name, value] : rows) {
    if (value == value) out[name] = value;
  }
  return out;
}

void bind_figures(nb::module_& module) {
  nb::class_<PrivateFigures>(module, "PrivateFigures")
      .def_prop_ro("privacy", [](const PrivateFigures& self) { return statement_of(self.privacy); })
      .def("to_json", [](const PrivateFigures& self) { return assess::to_json(self); })
      .def("to_html",
           [](const PrivateFigures& self) { return assess::to_html(self, model::HtmlForm::page); })
      .def("to_html_part",
           [](const PrivateFigures& self) { return assess::to_html(self, model::HtmlForm::part); })
      .def("__str__", [](const PrivateFigures& self) { return assess::to_text(self); });
}

}  // namespace

void bind_assess(nb::module_& module) {
  bind_figures(module);
  nb::class_<assess::PrivateEvaluation>(module, "PrivateEvaluation")
      .def_prop_ro(
          "privacy",
          [](const assess::PrivateEvaluation& self) { return statement_of(self.statement()); })
      .def(
          "find",
          [](const assess::PrivateEvaluation& self, const data::Dataset& design,
             const Numbers& target, const std::optional<data::Units>& units,
             const std::optional<std::string>& ledger) {
            const data::Dataset dataset = with_target(design, target, units);
            const nb::gil_scoped_release released;
            return self.find(dataset, ledger);
          },
          nb::arg("design"), nb::arg("target").noconvert(), nb::arg("units") = nb::none(),
          nb::arg("ledger") = nb::none(),
          nb::sig("def find(self, design: Design, target: object, units: Units | None = None, "
                  "ledger: str | None = None) -> PrivateFigures"));
  module.def(
      "private_evaluation",
      [](const model::LinearModel& model, const data::Dataset& design, const nb::dict& inputs,
         const std::optional<data::Units>& units, std::vector<std::string> not_covered) {
        assess::EvaluationSpec spec = evaluation_spec(inputs);
        spec.not_covered_either = std::move(not_covered);
        data::Dataset dataset = design;  // shares its numbers
        if (units) dataset.record_units = units;
        const nb::gil_scoped_release released;
        return assess::PrivateEvaluation(spec, model, fit::DataShape::of(dataset));
      },
      nb::arg("model"), nb::arg("design"), nb::arg("inputs"), nb::arg("units") = nb::none(),
      nb::arg("not_covered_either") = std::vector<std::string>(),
      nb::sig("def private_evaluation(model: Model, design: Design, inputs: dict[str, object], "
              "units: Units | None = None, not_covered_either: list[str] = []) -> "
              "PrivateEvaluation"));
  module.def(
      "figures_of", [](const model::LinearModel& model) { return assess::figures_of(model); },
      nb::arg("model"));
  module.def(
      "check_evaluation_inputs",
      [](const nb::dict& inputs) { static_cast<void>(evaluation_spec(inputs)); }, nb::arg("inputs"),
      nb::sig("def check_evaluation_inputs(inputs: dict[str, object]) -> None"));
  module.def("exact_figures", exact_figures, nb::arg("model"), nb::arg("design"),
             nb::arg("target").noconvert(),
             nb::sig("def exact_figures(model: Model, design: Design, target: object) -> "
                     "dict[str, float]"));
}

}  // namespace southwell::bindings
