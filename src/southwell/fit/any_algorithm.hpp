#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "southwell/core/words.hpp"
#include "southwell/fit/algorithm.hpp"
#include "southwell/fit/cd.hpp"
#include "southwell/fit/descent.hpp"
#include "southwell/fit/gcd.hpp"
#include "southwell/fit/gcd_rounds.hpp"
#include "southwell/fit/inputs.hpp"
#include "southwell/fit/norm_descent.hpp"
#include "southwell/fit/sgd.hpp"

namespace southwell::fit {

/// The algorithm of a fit, chosen once. A new one is a class and its entry here
/// (docs/add_a_solver.md).
using AnyAlgorithm = std::variant<Gcd, GcdRounds, Cd, Sgd, Descent, NormDescent>;

/// The solvers as printed, which the accounting and the lab compare.
inline constexpr std::array kPrintedSolvers{Gcd::kSolver, Cd::kSolver, Sgd::kSolver};

/// The place of an algorithm in the variant, as a set of one.
template <class A, class... Each>
constexpr Owners owner_in(const std::variant<Each...>*) {
  Owners bit = 1;
  Owners found = 0;
  ((found |= std::is_same_v<A, Each> ? bit : 0, bit <<= 1), ...);
  return found;
}
template <class... A>
constexpr Owners owned_by() {
  return (owner_in<A>(static_cast<const AnyAlgorithm*>(nullptr)) | ...);
}

/// Those as printed, or refined.
template <class... Each>
constexpr Owners owners_that_are(bool refined, const std::variant<Each...>*) {
  Owners bit = 1;
  Owners found = 0;
  ((found |= Each::kIsRefined == refined ? bit : 0, bit <<= 1), ...);
  return found;
}
constexpr Owners printed_algorithms() {
  return owners_that_are(false, static_cast<const AnyAlgorithm*>(nullptr));
}
constexpr Owners refined_algorithms() {
  return owners_that_are(true, static_cast<const AnyAlgorithm*>(nullptr));
}

/// What users name: `auto`, and the solvers of the algorithms.
std::vector<std::string> solver_names();
/// The solvers that have an input.
std::vector<std::string> solvers_with(const Input& input);
/// For help: "gcd: greedy coordinate descent; ...".
std::string solvers_help();

/// Whether the solver's refined algorithm is asked for. Public inputs alone decide.
bool wants_refinement(const Draft& draft);

/// What `auto` may choose: gcd and sgd, of these those that have all inputs that were given, where
/// one does. Only gcd is published (paper mode).
std::vector<std::string_view> solvers_to_choose_from(const Draft& draft);
/// Why that was a single one.
std::string why_no_other(const Draft& draft);

/// The algorithm that the solver's name and the other inputs ask for: as printed or refined. Throws
/// InvalidArgument for an unknown name, and for inputs that belong to no such algorithm, to another
/// mode or to another loss. `mode` and `budget` are decided.
AnyAlgorithm chosen_algorithm(std::string_view solver, const Draft& draft);

}  // namespace southwell::fit
