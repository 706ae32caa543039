#include "southwell/ledger/compose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/ledger/ledger_state.hpp"

namespace southwell::ledger {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& given,
                         const std::string& accepted) {
  throw InvalidArgument("compose: given '" + core::printable(name) + "', " + given +
                        "; accepted is " + accepted);
}

void check_alike(const std::string& name, const model::Statement& one,
                 const model::Statement& first) {
  if (!one.is_private) {
    refuse(name, "whose guarantee is " + core::printable(one.guarantee),
           "what has a guarantee: nothing can be said of the others");
  }
  if (one.runs) {
    refuse(name, "which is the best of a secret number of runs",
           "what lists mechanisms whose costs add up: tune with --way all");
  }
  if (one.relation != first.relation) {
    refuse(name, "which is under " + core::printable(one.relation),
           "the relation of the first: " + core::printable(first.relation));
  }
  if (one.unit != first.unit) {
    refuse(name, "which protects " + core::printable(one.unit),
           "the unit of the first: " + core::printable(first.unit));
  }
}

/// Whether a ledger with this budget would have admitted all of them by their Renyi divergence.
bool is_admitted(const std::vector<Charged>& looks, const privacy::Budget& budget) {
  const privacy::FilterTerms terms = privacy::FilterTerms::of(budget);
  return spend_of(looks, terms.order).renyi <= terms.renyi_bound();
}

/// The least epsilon, by bisection; the end that is kept was checked.
double filter_epsilon(const std::vector<Charged>& looks, double delta) {
  const double pure = spend_of(looks, 2.0).pure;
  if (delta == 0.0) return pure;
  double high = 1e-3;
  while (!is_admitted(looks, {high, delta})) {
    high *= 2.0;
    if (high > 1e7) return pure;
  }
  double low = high > 1e-3 ? high / 2.0 : 0.0;
  while (high - low > 1e-6 * high) {
    const double middle = low + (high - low) / 2.0;
    (is_admitted(looks, {middle, delta}) ? high : low) = middle;
  }
  return std::min(pure, high);
}

/// Six digits, not below it.
std::string six_digits(double epsilon) {
  double shown = std::stod(core::rounded_text(epsilon));
  if (shown < epsilon) shown = std::stod(core::rounded_text(epsilon * (1.0 + 1e-5)));
  return core::number_text(shown);
}

}  // namespace

Together compose(const std::vector<std::pair<std::string, model::Statement>>& looks,
                 std::optional<double> delta) {
  if (looks.empty())
    throw InvalidArgument("compose: given nothing, accepted is at least one model");
  const core::StandardFloatEnvironment standard;
  const model::Statement& first = looks.front().second;
  Together out;
  out.relation = first.relation;
  out.unit = first.unit;
  std::vector<Charged> charged;
  for (const auto& [name, statement] : looks) {
    check_alike(name, statement, first);
    out.delta = std::max(out.delta, statement.delta);
    charged.push_back({name, statement.epsilon, statement.delta, statement.mechanisms});
    if (statement.fit_alone) {
      out.not_counted.push_back(name +
                                ": steps before its fit, which its statement does not cover");
    }
  }
  if (delta) {
    privacy::check_delta(*delta);
    out.delta = *delta;
  }
  const privacy::Spent plan = certified(charged, out.delta);
  out.as_plan = plan.epsilon;
  out.plan_accountant = privacy::name_of(plan.accountant);
  out.as_filter = filter_epsilon(charged, out.delta);
  if (!std::isfinite(out.as_filter) || !std::isfinite(out.as_plan)) {
    throw CalibrationError("delta: given is " + core::rounded_text(out.delta) +
                           ", at which these have no bound together; accepted is a positive one");
  }
  return out;
}

std::string to_text(const Together& together) {
  const std::string delta = core::number_text(together.delta);
  std::string text =
      "neighbours      " + together.relation + "; the unit is " + core::printable(together.unit) +
      "\n" + "as a filter     (" + six_digits(together.as_filter) + ", " + delta +
      ")-DP, if that was to be kept from the beginning:\n" +
      "                a ledger with this budget would have admitted all, one after the other\n" +
      "as a plan       (" + six_digits(together.as_plan) + ", " + delta +
      ")-DP, if their budgets were fixed beforehand (by " + together.plan_accountant + ")\n";
  for (const std::string& item : together.not_counted) {
    text += "not counted     " + core::printable(item) + "\n";
  }
  return text;
}

std::string to_json(const Together& together) {
  const nlohmann::json out{{"southwell_version", kVersion},
                           {"private", true},
                           {"delta", together.delta},
                           {"relation", together.relation},
                           {"unit", together.unit},
                           {"epsilon_as_filter", together.as_filter},
                           {"epsilon_as_plan", together.as_plan},
                           {"plan_accountant", together.plan_accountant},
                           {"not_counted", together.not_counted}};
  return core::dumped(out, 2) + "\n";
}

}  // namespace southwell::ledger
