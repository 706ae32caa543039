#include "southwell/privacy/accounting/basic.hpp"

#include <limits>

#include "southwell/core/fault.hpp"

namespace southwell::privacy {

using core::Enclosure;

Enclosure pure_epsilon(const Cost& cost) {
  const Enclosure ratio = Enclosure::whole(cost.shift) / Enclosure::whole(cost.scale);
  switch (cost.kind) {
    case Cost::Kind::pure:
    case Cost::Kind::discrete_laplace:
      return ratio;
    case Cost::Kind::bounded_range:
      return fault(Fault::range_slack_is_free) ? ratio : ratio + Cost::kRangeSlack;
    case Cost::Kind::discrete_gaussian:
    case Cost::Kind::sampled_gaussian_add_or_remove:
    case Cost::Kind::sampled_gaussian_replace:
      break;
  }
  return {0.0, std::numeric_limits<double>::infinity()};
}

double basic_epsilon(const Composition& composition) {
  Enclosure total;
  for (const auto& [cost, count] : composition.events()) {
    const std::uint64_t times = fault(Fault::basic_forgets_the_count) ? 1 : count;
    total = total + Enclosure::whole(times) * pure_epsilon(cost);
  }
  return fault(Fault::basic_is_rounded_down) ? total.low : total.high;
}

}  // namespace southwell::privacy
