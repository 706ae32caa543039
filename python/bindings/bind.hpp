#pragma once

#include <nanobind/nanobind.h>

namespace southwell::bindings {

// Bindings convert and release the interpreter lock, nothing else. One file per part of the
// library.
void bind_data(nanobind::module_& module);
void bind_design(nanobind::module_& module);
void bind_audit(nanobind::module_& module);
void bind_columns(nanobind::module_& module);
void bind_table(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_fit(nanobind::module_& module);
void bind_assess(nanobind::module_& module);
void bind_ledger(nanobind::module_& module);
void bind_accounting(nanobind::module_& module);
void bind_theory(nanobind::module_& module);

}  // namespace southwell::bindings
