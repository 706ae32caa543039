#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "fit_inputs.hpp"
#include "given.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/ledger/compose.hpp"
#include "southwell/ledger/ledger.hpp"
#include "southwell/ledger/ledger_report.hpp"
#include "southwell/ledger/outlook.hpp"
#include "statement_of.hpp"

namespace southwell::bindings {
namespace {

namespace nb = nanobind;
using Statements = std::vector<std::pair<std::string, StatementOf>>;

std::vector<std::pair<std::string, model::Statement>> plain(const Statements& statements) {
  std::vector<std::pair<std::string, model::Statement>> out;
  for (const auto& [name, of] : statements) out.emplace_back(name, of.statement());
  return out;
}

ledger::Ledger created(const std::string& file, const nb::dict& asked) {
  const Keywords keywords("a ledger", asked, {"epsilon", "delta", "relation", "unit"});
  ledger::NewLedger made;
  const auto number_of = [&](const char* name) {
    const auto given = keywords.find_or_none(name);
    return given ? number(*given) : fit::required(name, std::nullopt, "a number");
  };
  made.epsilon = number_of("epsilon");
  made.delta = number_of("delta");
  if (const auto given = keywords.find_or_none("relation")) made.relation = text(*given);
  if (const auto given = keywords.find_or_none("unit")) made.unit = text(*given);
  return ledger::Ledger::create(file, made);
}

double delta_of(const ledger::LedgerState& state, std::optional<double> delta) {
  return delta.value_or(state.terms().filter.budget.delta);
}

}  // namespace

void bind_ledger(nb::module_& module) {
  using ledger::Ledger;
  nb::class_<Ledger>(module, "Ledger")
      .def(nb::init<std::string>(), nb::arg("file"), nb::call_guard<nb::gil_scoped_release>())
      .def_static("create", created, nb::arg("file"), nb::arg("asked"),
                  nb::sig("def create(file: str, asked: dict[str, object]) -> Ledger"))
      .def(
          "to_json",
          [](const Ledger& self, std::optional<double> delta) {
            const ledger::LedgerState state = self.state();
            return ledger::to_json(state, ledger::outlook(state, delta_of(state, delta)));
          },
          nb::arg("delta") = nb::none(), nb::call_guard<nb::gil_scoped_release>())
      .def(
          "to_text",
          [](const Ledger& self) {
            const ledger::LedgerState state = self.state();
            return ledger::to_text(state, ledger::outlook(state, delta_of(state, std::nullopt)));
          },
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "events_json", [](const Ledger& self) { return ledger::events_json(self.state()); },
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "admitted_fits",
          [](const Ledger& self, double epsilon, std::optional<double> delta) {
            const ledger::LedgerState state = self.state();
            return ledger::admitted_fits(state, {epsilon, delta_of(state, delta)});
          },
          nb::arg("epsilon"), nb::arg("delta") = nb::none(),
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "plan",
          [](const Ledger& self, const Statements& members) {
            return self.plan(plain(members)).entry.sequence;
          },
          nb::arg("members"),
          nb::sig("def plan(self, members: list[tuple[str, Statement]]) -> int"))
      .def(
          "verify",
          [](const Ledger& self,
             const std::vector<std::pair<std::string, model::LinearModel>>& models) {
            const ledger::LedgerState state = self.state();
            ledger::verify(state, self.file().string());
            for (const auto& [name, model] : models) {
              ledger::verify(state, model, self.file().string(), name);
            }
          },
          nb::arg("models"), nb::sig("def verify(self, models: list[tuple[str, Model]]) -> None"));
  module.def(
      "composed_json",
      [](const Statements& looks, std::optional<double> delta) {
        return ledger::to_json(ledger::compose(plain(looks), delta));
      },
      nb::arg("looks"), nb::arg("delta") = nb::none(),
      nb::sig("def composed_json(looks: list[tuple[str, Statement]], delta: float | None = None) "
              "-> str"));
}

}  // namespace southwell::bindings
