#include "southwell/privacy/accounting/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "southwell/core/fault.hpp"

namespace southwell::privacy {
namespace {

/// No more ways than this are told apart.
constexpr std::size_t kMostWays = 64;

/// What stands before the last dot.
std::string split_of(const std::string& part) {
  const std::size_t dot = part.rfind('.');
  return dot == std::string::npos ? "" : part.substr(0, dot);
}

/// Where a unit stands in each split: a set of the parts that it is in.
using Way = std::set<std::string>;

std::vector<Way> ways_to_stand(const std::map<std::string, Way>& parts_of_split) {
  std::vector<Way> ways{{}};
  for (const auto& [split, parts] : parts_of_split) {
    std::vector<Way> longer;
    for (const Way& way : ways) {
      if (ways.size() * parts.size() > kMostWays) {  // as if it were in all of them
        longer.push_back(way);
        longer.back().insert(parts.begin(), parts.end());
        continue;
      }
      for (const std::string& part : parts) {
        longer.push_back(way);
        longer.back().insert(part);
      }
    }
    ways = std::move(longer);
  }
  return ways;
}

Composition met_in(const Way& way, std::span<const PartedUse> uses) {
  const bool forgets_what_all_meet = fault(Fault::parts_forget_what_all_meet) && !way.empty();
  Composition met;
  for (const PartedUse& use : uses) {
    if (use.part.empty() ? !forgets_what_all_meet : way.contains(use.part)) {
      met.add(use.cost, use.count);
    }
  }
  return met;
}

/// The way whose own mechanisms cost most by basic composition or, without a bound, all others.
Way dearest_alone(const std::vector<Way>& ways, std::span<const PartedUse> uses) {
  constexpr double kDelta = 1e-6;
  const auto alone = [&](const Way& way) {
    Composition own;
    for (const PartedUse& use : uses) {
      if (way.contains(use.part)) own.add(use.cost, use.count);
    }
    return quickly_spent(own, kDelta).epsilon;
  };
  return *std::max_element(ways.begin(), ways.end(),
                           [&](const Way& a, const Way& b) { return alone(a) < alone(b); });
}

}  // namespace

std::vector<Composition> met_by_one_unit(std::span<const PartedUse> uses) {
  std::map<std::string, Way> parts_of_split;
  for (const PartedUse& use : uses) {
    if (!use.part.empty()) parts_of_split[split_of(use.part)].insert(use.part);
  }
  std::vector<Way> ways = ways_to_stand(parts_of_split);
  if (fault(Fault::parts_charge_the_one_dearest_alone)) ways = {dearest_alone(ways, uses)};
  std::vector<Composition> met;
  for (const Way& way : ways) met.push_back(met_in(way, uses));
  if (fault(Fault::parts_forget_what_all_meet) && !parts_of_split.empty()) {
    met.push_back(met_in({}, uses));
  }
  return met;
}

Spent spent(std::span<const Composition> met, double delta) {
  Spent most = spent(met.front(), delta);
  for (const Composition& each : met.subspan(1)) {
    const Spent other = spent(each, delta);
    if (other.epsilon > most.epsilon) most = other;
  }
  return most;
}

}  // namespace southwell::privacy
