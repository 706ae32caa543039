#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "given.hpp"
#include "southwell/fit/accounting.hpp"

namespace southwell::bindings {
namespace {

using Names = std::vector<std::string>;

Names with_mechanisms(Names names) {
  for (const char* name : {"iterations", "delta", "solver", "relation", "selection", "release",
                           "records", "batch_size"}) {
    names.emplace_back(name);
  }
  return names;
}

std::optional<double> number_of(const Keywords& inputs, const char* name) {
  const std::optional<Given> given = inputs.find_or_none(name);
  return given ? std::optional(number(*given)) : std::nullopt;
}

std::optional<std::string> word_of(const Keywords& inputs, const char* name) {
  const std::optional<Given> given = inputs.find_or_none(name);
  return given ? std::optional(text(*given)) : std::nullopt;
}

/// What is not given keeps its default; None is the default only where that is no value.
fit::MechanismSpec mechanisms_of(const Keywords& inputs) {
  fit::MechanismSpec spec;
  spec.iterations = whole(inputs.required("iterations", "a whole number from 1"));
  if (const auto given = inputs.find("delta")) spec.delta = number(*given);
  if (const auto given = inputs.find("solver")) spec.solver = text(*given);
  if (const auto given = inputs.find("relation")) spec.relation = text(*given);
  spec.selection = word_of(inputs, "selection");
  spec.release = word_of(inputs, "release");
  if (const auto given = inputs.find_or_none("records")) spec.records = whole(*given);
  spec.batch_size = number_of(inputs, "batch_size");
  return spec;
}

/// As JSON text, which both shells print.
std::string calibrate(const nb::dict& inputs) {
  const Keywords given("calibrate", inputs, with_mechanisms({"epsilon", "share"}));
  const double epsilon = number(given.required("epsilon", "a number"));
  const std::optional<double> share = number_of(given, "share");
  const fit::MechanismSpec spec = mechanisms_of(given);
  const nb::gil_scoped_release released;
  return fit::to_json(fit::calibrate(spec, epsilon, share));
}

std::string account(const nb::dict& inputs) {
  const Keywords given("account", inputs,
                       with_mechanisms({"selection_epsilon", "release_epsilon", "release_sigma"}));
  const fit::NoiseSpec noise{.selection_epsilon = number_of(given, "selection_epsilon"),
                             .release_epsilon = number_of(given, "release_epsilon"),
                             .release_sigma = number_of(given, "release_sigma")};
  const fit::MechanismSpec spec = mechanisms_of(given);
  const nb::gil_scoped_release released;
  return fit::to_json(fit::account(spec, noise));
}

}  // namespace

void bind_accounting(nb::module_& module) {
  module.def("calibrate", calibrate, nb::arg("inputs"),
             nb::sig("def calibrate(inputs: dict[str, object]) -> str"));
  module.def("account", account, nb::arg("inputs"),
             nb::sig("def account(inputs: dict[str, object]) -> str"));
}

}  // namespace southwell::bindings
