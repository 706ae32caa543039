#include "southwell/ledger/outlook.hpp"

#include <cstdint>
#include <vector>

#include "southwell/core/float_environment.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"

namespace southwell::ledger {
namespace {

using privacy::Composition;
using privacy::Cost;

constexpr std::uint64_t kShift = std::uint64_t{1} << 20;

Composition one(Cost::Kind kind, std::uint64_t scale) {
  Composition composition;
  composition.add({.kind = kind, .shift = kShift, .scale = scale});
  return composition;
}

privacy::Spend spend_of(const Composition& composition, double order) {
  return privacy::spend_of(std::vector{composition}, order);
}

/// The least scale of one release that is admitted; 0 where none up to 2^50 is.
std::uint64_t least_scale(const LedgerState& state, Cost::Kind kind) {
  const double order = state.terms().filter.order;
  const auto is_admitted = [&](std::uint64_t scale) {
    return state.filter().admits(spend_of(one(kind, scale), order));
  };
  std::uint64_t low = 1;
  std::uint64_t high = std::uint64_t{1} << 50;
  if (state.is_closed() || !is_admitted(high)) return 0;
  while (high - low > 1 && high > low + low / (1u << 20)) {
    const std::uint64_t middle = low + (high - low) / 2;
    (is_admitted(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Outlook outlook(const LedgerState& state, double delta) {
  privacy::check_delta(delta);
  const core::StandardFloatEnvironment standard;
  Outlook out{.delta = delta};
  const std::uint64_t gaussian = least_scale(state, Cost::Kind::discrete_gaussian);
  if (gaussian != 0 && delta > 0.0) {
    out.gaussian = privacy::spent(one(Cost::Kind::discrete_gaussian, gaussian), delta).epsilon;
  }
  const std::uint64_t pure = least_scale(state, Cost::Kind::pure);
  if (pure != 0) out.pure = privacy::spent(one(Cost::Kind::pure, pure), 0.0).epsilon;
  const privacy::Budget& budget = state.terms().filter.budget;
  if (state.entries().empty() && delta <= budget.delta) out.whole = budget.epsilon;
  return out;
}

std::uint64_t admitted_fits(const LedgerState& state, const privacy::Budget& each) {
  constexpr std::uint64_t kMost = 1000;
  each.check();
  const core::StandardFloatEnvironment standard;
  if (state.is_closed()) return 0;
  const privacy::Schedule schedule{
      {.kind = each.delta > 0.0 ? Cost::Kind::discrete_gaussian : Cost::Kind::discrete_laplace,
       .shift = kShift,
       .largest = std::uint64_t{1} << 46,
       .weight = 1.0,
       .count = 1}};
  const privacy::Spend spend =
      spend_of(privacy::calibrate(schedule, each).composition, state.terms().filter.order);
  privacy::RenyiFilter filter = state.filter();
  std::uint64_t fits = 0;
  while (fits < kMost && filter.admits(spend)) {
    filter.admit(spend);
    ++fits;
  }
  return fits;
}

}  // namespace southwell::ledger
