#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/input_limits.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/predict.hpp"
#include "southwell/model/statement_html.hpp"
#include "southwell/model/user_terms.hpp"
#include "statement_of.hpp"

namespace southwell::bindings {
namespace {

using model::LinearModel;

/// One number for every head and feature, and for the intercepts.
struct Parts {
  std::vector<double> coef;
  std::vector<double> intercept;
};

template <class OfCoefficient, class OfHead>
nb::tuple parts(const LinearModel& model, OfCoefficient of, OfHead of_head) {
  Parts out{std::vector<double>(model.heads.size() * model.features), {}};
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    for (const model::Coefficient& c : model.heads[h].coef) {
      out.coef[h * model.features + c.index] = of(c);
    }
    out.intercept.push_back(of_head(model.heads[h]));
  }
  return nb::make_tuple(to_table(std::move(out.coef), model.features),
                        to_array(std::move(out.intercept)));
}

nb::tuple coef(const LinearModel& model) {
  return parts(
      model, [](const model::Coefficient& c) { return c.value; },
      [](const model::Head& head) { return head.intercept; });
}

/// (indices, matrix) of the covariance that a model carries, the intercept's index being the number
/// of features; None without one.
nb::object noise_covariance(const LinearModel& model) {
  auto covariance = model::covariance_of(model);
  if (!covariance) return nb::none();
  std::vector<std::int64_t> index(covariance->index.begin(), covariance->index.end());
  const std::size_t size = index.size();
  return nb::make_tuple(to_array(std::move(index)), to_table(std::move(covariance->values), size));
}

nb::tuple noise_sd(const LinearModel& model) {
  return parts(
      model, [](const model::Coefficient& c) { return c.noise_sd; },
      [](const model::Head& head) { return head.intercept_noise_sd; });
}

/// Of every head the intercept, its noise and (index, value, noise, per) of each coefficient, in
/// the units of the raw table.
nb::list in_user_terms(const LinearModel& model) {
  nb::list heads;
  const auto table = model::table_of(model);
  if (!table) return heads;
  const auto covariance = model::covariance_of(model);
  for (const model::Head& head : model.heads) {
    const model::NaturalHead natural = model::in_user_terms(head, *table, covariance);
    nb::list coef;
    for (std::size_t k = 0; k < natural.coef.size(); ++k) {
      const model::NaturalCoefficient& c = natural.coef[k];
      coef.append(nb::make_tuple(head.coef[k].index, c.value, c.noise_sd, c.per));
    }
    heads.append(nb::make_tuple(natural.intercept, natural.intercept_noise_sd, coef));
  }
  return heads;
}

/// (head, index, gradient, value) of every step, each as an array.
nb::tuple path(const LinearModel& model) {
  std::vector<std::int64_t> head;
  std::vector<std::int64_t> index;
  std::vector<double> gradient;
  std::vector<double> value;
  for (const model::ModelStep& step : model.path) {
    head.push_back(static_cast<std::int64_t>(step.head));
    index.push_back(static_cast<std::int64_t>(step.index));
    gradient.push_back(step.gradient);
    value.push_back(step.value);
  }
  return nb::make_tuple(to_array(std::move(head)), to_array(std::move(index)),
                        to_array(std::move(gradient)), to_array(std::move(value)));
}

nb::object margins(const LinearModel& model, const data::Dataset& design) {
  std::vector<double> out = [&] {
    const nb::gil_scoped_release released;
    return model::margins(model, design);
  }();
  return to_table(std::move(out), model.heads.size());
}

nb::object labels(const LinearModel& model, const data::Dataset& design) {
  std::vector<double> out = [&] {
    const nb::gil_scoped_release released;
    return model::labels(model, model::margins(model, design));
  }();
  return to_array(std::move(out));
}

nb::object probabilities(const LinearModel& model, const data::Dataset& design) {
  std::vector<double> out = [&] {
    const nb::gil_scoped_release released;
    return model::probabilities(model, model::margins(model, design));
  }();
  return to_table(std::move(out), model.classes.size());
}

nb::object as_python(const std::string& json) {
  return nb::module_::import_("json").attr("loads")(json);
}

nb::dict attachments(const LinearModel& model) {
  nb::dict out;
  for (const model::AttachmentPlace& place : model::kAttachmentPlaces) {
    const std::string& text = model.attachments.*place.text;
    if (!text.empty()) out[place.name] = as_python(text);
  }
  return out;
}

nb::object part_of(const StatementOf& of, const char* key) {
  return as_python(model::to_json(of.statement()))[key];
}

template <class T>
void def_field(nb::class_<StatementOf>& statement, const char* name, T model::Statement::* field) {
  statement.def_prop_ro(name, [field](const StatementOf& of) { return of.statement().*field; });
}

void bind_statement(nb::module_& module) {
  using model::Statement;
  nb::class_<StatementOf> statement(module, "Statement");
  def_field(statement, "guarantee", &Statement::guarantee);
  def_field(statement, "private", &Statement::is_private);
  def_field(statement, "epsilon", &Statement::epsilon);
  def_field(statement, "delta", &Statement::delta);
  def_field(statement, "epsilon_spent", &Statement::epsilon_spent);
  def_field(statement, "accountant", &Statement::accountant);
  def_field(statement, "relation", &Statement::relation);
  def_field(statement, "unit", &Statement::unit);
  def_field(statement, "records", &Statement::records);
  def_field(statement, "mode", &Statement::mode);
  def_field(statement, "solver", &Statement::solver);
  def_field(statement, "rule", &Statement::rule);
  def_field(statement, "iterations", &Statement::iterations);
  def_field(statement, "randomness", &Statement::randomness);
  def_field(statement, "ledger", &Statement::ledger);
  def_field(statement, "covers", &Statement::covers);
  def_field(statement, "not_covered", &Statement::not_covered);
  statement
      .def_prop_ro(
          "mechanisms", [](const StatementOf& of) { return part_of(of, "mechanisms"); },
          nb::sig("def mechanisms(self) -> list[dict[str, object]]"))
      .def_prop_ro(
          "public_inputs", [](const StatementOf& of) { return part_of(of, "public_inputs"); },
          nb::sig("def public_inputs(self) -> dict[str, dict[str, object]]"))
      .def_prop_ro("warnings",
                   [](const StatementOf& of) { return model::warnings_of(of.statement()); })
      .def("to_json", [](const StatementOf& of) { return model::to_json(of.statement()); })
      .def(
          "to_dict",
          [](const StatementOf& of) { return as_python(model::to_json(of.statement())); },
          nb::sig("def to_dict(self) -> dict[str, object]"))
      .def("to_html", [](const StatementOf& of) { return of.to_html(model::HtmlForm::page); })
      .def("_repr_html_", [](const StatementOf& of) { return of.to_html(model::HtmlForm::part); })
      .def("__str__", [](const StatementOf& of) { return model::to_text(of.statement()); })
      .def("__repr__", [](const StatementOf& of) {
        return "<Statement guarantee: " + of.statement().guarantee + ">";
      });
}

std::string path_text(const nb::bytes& path) { return {path.c_str(), path.size()}; }

}  // namespace

