#include "southwell/ledger/ledger_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include "southwell/core/json_parse.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/json_mechanism.hpp"

namespace southwell::ledger {
namespace {

using nlohmann::json;
using privacy::Cost;

std::string six(double value) { return core::rounded_text(value); }

std::string padded(std::string text, std::size_t to) {
  text.append(text.size() < to ? to - text.size() : 1, ' ');
  return text;
}

/// Sums of the entries that are committed, or of those that are not.
privacy::Spend sum_of(const LedgerState& state, bool committed) {
  privacy::Spend sum{0.0, 0.0, 0.0};
  for (const Entry& entry : state.entries()) {
    // A plan is charged when it is made: its members come to nothing more.
    if (entry.admission == Admission::plan) continue;
    if ((entry.is_committed || entry.is_plan) != committed) continue;
    sum.pure += entry.spend.pure;
    sum.renyi += entry.spend.renyi;
  }
  return sum;
}

json bound_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json json_of(const privacy::Spend& spend) {
  return {{"pure_epsilon", bound_or_null(spend.pure)}, {"renyi", bound_or_null(spend.renyi)}};
}

std::string words_of(const Entry& entry) {
  if (entry.is_plan) return "plan of " + std::to_string(entry.looks.size());
  const Charged& look = entry.looks.at(0);
  return core::printable(look.name) + " of (" + six(look.epsilon) + ", " + six(look.delta) + ")";
}

std::string status_of(const Entry& entry) {
  if (entry.is_plan) return "reserved for its members";
  if (!entry.is_committed) return "reserved, not committed: it counts";
  return "committed";
}

std::string cost_text(double value) { return std::isfinite(value) ? six(value) : "no bound"; }

std::string entry_text(const Entry& entry) {
  std::string line = "  " + padded(std::to_string(entry.sequence), 6) + padded(words_of(entry), 26);
  if (entry.admission == Admission::plan) {
    line += padded("in plan " + std::to_string(entry.plan), 36);
  } else {
    line +=
        padded(entry.admission == Admission::whole ? "the whole budget"
                                                   : "pure epsilon " + cost_text(entry.spend.pure) +
                                                         ", Renyi " + cost_text(entry.spend.renyi),
               36);
  }
  return line + status_of(entry) + "\n";
}

std::string left_text(const LedgerState& state) {
  if (state.is_closed())
    return "nothing: one entry took the whole budget, and the ledger is closed";
  const privacy::Spend& spent = state.filter().spent();
  return "pure epsilon " + six(std::max(0.0, state.terms().filter.budget.epsilon - spent.pure)) +
         ", or Renyi divergence " + six(std::max(0.0, state.filter().renyi_bound() - spent.renyi)) +
         " of " + six(std::max(0.0, state.filter().renyi_bound()));
}

double ratio(const Cost& cost) {
  return static_cast<double>(cost.scale) / static_cast<double>(cost.shift);
}

/// One use of a mechanism.
json event_of(const Cost& cost) {
  using Kind = Cost::Kind;
  const double epsilon = 1.0 / ratio(cost);
  switch (cost.kind) {
    case Kind::pure:  // randomised response is the worst of all with this epsilon
      return {{"class_name", "RandomizedResponseDpEvent"},
              {"noise_parameter", 2.0 / (1.0 + std::exp(epsilon))},
              {"num_buckets", 2}};
    case Kind::bounded_range:
      return {{"class_name", "ZCDpEvent"}, {"rho", epsilon * epsilon / 8.0}, {"xi", 0.0}};
    case Kind::discrete_laplace:
      return {{"class_name", "DiscreteLaplaceDpEvent"},
              {"noise_parameter", 1.0 / static_cast<double>(cost.scale)},
              {"sensitivity", cost.shift}};
    case Kind::discrete_gaussian:
      return {{"class_name", "GaussianDpEvent"}, {"noise_multiplier", ratio(cost)}};
    case Kind::sampled_gaussian_add_or_remove:
    case Kind::sampled_gaussian_replace:
      return {{"class_name", "PoissonSampledDpEvent"},
              {"sampling_probability", std::ldexp(static_cast<double>(cost.sampled), -32)},
              {"event", {{"class_name", "GaussianDpEvent"}, {"noise_multiplier", ratio(cost)}}}};
  }
  return nullptr;
}

json event_of(const std::vector<Charged>& looks) {
  json events = json::array();
  for (const Charged& look : looks) {
    for (const model::MechanismUse& use : look.mechanisms) {
      json event = event_of(use.cost);
      if (use.count > 1) {
        event = {{"class_name", "SelfComposedDpEvent"}, {"event", event}, {"count", use.count}};
      }
      events.push_back(std::move(event));
    }
  }
  return {{"class_name", "ComposedDpEvent"}, {"events", events}};
}

json json_of(const Entry& entry) {
  json out{{"sequence", entry.sequence},
           {"kind", entry.is_plan ? "plan" : "reservation"},
           {"admitted_by", name_of(entry.admission)},
           {"committed", entry.is_committed}};
  if (entry.admission == Admission::plan) {
    out["plan"] = entry.plan;
    out["member"] = entry.member;
  } else {
    out["cost"] = json_of(entry.spend);
  }
  out["looks"] = json::array();
  for (const Charged& look : entry.looks) {
    out["looks"].push_back({{"name", look.name}, {"epsilon", look.epsilon}, {"delta", look.delta}});
  }
  return out;
}

}  // namespace

std::string to_text(const LedgerState& state, const Outlook& outlook) {
  const Terms& terms = state.terms();
  const privacy::Budget& budget = terms.filter.budget;
  std::string text = "ledger          " + core::printable(terms.id) + "\n" + "promises        (" +
                     core::number_text(budget.epsilon) + ", " + core::number_text(budget.delta) +
                     ")-DP of all its entries together\n" + "neighbours      " + terms.relation +
                     "; the unit is " + core::printable(terms.unit) + "\n" +
                     "adds up at      order " + core::number_text(terms.filter.order) + "\n";
  const auto spend_text = [](const privacy::Spend& spend) {
    return "pure epsilon " + cost_text(spend.pure) + ", Renyi divergence " +
           cost_text(spend.renyi) + "\n";
  };
  text += "spent           " + spend_text(sum_of(state, true));
  text += "reserved        " + spend_text(sum_of(state, false));
  text += "left            " + left_text(state) + "\n";
  if (!state.is_closed()) {
    text += "still admitted  at delta " + core::number_text(outlook.delta) + " epsilon " +
            six(outlook.gaussian) + " of Gaussian noise; pure epsilon " + six(outlook.pure) + "\n";
  }
  if (outlook.whole > 0.0) {
    text += "                or any fit of epsilon up to " + six(outlook.whole) +
            " as the only entry, which closes the ledger\n";
  }
  if (!state.entries().empty()) text += "entries\n";
  for (const Entry& entry : state.entries()) text += entry_text(entry);
  return text;
}

std::string to_json(const LedgerState& state, const Outlook& outlook,
                    std::optional<std::uint64_t> admitted_fits) {
  const Terms& terms = state.terms();
  json entries = json::array();
  for (const Entry& entry : state.entries()) entries.push_back(json_of(entry));
  const privacy::Spend& all = state.filter().spent();
  json out{{"southwell_version", kVersion},
           {"private", true},
           {"ledger", terms.id},
           {"epsilon", terms.filter.budget.epsilon},
           {"delta", terms.filter.budget.delta},
           {"relation", terms.relation},
           {"unit", terms.unit},
           {"order", terms.filter.order},
           {"renyi_bound", bound_or_null(state.filter().renyi_bound())},
           {"closed", state.is_closed()},
           {"spent", json_of(sum_of(state, true))},
           {"reserved", json_of(sum_of(state, false))},
           {"charged", json_of(all)},
           {"still_admitted",
            {{"delta", outlook.delta},
             {"gaussian_epsilon", outlook.gaussian},
             {"pure_epsilon", outlook.pure},
             {"whole_epsilon", outlook.whole}}},
           {"entries", std::move(entries)}};
  if (admitted_fits) out["still_admitted"]["fits"] = *admitted_fits;
  return core::dumped(out, 2) + "\n";
}

std::string events_json(const LedgerState& state) {
  json entries = json::array();
  for (const Entry& entry : state.entries()) {
    if (entry.admission == Admission::plan) continue;  // its plan has them
    entries.push_back({{"sequence", entry.sequence}, {"event", event_of(entry.looks)}});
  }
  const bool replaces = state.terms().relation == "replace_one";
  const json out{{"southwell_version", kVersion},
                 {"private", true},
                 {"module_name", "dp_accounting.dp_event"},
                 {"neighboring_relation", replaces ? "REPLACE_ONE" : "ADD_OR_REMOVE_ONE"},
                 {"entries", std::move(entries)}};
  return core::dumped(out, 2) + "\n";
}

}  // namespace southwell::ledger
