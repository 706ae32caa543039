#include "southwell/privacy/accounting/parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
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

/// The parts, or the plans, by the split or the decision that they are of.
std::map<std::string, Way> by_split(std::span<const PartedUse> uses,
                                    std::string PartedUse::* name) {
  std::map<std::string, Way> parts_of_split;
  for (const PartedUse& use : uses) {
    if (!(use.*name).empty()) parts_of_split[split_of(use.*name)].insert(use.*name);
  }
  return parts_of_split;
}

Composition met_in(const Way& way, const Way& plans, std::span<const PartedUse> uses) {
  const bool forgets_what_all_meet = fault(Fault::parts_forget_what_all_meet) && !way.empty();
  Composition met;
  for (const PartedUse& use : uses) {
    if (!use.plan.empty() && !plans.contains(use.plan)) continue;
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

/// For every way to stand in the parts the compositions that plans make there, all different.
std::vector<std::vector<Composition>> met_by_way(std::span<const PartedUse> uses) {
  const std::map<std::string, Way> parts_of_split = by_split(uses, &PartedUse::part);
  std::vector<Way> ways = ways_to_stand(parts_of_split);
  if (fault(Fault::parts_charge_the_one_dearest_alone)) ways = {dearest_alone(ways, uses)};
  if (fault(Fault::parts_forget_what_all_meet) && !parts_of_split.empty()) ways.emplace_back();
  const std::vector<Way> plans = ways_to_stand(by_split(uses, &PartedUse::plan));
  std::vector<std::vector<Composition>> out;
  for (const Way& way : ways) {
    std::vector<Composition> met;
    for (const Way& plan : plans) {
      Composition each = met_in(way, plan, uses);
      if (std::find(met.begin(), met.end(), each) == met.end()) met.push_back(std::move(each));
    }
    out.push_back(std::move(met));
  }
  return out;
}

}  // namespace

std::vector<Composition> met_by_one_unit(std::span<const PartedUse> uses) {
  std::vector<Composition> out;
  for (const std::vector<Composition>& met : met_by_way(uses)) {
    out.insert(out.end(), met.begin(), met.end());
  }
  return out;
}

double delta_of_each(double delta, std::size_t plans) {
  if (plans == 1 || fault(Fault::plans_have_the_whole_delta)) return delta;
  return std::nextafter(delta / static_cast<double>(plans), 0.0);  // together not above it
}

Spent spent(std::span<const PartedUse> uses, double delta) {
  std::optional<Spent> most;
  for (const std::vector<Composition>& met : met_by_way(uses)) {
    for (const Composition& each : met) {
      const Spent other = spent(each, delta_of_each(delta, met.size()));
      if (!most || other.epsilon > most->epsilon) most = other;
    }
  }
  return *most;  // there is a way to stand in no part
}

}  // namespace southwell::privacy
