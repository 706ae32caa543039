#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>

#include "bind.hpp"
#include "southwell/model/accounting.hpp"

namespace nb = nanobind;

namespace southwell::bindings {
namespace {

using Word = std::optional<std::string>;
using Number = std::optional<double>;

/// As JSON text, which both shells print.
std::string calibrate(const model::MechanismSpec& spec, double epsilon, Number share) {
  const nb::gil_scoped_release released;
  return model::to_json(model::calibrate(spec, epsilon, share));
}

std::string account(const model::MechanismSpec& spec, Number selection_epsilon,
                    Number release_epsilon, Number release_sigma) {
  const nb::gil_scoped_release released;
  return model::to_json(model::account(spec, {selection_epsilon, release_epsilon, release_sigma}));
}

}  // namespace

void bind_accounting(nb::module_& module) {
  nb::class_<model::MechanismSpec>(module, "MechanismSpec")
      .def(
          "__init__",
          [](model::MechanismSpec* self, std::uint64_t iterations, double delta, std::string solver,
             std::string relation, Word selection, Word release,
             std::optional<std::uint64_t> records, Number batch_size) {
            new (self) model::MechanismSpec{.solver = std::move(solver),
                                            .iterations = iterations,
                                            .delta = delta,
                                            .relation = std::move(relation),
                                            .selection = std::move(selection),
                                            .release = std::move(release),
                                            .records = records,
                                            .batch_size = batch_size};
          },
          nb::kw_only(), nb::arg("iterations"), nb::arg("delta") = 0.0, nb::arg("solver") = "gcd",
          nb::arg("relation") = "replace_one", nb::arg("selection") = nb::none(),
          nb::arg("release") = nb::none(), nb::arg("records") = nb::none(),
          nb::arg("batch_size") = nb::none());
  module.def("calibrate", calibrate, nb::arg("spec"), nb::kw_only(), nb::arg("epsilon"),
             nb::arg("share") = nb::none());
  module.def("account", account, nb::arg("spec"), nb::kw_only(),
             nb::arg("selection_epsilon") = nb::none(), nb::arg("release_epsilon") = nb::none(),
             nb::arg("release_sigma") = nb::none());
}

}  // namespace southwell::bindings
