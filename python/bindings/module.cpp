#include <nanobind/nanobind.h>

#include "bind.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"

NB_MODULE(_core, module) {
  module.attr("version") = southwell::kVersion;
  // InvalidArgument is a std::invalid_argument, which nanobind turns into a ValueError.
  nanobind::exception<southwell::DataError>(module, "DataError", PyExc_ValueError).doc() =
      "A file that cannot be read, or data of a form that is not accepted.";
  nanobind::exception<southwell::CalibrationError>(module, "CalibrationError", PyExc_ValueError)
      .doc() = "No noise within the limits of the mechanisms meets the budget.";
  nanobind::exception<southwell::BudgetError>(module, "BudgetError", PyExc_ValueError).doc() =
      "A ledger has no room for what was asked: no record was used.";
  nanobind::exception<southwell::PrivacyLeak>(module, "PrivacyLeakError", PyExc_ValueError).doc() =
      "Something that was not declared would be read from the records.";
  southwell::bindings::bind_design(module);
  southwell::bindings::bind_data(module);
  southwell::bindings::bind_columns(module);
  southwell::bindings::bind_table(module);
  southwell::bindings::bind_model(module);
  southwell::bindings::bind_fit(module);
  southwell::bindings::bind_assess(module);
  southwell::bindings::bind_audit(module);
  southwell::bindings::bind_ledger(module);
  southwell::bindings::bind_accounting(module);
  southwell::bindings::bind_theory(module);
}
