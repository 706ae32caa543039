#pragma once

#include "southwell/ledger/ledger_state.hpp"

namespace southwell::ledger {

/// The largest epsilon at a delta that the ledger would still admit, by what the noise is: 0 where
/// there is none.
struct Outlook {
  double delta = 0.0;
  double gaussian = 0.0;  ///< of Gaussian noise: most fits' releases
  double pure = 0.0;      ///< of a mechanism with a pure epsilon: Laplace noise, delta = 0
  double whole = 0.0;     ///< of any fit, as the only entry: then the ledger is closed
};
Outlook outlook(const LedgerState& state, double delta);

/// The other way round: how many fits of this budget would be admitted one after the other, up to a
/// thousand.
std::uint64_t admitted_fits(const LedgerState& state, const privacy::Budget& each);

}  // namespace southwell::ledger