void bind_model(nb::module_& module) {
  bind_statement(module);
  nb::class_<LinearModel>(module, "Model")
      .def_static(
          "load", [](const nb::bytes& path) { return model::load(path_text(path)); },
          nb::arg("file"))
      .def_static(
          "from_json", [](const std::string& text) { return model::from_json(text, "model"); },
          nb::arg("text"))
      .def(
          "save",
          [](const LinearModel& self, const nb::bytes& path) {
            model::save(self, path_text(path));
          },
          nb::arg("file"))
      .def("to_json", [](const LinearModel& self) { return model::to_json(self); })
      // A pickle holds what the model file does: no data, no noise, no key.
      .def("__getstate__", [](const LinearModel& self) { return model::to_json(self); })
      .def("__setstate__",
           [](LinearModel& self, const std::string& text) {
             new (&self) LinearModel(model::from_json(text, "pickle"));
           })
      .def_ro("features", &LinearModel::features)
      .def_ro("feature_names", &LinearModel::feature_names)
      .def_prop_ro("classes", [](const LinearModel& self) { return to_array(self.classes); })
      .def_ro("class_names", &LinearModel::class_names)
      .def_prop_ro("loss", [](const LinearModel& self) { return self.objective.loss; })
      .def_prop_ro("penalty", [](const LinearModel& self) { return self.objective.penalty; })
      .def_prop_ro("coef", coef, nb::sig("def coef(self) -> tuple[object, object]"))
      .def_prop_ro("noise_sd", noise_sd, nb::sig("def noise_sd(self) -> tuple[object, object]"))
      .def_prop_ro("noise_covariance", noise_covariance,
                   nb::sig("def noise_covariance(self) -> tuple[object, object] | None"))
      .def_prop_ro("path", path, nb::sig("def path(self) -> tuple[object, object, object, object]"))
      .def("in_user_terms", in_user_terms,
           nb::sig("def in_user_terms(self) -> list[tuple[float, float, list[tuple[int, float, "
                   "float, str]]]]"))
      .def_prop_ro("schema", [](const LinearModel& self) { return self.attachments.schema; })
      .def_prop_ro("limit_text", model::limit_text)
      .def_prop_ro(
          "is_softmax",
          [](const LinearModel& self) { return self.multiclass == problem::Multiclass::softmax; })
      .def_prop_ro("attachments", attachments,
                   nb::sig("def attachments(self) -> dict[str, object]"))
      .def_prop_ro("privacy",
                   [](std::shared_ptr<LinearModel> self) { return StatementOf{std::move(self)}; })
      .def("margins", margins, nb::arg("design"))
      .def("labels", labels, nb::arg("design"))
      .def("probabilities", probabilities, nb::arg("design"));
}

}  // namespace southwell::bindings
