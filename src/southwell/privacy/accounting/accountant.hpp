#pragma once

#include <array>
#include <string_view>

#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// Ways to turn a list of events into one epsilon. The first three certify; the others are oracles
/// to compare with (basic.md, rdp.md, hockey_stick.md, pld.md).
enum class Accountant { basic, rdp, hockey_stick, zcdp, pld, advanced };
inline constexpr std::array kAccountants{Accountant::basic,        Accountant::rdp,
                                         Accountant::hockey_stick, Accountant::zcdp,
                                         Accountant::pld,          Accountant::advanced};

std::string_view name_of(Accountant accountant);

/// epsilon at this delta; infinite where the accountant has no bound, NaN where it cannot tell.
/// Throws InvalidArgument unless 0 <= delta < 1.
double epsilon_by(Accountant accountant, const Composition& composition, double delta);

/// What a fit costs: the smallest of basic composition, Renyi composition and the hockey stick,
/// rounded up.
struct Spent {
  double epsilon;
  double delta;           ///< 0 where basic composition won
  Accountant accountant;  ///< the bound that won
  double order;           ///< the Renyi order that won; infinite for the others
};
Spent spent(const Composition& composition, double delta);

/// The same without the hockey stick, which takes longer: never below `spent`.
Spent quickly_spent(const Composition& composition, double delta);

}  // namespace southwell::privacy
