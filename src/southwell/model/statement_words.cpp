#include "southwell/model/statement_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <type_traits>

#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::model {

std::string number_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "unknown" : core::rounded_text(value);
  return core::rounded_text(value, 9);
}

std::string cost_text(const privacy::Cost& cost) {
  using Kind = privacy::Cost::Kind;
  const auto shift = static_cast<double>(cost.shift);
  const auto scale = static_cast<double>(cost.scale);
  switch (cost.kind) {
    case Kind::pure:
    case Kind::discrete_laplace:
      return "epsilon " + number_text(privacy::rounded_up(shift / scale));
    case Kind::bounded_range:
      return "range " + number_text(privacy::rounded_up(shift / scale));
    case Kind::discrete_gaussian:
      return "sigma/shift " + core::rounded_text(scale / shift);
    case Kind::sampled_gaussian_add_or_remove:
    case Kind::sampled_gaussian_replace:
      return "sigma/shift " + core::rounded_text(scale / shift) + ", rate " +
             core::rounded_text(static_cast<double>(cost.sampled) * 0x1p-32);
  }
  throw std::logic_error("statement: a kind of cost without words");
}

std::string input_text(const PublicInput::Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, bool>) {
          return v ? "on" : "off";
        } else if constexpr (std::is_same_v<V, double>) {
          return number_text(v);
        } else if constexpr (std::is_same_v<V, std::string>) {
          return core::printable(v);
        } else {
          constexpr std::size_t kFew = 8;
          if (v.size() > kFew) {
            const auto [least, most] = std::minmax_element(v.begin(), v.end());
            return std::to_string(v.size()) + " numbers, " + core::rounded_text(*least) + " to " +
                   core::rounded_text(*most);
          }
          std::string list;
          for (const double x : v) list += (list.empty() ? "" : ", ") + number_text(x);
          return list;
        }
      },
      value);
}

std::string spent_text(const Statement& statement) {
  if (!statement.is_private || std::isnan(statement.epsilon_spent)) {
    return "nothing certifies what was spent";
  }
  return "epsilon " + number_text(privacy::rounded_up(statement.epsilon_spent)) + " at delta " +
         number_text(statement.delta) + ", by " + statement.accountant;
}

std::string divisor_text(const Statement& statement) {
  return number_text(statement.records) + (statement.has_units() ? " units" : "") +
         (statement.parts.empty() ? ", the public divisor" : ", in parts");
}

std::string step_text(const MechanismUse& use) {
  std::string where = use.part;
  if (!use.run.empty()) where += (where.empty() ? "" : ", ") + std::string("each run");
  return use.step + (where.empty() ? "" : " (" + where + ")") +
         (use.plan.empty() ? "" : ", if " + use.plan);
}

std::string plans_text(const Statement& statement) {
  std::vector<std::string> names;
  for (const MechanismUse& use : statement.mechanisms) {
    const bool is_new = std::find(names.begin(), names.end(), use.plan) == names.end();
    if (!use.plan.empty() && is_new) names.push_back(use.plan);
  }
  if (names.empty()) return "";
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
  return text +
         "; what a mechanism found has decided, and each was planned before with its share of "
         "delta, so that together they cost the larger of them, not both";
}

std::string runs_text(const privacy::RunLaw& law) {
  const std::string name = law.is_poisson()        ? "a Poisson law"
                           : law.half_shape() == 0 ? "a logarithmic law"
                           : law.half_shape() == 2 ? "a geometric law"
                                                   : "a truncated negative binomial law";
  return "a secret number of them, by " + name + " with the mean " +
         core::rounded_text(law.mean(), 4) +
         "; the best by its noisy score alone is known, and of mechanisms in runs one run's are "
         "listed";
}

std::string parts_text(const Statement& statement) {
  std::string text;
  for (const RecordsPart& part : statement.parts) {
    text += (text.empty() ? "" : ", ") + part.name + ": " + number_text(part.records) +
            (statement.has_units() ? " units" : "");
  }
  return text +
         "; a secret random split, so that what ran on different parts costs the larger of "
         "them, not both";
}

namespace {

/// Why this solver, where the fit chose it.
std::string choice_text(const Statement& statement) {
  for (const PublicInput& input : statement.public_inputs) {
    if (Statement::is_named(input, kSolverChoice)) {
      return " (chosen automatically: " + input_text(input.value) + ")";
    }
  }
  return "";
}

}  // namespace

std::string fit_text(const Statement& statement) {
  return statement.mode + " mode, solver " + statement.solver + choice_text(statement) +
         (statement.rule.empty() ? "" : ", rule " + statement.rule) + ", " +
         std::to_string(statement.iterations) +
         (statement.iterations == 1 ? " iteration" : " iterations");
}

double right_guesses(double epsilon, double delta) {
  // (e^epsilon + delta) / (e^epsilon + 1), without large numbers.
  const double odds = std::exp(-epsilon);
  return std::min(1.0, (1.0 + delta * odds) / (1.0 + odds));
}

std::string strength_text(double epsilon) {
  if (epsilon <= 1.0) return "This is a strong guarantee: much doubt always remains.";
  if (epsilon <= 3.0) return "This is a guarantee of medium strength: some doubt always remains.";
  if (epsilon <= kCommonEpsilon) {
    return "This is a weak guarantee: in the worst case little doubt remains. Attacks that are "
           "known learn less, but nothing promises that all do.";
  }
  return "The guarantee is weak: an epsilon as large as this hardly limits what can be learnt "
         "about "
         "anybody, and is no reason to publish anything.";
}

}  // namespace southwell::model
