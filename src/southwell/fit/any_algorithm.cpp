#include "southwell/fit/any_algorithm.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/fit/input_check.hpp"

namespace southwell::fit {
namespace {

/// What is known of each algorithm without having one.
struct Entry {
  std::string_view solver;
  std::string_view help;
  std::string_view in_the_paper;
  bool is_refined;
  bool (*takes)(const Draft& draft);  ///< null: every fit that no other one takes
  AnyAlgorithm (*make)();
};

template <class A>
constexpr auto taken_by() -> bool (*)(const Draft&) {
  if constexpr (requires { &A::takes; }) return &A::takes;
  return nullptr;
}

template <Algorithm... Each>
constexpr std::array<Entry, sizeof...(Each)> entries_of(const std::variant<Each...>*) {
  return {Entry{Each::kSolver, Each::kHelp, Each::kInThePaper, Each::kIsRefined, taken_by<Each>(),
                [] { return AnyAlgorithm(Each()); }}...};
}
constexpr auto kEntries = entries_of(static_cast<const AnyAlgorithm*>(nullptr));

constexpr Owners owner(std::size_t entry) { return Owners{1} << entry; }

std::vector<std::string_view> solvers_of(Owners owners) {
  std::vector<std::string_view> names;
  for (std::size_t k = 0; k < kEntries.size(); ++k) {
    const bool is_new = std::find(names.begin(), names.end(), kEntries[k].solver) == names.end();
    if ((owners & owner(k)) != 0 && is_new) names.push_back(kEntries[k].solver);
  }
  return names;
}

/// Whether solver = auto has asked it: then it applies whatever that has chosen.
bool has_informed_the_choice(const Input& input, const FitSpec& spec) {
  return input.name == "record_norm" && spec.solver.value_or("auto") == "auto";
}

/// What was given that this solver does not have.
std::vector<std::string_view> given_without(std::string_view solver, const FitSpec& spec) {
  std::vector<std::string_view> names;
  for (const Input& input : inputs()) {
    const std::vector<std::string_view> owners = solvers_of(input.owners);
    const bool has = std::find(owners.begin(), owners.end(), solver) != owners.end();
    const bool decides = is_given(input, spec) && !has_informed_the_choice(input, spec);
    if (!has && decides) names.push_back(input.name);
  }
  return names;
}

/// What only algorithms as printed have, as rows of inputs.
bool is_of_the_printed(const Input& input) { return (input.owners & refined_algorithms()) == 0; }

/// What was given that only the algorithm as printed has; empty where nothing was.
std::string given_of_the_printed(const FitSpec& spec) {
  std::vector<std::string_view> names;
  for (const Input& input : inputs()) {
    if (is_of_the_printed(input) && is_given(input, spec)) names.push_back(input.name);
  }
  const bool boxed_off =
      spec.objective.lower.value_or(0.0) > 0.0 || spec.objective.upper.value_or(0.0) < 0.0;
  if (boxed_off) names.emplace_back("a box without 0");
  return core::listed(names, " and ");
}

}  // namespace

bool wants_refinement(const Draft& draft) {
  const FitSpec& spec = draft.spec;
  const std::string refine = word_of(input_named("refine"), spec);
  const std::string printed = given_of_the_printed(spec);
  if (refine == "auto") {
    return printed.empty() && draft.mode == Mode::certified && draft.budget.delta > 0.0;
  }
  if (refine == "off") return false;
  if (draft.mode == Mode::paper) refuse("refine", "on", "off in paper mode");
  if (draft.budget.delta == 0.0) {
    refuse("refine", "on, with delta = 0", "off: refinements need Gaussian releases and a delta");
  }
  if (!printed.empty()) {
    refuse("refine", "on, together with " + printed,
           "one without the other: a refined fit finds its own, from 0");
  }
  return true;
}

namespace {

std::string why_not_refined(const Draft& draft) {
  if (draft.spec.refine.value_or("") == "off") return "refine is off";
  if (draft.mode == Mode::paper) return "the mode is paper";
  if (draft.budget.delta == 0.0) return "delta is 0";
  return "this one is as printed, for it was given " + given_of_the_printed(draft.spec);
}

/// Why an algorithm does not have an input.
void refuse_foreign(const Input& input, std::size_t chosen, const Draft& draft) {
  const std::string given = given_text(input, draft.spec);
  const Entry& entry = kEntries[chosen];
  const std::vector<std::string_view> owners = solvers_of(input.owners);
  if (std::find(owners.begin(), owners.end(), entry.solver) != owners.end()) {
    if (entry.is_refined) {
      refuse_as_foreign(input.name, given,
                        entry.takes != nullptr ? "another loss" : "the loss logistic",
                        "sgd is another one for the loss " + std::string(name_of(draft.loss)));
    }
    refuse_as_foreign(input.name, given, "a refined fit", why_not_refined(draft));
  }
  refuse_as_foreign(input.name, given, "solver " + core::listed(owners, " or "),
                    "this fit uses " + std::string(entry.solver));
}

void refuse_strangers(std::size_t chosen, const Draft& draft) {
  for (const Input& input : inputs()) {
    if (!is_given(input, draft.spec)) continue;
    const std::string given = given_text(input, draft.spec);
    const bool fits_loss = input.loss.holds == nullptr || input.loss.holds(draft.loss);
    const bool is_strange =
        (input.owners & owner(chosen)) == 0 && !has_informed_the_choice(input, draft.spec);
    if (is_strange && fits_loss) refuse_foreign(input, chosen, draft);
    if (input.certified_only && draft.mode == Mode::paper) {
      refuse_as_foreign(input.name, given, "mode certified",
                        std::string(kEntries[chosen].in_the_paper));
    }
    if (!fits_loss) {
      refuse_as_foreign(input.name, given, std::string(input.loss.valid_with),
                        std::string(input.loss.because));
    }
  }
}

}  // namespace

std::vector<std::string> solver_names() {
  std::vector<std::string> names{"auto"};
  for (const std::string_view name : solvers_of(kEveryAlgorithm)) names.emplace_back(name);
  return names;
}

std::vector<std::string> solvers_with(const Input& input) {
  const std::vector<std::string_view> names = solvers_of(input.owners);
  return {names.begin(), names.end()};
}

std::string solvers_help() {
  std::string help;
  for (const Entry& entry : kEntries) {
    if (entry.is_refined) continue;
    help += std::string(entry.solver) + ": " + std::string(entry.help) + "; ";
  }
  return help + "auto: gcd or sgd, by a public rule";
}

std::vector<std::string_view> solvers_to_choose_from(const Draft& draft) {
  if (draft.mode == Mode::paper) return {Gcd::kSolver};
  std::vector<std::string_view> possible;
  for (const std::string_view solver : {Gcd::kSolver, Sgd::kSolver}) {
    if (given_without(solver, draft.spec).empty()) possible.push_back(solver);
  }
  return possible.empty() ? std::vector<std::string_view>{Gcd::kSolver, Sgd::kSolver} : possible;
}

std::string why_no_other(const Draft& draft) {
  if (draft.mode == Mode::paper) return "it is the published algorithm";
  std::vector<std::string_view> names = given_without(Gcd::kSolver, draft.spec);
  for (const std::string_view name : given_without(Sgd::kSolver, draft.spec)) {
    names.push_back(name);
  }
  return core::listed(names, " and ") + (names.size() == 1 ? " is" : " are") + " its own";
}

AnyAlgorithm chosen_algorithm(std::string_view solver, const Draft& draft) {
  std::optional<std::size_t> printed;
  std::optional<std::size_t> refined;
  for (std::size_t k = 0; k < kEntries.size(); ++k) {
    const Entry& entry = kEntries[k];
    if (entry.solver != solver || (entry.takes != nullptr && !entry.takes(draft))) continue;
    (entry.is_refined ? refined : printed) = k;  // the later one is for fewer losses
  }
  if (!printed) {
    throw InvalidArgument("solver: given " + core::quoted(solver) + ", accepted are " + "auto, " +
                          core::listed(solvers_of(kEveryAlgorithm)));
  }
  if (!refined && draft.spec.refine.value_or("") == "on") {
    refuse_as_foreign("refine", "on",
                      "solver " + core::listed(solvers_of(refined_algorithms()), " or "),
                      "this fit uses " + std::string(solver));
  }
  const std::size_t chosen = refined && wants_refinement(draft) ? *refined : *printed;
  refuse_strangers(chosen, draft);
  return kEntries[chosen].make();
}

}  // namespace southwell::fit
