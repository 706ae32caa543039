#include "southwell/privacy/accounting/composition.hpp"

#include <limits>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"

namespace southwell::privacy {

void Composition::add(const Cost& cost, std::uint64_t count) {
  if (cost.shift == 0 || cost.scale == 0) {
    throw InvalidArgument("cost: shift is " + std::to_string(cost.shift) + " and scale " +
                          std::to_string(cost.scale) + ", accepted are whole numbers >= 1");
  }
  if (cost.sampled > std::uint64_t{1} << 32) {
    throw InvalidArgument("cost: sampled is " + std::to_string(cost.sampled) +
                          ", accepted are whole numbers up to 2^32");
  }
  if (count == 0) return;
  const auto [found, is_new] = place_.try_emplace(cost, events_.size());
  if (is_new) {
    events_.push_back({cost, count});
    return;
  }
  if (fault(Fault::composition_forgets_repeats)) return;
  std::uint64_t& uses = events_[found->second].count;
  if (count > std::numeric_limits<std::uint64_t>::max() - uses) {
    throw InvalidArgument("cost: more than 2^64 uses of one mechanism");
  }
  uses += count;
}

Composition& Composition::operator+=(const Composition& other) {
  const std::vector<Event> added = other.events_;  // `other` may be this one
  for (const Event& event : added) add(event.cost, event.count);
  return *this;
}

}  // namespace southwell::privacy
