#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "southwell/ledger/ledger_state.hpp"
#include "southwell/ledger/outlook.hpp"

namespace southwell::ledger {

/// What is spent, reserved and left, and what would still be admitted, for people.
std::string to_text(const LedgerState& state, const Outlook& outlook);
/// The same as JSON, with all entries, and how many fits would be admitted where that was asked.
std::string to_json(const LedgerState& state, const Outlook& outlook,
                    std::optional<std::uint64_t> admitted_fits = std::nullopt);

/// All mechanisms as the events of the Python package dp-accounting, by their names and parameters:
/// one composed event for each entry. Noise on whole numbers is what it calls the discrete law.
std::string events_json(const LedgerState& state);

}  // namespace southwell::ledger
