#include "fit_inputs.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "southwell/core/error.hpp"

namespace nb = nanobind;

namespace southwell::bindings {
namespace {

using model::FitSpec;
using problem::ObjectiveSpec;

/// True, False and NumPy's own two, which are no bool to Python.
bool is_truth_value(const nb::handle& value) {
  if (nb::isinstance<nb::bool_>(value)) return true;
  const nb::handle type = value.type();
  const std::string name = nb::str(type.attr("__name__")).c_str();
  // Since NumPy 2, and before.
  return (name == "bool" || name == "bool_") &&
         std::string(nb::str(type.attr("__module__")).c_str()) == "numpy";
}

/// An input that was given, by its name.
struct Given {
  const char* name;
  nb::handle value;

  [[noreturn]] void refuse(const std::string& accepted) const {
    const std::string shown = nb::repr(value).c_str();
    throw nb::type_error(
        (std::string(name) + ": given " + shown + ", accepted is " + accepted).c_str());
  }
  bool is(const char* word) const {
    return nb::isinstance<nb::str>(value) && nb::cast<std::string>(value) == word;
  }
  bool is_bool() const { return is_truth_value(value); }
};

std::string text(const Given& given) {
  if (!nb::isinstance<nb::str>(given.value)) given.refuse("a word");
  return nb::cast<std::string>(given.value);
}

bool yes_or_no(const Given& given) {
  if (!given.is_bool()) given.refuse("True or False");
  return PyObject_IsTrue(given.value.ptr()) == 1;
}

/// Anything that says it is a number; True is none.
std::optional<double> number_in(const nb::handle& value) {
  if (is_truth_value(value) || PyComplex_Check(value.ptr())) return std::nullopt;
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return number;
}

double number(const Given& given) {
  const std::optional<double> found = number_in(given.value);
  if (!found) given.refuse("a number");
  return *found;
}

std::uint64_t whole(const Given& given) {
  if (given.is_bool() || PyIndex_Check(given.value.ptr()) == 0) given.refuse("a whole number");
  const nb::object index = nb::steal(PyNumber_Index(given.value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  const std::uint64_t out = PyLong_AsUnsignedLongLong(index.ptr());
  if (out == static_cast<std::uint64_t>(-1) && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw InvalidArgument(std::string(given.name) + ": given " + nb::repr(given.value).c_str() +
                          ", accepted is a whole number from 0 to 2^64 exclusive");
  }
  return out;
}

std::vector<double> numbers(const Given& given) {
  std::vector<double> out;
  if (nb::isinstance<nb::str>(given.value) ||
      !nb::try_cast<std::vector<double>>(given.value, out)) {
    given.refuse("numbers");
  }
  return out;
}

std::vector<std::string> texts(const Given& given) {
  std::vector<std::string> out;
  if (nb::isinstance<nb::str>(given.value) ||
      !nb::try_cast<std::vector<std::string>>(given.value, out)) {
    given.refuse("a list of names");
  }
  return out;
}

void set_feature_scale(FitSpec& spec, const Given& given) {
  if (given.is("from_data")) {
    spec.feature_scale_from_data = true;
  } else if (const auto one = number_in(given.value)) {
    spec.feature_scale = {*one};
  } else {
    spec.feature_scale = numbers(given);
  }
}

void set_target_scale(FitSpec& spec, const Given& given) {
  if (given.is("private")) {
    spec.target_scale_private = true;
  } else {
    spec.target_scale = number(given);
  }
}

void set_target_center(FitSpec& spec, const Given& given) {
  if (given.is("private")) {
    spec.target_center_private = true;
  } else {
    spec.target_center = number(given);
  }
}

/// True or False, or the words on and off.
template <auto kMember>
void set_switch(FitSpec& spec, const Given& given) {
  if (given.is("on") || given.is("off")) {
    spec.*kMember = given.is("on");
  } else {
    spec.*kMember = yes_or_no(given);
  }
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
  if (!nb::try_cast<std::vector<double>>(given.value, rows[0]) &&
      !nb::try_cast<std::vector<std::vector<double>>>(given.value, rows)) {
    given.refuse("a fitted model, or coefficients");
  }
  model::LinearModel start;
  start.features = rows.empty() ? 0 : rows[0].size();
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

void set_threads(FitSpec& spec, const Given& given) {
  const std::uint64_t threads = whole(given);
  if (threads > 4096) {
    throw InvalidArgument("threads: given " + std::to_string(threads) +
                          ", accepted is from 0 to 4096");
  }
  spec.threads = static_cast<int>(threads);
}

// How a member is set: by its type.
void read(std::string& member, const Given& given) { member = text(given); }
void read(std::optional<std::string>& member, const Given& given) { member = text(given); }
void read(double& member, const Given& given) { member = number(given); }
void read(std::optional<double>& member, const Given& given) { member = number(given); }
void read(std::optional<std::uint64_t>& member, const Given& given) { member = whole(given); }
void read(std::vector<double>& member, const Given& given) { member = numbers(given); }
void read(std::vector<std::string>& member, const Given& given) { member = texts(given); }
void read(bool& member, const Given& given) { member = yes_or_no(given); }
void read(std::optional<bool>& member, const Given& given) { member = yes_or_no(given); }

using Set = void (*)(FitSpec& spec, const Given& given);
template <auto kMember>
void of_fit(FitSpec& spec, const Given& given) {
  read(spec.*kMember, given);
}
template <auto kMember>
void of_objective(FitSpec& spec, const Given& given) {
  read(spec.objective.*kMember, given);
}

enum class Absence { none, none_or_auto };
struct Input {
  const char* name;
  Set set;
  Absence absence = Absence::none;
};

constexpr Input kInputs[] = {
    {"loss", of_objective<&ObjectiveSpec::loss>},
    {"penalty", of_objective<&ObjectiveSpec::penalty>},
    {"alpha", of_objective<&ObjectiveSpec::alpha>},
    {"l1_ratio", of_objective<&ObjectiveSpec::l1_ratio>},
    {"lower", of_objective<&ObjectiveSpec::lower>},
    {"upper", of_objective<&ObjectiveSpec::upper>},
    {"huber_width", of_objective<&ObjectiveSpec::huber_width>},
    {"intercept", of_fit<&FitSpec::intercept>},
    {"epsilon", of_fit<&FitSpec::epsilon>},
    {"delta", of_fit<&FitSpec::delta>},
    {"relation", of_fit<&FitSpec::relation>},
    {"records", of_fit<&FitSpec::records>},
    {"features", of_fit<&FitSpec::features>},
    {"feature_scale", set_feature_scale},
    {"target_scale", set_target_scale},
    {"classes", of_fit<&FitSpec::classes>},
    {"class_names", of_fit<&FitSpec::class_names>},
    {"solver", of_fit<&FitSpec::solver>},
    {"mode", of_fit<&FitSpec::mode>},
    {"rule", of_fit<&FitSpec::rule>},
    {"iterations", of_fit<&FitSpec::iterations>, Absence::none_or_auto},
    {"clip", of_fit<&FitSpec::clip>, Absence::none_or_auto},
    {"step", of_fit<&FitSpec::step>, Absence::none_or_auto},
    {"share", of_fit<&FitSpec::share>, Absence::none_or_auto},
    {"refine", of_fit<&FitSpec::refine>},
    {"attenuation", set_switch<&FitSpec::attenuation>, Absence::none_or_auto},
    {"clip_tracking", set_switch<&FitSpec::clip_tracking>, Absence::none_or_auto},
    {"margin_correction", set_switch<&FitSpec::margin_correction>, Absence::none_or_auto},
    {"polish", set_switch<&FitSpec::polish>, Absence::none_or_auto},
    {"target_center", set_target_center},
    {"exclude_visited", set_switch<&FitSpec::exclude_visited>, Absence::none_or_auto},
    {"second_moment", set_switch<&FitSpec::second_moment>, Absence::none_or_auto},
    {"signed_batches", set_switch<&FitSpec::signed_batches>, Absence::none_or_auto},
    {"prune", set_switch<&FitSpec::prune>, Absence::none_or_auto},
    {"selections_per_gradient", of_fit<&FitSpec::selections_per_gradient>, Absence::none_or_auto},
    {"selection", of_fit<&FitSpec::selection>},
    {"release", of_fit<&FitSpec::release>},
    {"batch_size", of_fit<&FitSpec::batch_size>, Absence::none_or_auto},
    {"sampling", of_fit<&FitSpec::sampling>},
    {"iterate", of_fit<&FitSpec::iterate>},
    {"start", set_start},
    {"threads", set_threads},
    {"seed_for_tests", of_fit<&FitSpec::seed_for_tests>},
    {"allow_leaks", of_fit<&FitSpec::allow_leaks>},
};

const Input& input_named(const std::string& name) {
  for (const Input& input : kInputs) {
    if (input.name == name) return input;
  }
  std::string names;
  for (const Input& input : kInputs) names += (names.empty() ? "" : ", ") + std::string(input.name);
  throw nb::type_error((name + ": is no input of a fit, accepted are " + names).c_str());
}

}  // namespace

model::FitSpec fit_spec(const nb::dict& inputs) {
  FitSpec spec;
  for (const auto& [key, value] : inputs) {
    const Input& input = input_named(nb::cast<std::string>(key));
    const Given given{input.name, value};
    if (value.is_none()) continue;
    if (input.absence == Absence::none_or_auto && given.is("auto")) continue;
    input.set(spec, given);
  }
  return spec;
}

std::vector<std::string> fit_input_names() {
  std::vector<std::string> names;
  for (const Input& input : kInputs) names.emplace_back(input.name);
  return names;
}

}  // namespace southwell::bindings
