#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "southwell/privacy/accounting/cost.hpp"

namespace southwell::privacy {

/// What a fit, or several on the same records, did: mechanism events and how often each happened.
/// Costs add up by joining the lists; an accountant turns a list into one epsilon.
class Composition {
 public:
  struct Event {
    Cost cost;
    std::uint64_t count;
    friend bool operator==(const Event&, const Event&) = default;
  };

  /// Adds `count` uses. Throws InvalidArgument on a shift or scale of 0, or a rate above 1.
  void add(const Cost& cost, std::uint64_t count = 1);
  Composition& operator+=(const Composition& other);
  friend Composition operator+(Composition a, const Composition& b) { return a += b; }

  /// Different costs in the order of their first use.
  const std::vector<Event>& events() const { return events_; }
  friend bool operator==(const Composition&, const Composition&) = default;

 private:
  std::vector<Event> events_;
  std::map<Cost, std::size_t> place_;  ///< of each cost in events_
};

}  // namespace southwell::privacy
