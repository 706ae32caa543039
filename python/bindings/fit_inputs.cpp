#include "fit_inputs.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "given.hpp"
#include "southwell/core/overloaded.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/fit/inputs.hpp"

namespace southwell::bindings {
namespace {

using fit::FitSpec;
using fit::Input;
using problem::ObjectiveSpec;

void set_numbers(FitSpec& spec, const fit::NumbersOrData& member, const Given& given) {
  if (given.is("from_data")) {
    spec.*member.from_data = true;
  } else if (const auto one = number_in(given.value)) {
    spec.*member.numbers = {*one};
  } else {
    spec.*member.numbers = numbers(given.or_else(", one for each feature or one for all of them"));
  }
}

void set_number(FitSpec& spec, const fit::NumberOrPrivate& member, const Given& given) {
  if (given.is("private")) {
    spec.*member.by_mechanism = true;
  } else {
    spec.*member.number = number(given.or_else(" or 'private'"));
  }
}

void set_weights(FitSpec& spec, const fit::ClassWeights& member, const Given& given) {
  if (given.is(member.kRefused.data())) given.refuse_value(std::string(member.kAccepted));
  spec.*member.numbers = numbers(given.or_else(", one for each class"));
}

/// True or False; of a switch that is automatic otherwise also the words on and off.
bool on_or_off(const Input& input, const Given& given) {
  const bool is_word = given.is("on") || given.is("off");
  return input.is_automatic() && is_word ? given.is("on") : yes_or_no(given);
}

/// A model, or public coefficients: one list, or one for each class.
void set_start(FitSpec& spec, const Given& given) {
  spec.start_name = "start";
  if (nb::isinstance<model::LinearModel>(given.value)) {
    spec.start = std::make_shared<const model::LinearModel>(
        nb::cast<const model::LinearModel&>(given.value));
    return;
  }
  std::vector<std::vector<double>> rows(1);
  const bool is_text = nb::isinstance<nb::str>(given.value);
  if (is_text || (!nb::try_cast<std::vector<double>>(given.value, rows[0]) &&
                  !nb::try_cast<std::vector<std::vector<double>>>(given.value, rows))) {
    given.refuse("a fitted model, or coefficients");
  }
  if (rows.empty() || rows[0].empty()) given.refuse_value("at least one coefficient");
  model::LinearModel start;
  start.features = rows[0].size();
  for (const std::vector<double>& row : rows) {
    if (row.size() != start.features) given.refuse("as many coefficients for every class");
    model::Head head;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] != 0.0) head.coef.push_back({j, row[j], 0.0});
    }
    start.heads.push_back(std::move(head));
  }
  spec.start = std::make_shared<const model::LinearModel>(std::move(start));
}

void set_schema(FitSpec& spec, const Given& given) {
  if (!nb::isinstance<data::TableEncoding>(given.value)) given.refuse("a Schema");
  spec.table = nb::cast<std::shared_ptr<data::TableEncoding>>(given.value);
}

/// Sets the member of a row, whose type says what is accepted.
void set(FitSpec& spec, const Input& input, const Given& given) {
  std::visit(
      core::Overloaded{
          [&](std::string ObjectiveSpec::* m) { spec.objective.*m = text(given); },
          [&](std::optional<double> ObjectiveSpec::* m) { spec.objective.*m = number(given); },
          [&](std::optional<double> FitSpec::* m) { spec.*m = number(given); },
          [&](std::optional<std::uint64_t> FitSpec::* m) { spec.*m = whole(given); },
          [&](std::optional<bool> FitSpec::* m) { spec.*m = on_or_off(input, given); },
          [&](std::optional<std::string> FitSpec::* m) { spec.*m = text(given); },
          [&](std::vector<double> FitSpec::* m) { spec.*m = numbers(given); },
          [&](std::vector<std::string> FitSpec::* m) { spec.*m = texts(given); },
          [&](bool FitSpec::* m) { spec.*m = yes_or_no(given); },
          [&](int FitSpec::* m) { spec.*m = threads_in(given); },
          [&](const fit::NumberOrPrivate& m) { set_number(spec, m, given); },
          [&](const fit::NumbersOrData& m) { set_numbers(spec, m, given); },
          [&](const fit::ClassWeights& m) { set_weights(spec, m, given); },
          [&](fit::StartModel) { set_start(spec, given); },
      },
      input.member);
}

/// Where nothing but leaving it out says that it was not given, None is a value, which is refused.
bool takes_none(const Input& input) {
  return !input.is_required() && !std::holds_alternative<bool FitSpec::*>(input.member);
}

/// How Python writes it.
std::string type_of(const Input& input) {
  const std::string type = std::visit(
      core::Overloaded{
          [](std::optional<std::uint64_t> FitSpec::*) { return "int"; },
          [](int FitSpec::*) { return "int"; },
          [](std::optional<double> FitSpec::*) { return "float"; },
          [](std::optional<double> ObjectiveSpec::*) { return "float"; },
          [](std::optional<bool> FitSpec::*) { return "bool"; },
          [](bool FitSpec::*) { return "bool"; },
          [](std::vector<double> FitSpec::*) { return "list of float"; },
          [](std::vector<std::string> FitSpec::*) { return "list of str"; },
          [](const fit::NumberOrPrivate&) { return "float or \"private\""; },
          [](const fit::NumbersOrData&) { return "float or array of shape (features,)"; },
          [](const fit::ClassWeights&) { return "dict or list of float"; },
          [](fit::StartModel) { return "estimator or array"; },
          [](auto) { return "str"; },
      },
      input.member);
  return input.is_automatic() ? type + " or \"auto\"" : type;
}

}  // namespace

fit::FitSpec fit_spec(const nb::dict& inputs) { return fit_spec(inputs, "a fit", {}); }

fit::FitSpec fit_spec(const nb::dict& inputs, const char* of, std::vector<std::string> names) {
  if (names.empty()) {
    names = fit_input_names();
    names.emplace_back("schema");
    names.emplace_back("classes_from_data");
  }
  const Keywords keywords(of, inputs, names);
  FitSpec spec;
  if (const auto schema = keywords.find_or_none("schema")) set_schema(spec, *schema);
  for (const Input& input : fit::inputs()) {
    const std::optional<Given> found = keywords.find(input.name.data());
    if (!found || (found->value.is_none() && takes_none(input))) continue;
    const bool automatic = input.is_automatic();
    if (automatic && found->is("auto")) continue;
    set(spec, input, automatic ? found->or_else(" or 'auto'") : *found);
  }
  if (const auto leak = keywords.find_or_none("classes_from_data")) {
    spec.classes_from_data = yes_or_no(*leak);
  }
  return spec;
}

std::vector<std::string> fit_input_names() {
  std::vector<std::string> names;
  for (const Input& input : fit::inputs()) names.emplace_back(input.name);
  return names;
}

nb::list fit_input_rows() {
  nb::list rows;
  for (const Input& input : fit::inputs()) {
    nb::dict row;
    row["name"] = std::string(input.name);
    row["group"] = std::string(fit::title_of(input.group));
    row["type"] = type_of(input);
    row["default"] = std::string(input.standard);
    row["help"] = std::string(input.help);
    std::vector<std::string> words(input.words.begin(), input.words.end());
    if (input.name == "solver") words = fit::solver_names();
    row["words"] = words;
    row["solvers"] = fit::solvers_with(input);
    rows.append(row);
  }
  return rows;
}

}  // namespace southwell::bindings
