#include "tapped_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "southwell/core/int128.hpp"
#include "southwell/privacy/tap.hpp"

namespace southwell::cli::replay {
namespace {

using privacy::Cost;
using privacy::Tap;
using privacy::TapRecord;

/// What can be seen of a run, and what its mechanisms got.
struct Run {
  std::string seen;  ///< the model with its statement, or what the fit threw
  std::vector<TapRecord> records;
  bool is_whole = true;  ///< as many calls as the run that it replays
};

std::string model_or_message(const data::Dataset& dataset, const fit::FitPlan& plan,
                             std::uint64_t seed) {
  try {
    return to_json(
        fit::fit(dataset, plan, {.bits = std::make_unique<privacy::SeededRandomBits>(seed)}));
  } catch (const std::exception& error) {
    return "threw: " + std::string(error.what());
  }
}

Run recorded(const data::Dataset& dataset, const fit::FitPlan& plan, std::uint64_t seed) {
  Tap tap;
  std::string seen = model_or_message(dataset, plan, seed);
  return {std::move(seen), tap.records()};
}

Run replayed(const data::Dataset& dataset, const fit::FitPlan& plan, std::uint64_t seed,
             const Run& first) {
  Tap tap(first.records);
  std::string seen = model_or_message(dataset, plan, seed);
  return {std::move(seen), tap.records(), tap.replayed_all()};
}

/// The distance of two inputs in the norm of the mechanism's sensitivity, rounded up.
Uint128 distance(const TapRecord& one, const TapRecord& other) {
  Uint128 largest = 0;
  Uint128 sum = 0;
  Uint128 squares = 0;
  for (std::size_t k = 0; k < one.input.size(); ++k) {
    const Int128 apart = static_cast<Int128>(one.input[k]) - other.input[k];
    const auto size = static_cast<Uint128>(apart < 0 ? -apart : apart);
    largest = std::max(largest, size);
    sum += size;
    squares += size >> 62 == 0 ? size * size : Uint128{1} << 125;  // far beyond what is declared
  }
  if (one.call.mechanism == "discrete_laplace_release") return sum;
  if (one.call.mechanism != "discrete_gaussian_release") return largest;
  auto root = static_cast<Uint128>(std::sqrt(static_cast<double>(squares)));
  while (root * root > squares) --root;
  while (root * root < squares) ++root;
  return root;
}

std::string call_name(std::size_t k, const TapRecord& record) {
  return "call " + std::to_string(k + 1) + " (" + record.call.mechanism + ")";
}

}  // namespace

std::string difference(const Pair& pair, const fit::FitPlan& plan, std::uint64_t seed) {
  const Run one = recorded(pair.one, plan, seed);
  const Run other = replayed(pair.other, plan, seed, one);
  if (one.seen.starts_with("threw")) return one.seen;
  if (other.seen.starts_with("threw")) return other.seen;
  if (!other.is_whole) return "another number of calls";
  for (std::size_t k = 0; k < one.records.size(); ++k) {
    const TapRecord& here = one.records[k];
    const TapRecord& there = other.records[k];
    if (here.call != there.call) return call_name(k, here) + ": other public numbers";
    if (here.input.size() != there.input.size()) return call_name(k, here) + ": another size";
    if (distance(here, there) > here.call.sensitivity) {
      return call_name(k, here) + ": inputs farther apart than the declared " +
             std::to_string(here.call.sensitivity);
    }
  }
  if (one.seen != other.seen) return "another model, or another statement";
  return "";
}

std::string uncharged(const data::Dataset& dataset, const fit::FitPlan& plan, std::uint64_t seed) {
  std::map<Cost, std::uint64_t> ran;
  for (const TapRecord& record : recorded(dataset, plan, seed).records) {
    const std::uint64_t sensitivity = record.call.sensitivity;
    const std::uint64_t scale = record.call.scale;
    const std::string& name = record.call.mechanism;
    using Kind = Cost::Kind;
    // A selection is charged twice its sensitivity: scores move up and down.
    const Cost cost =
        name == "discrete_laplace_release"    ? Cost{Kind::discrete_laplace, sensitivity, scale}
        : name == "discrete_gaussian_release" ? Cost{Kind::discrete_gaussian, sensitivity, scale}
        : name == "exponential_mechanism"     ? Cost{Kind::bounded_range, 2 * sensitivity, scale}
                                              : Cost{Kind::pure, 2 * sensitivity, scale};
    ++ran[cost];
  }
  std::map<Cost, std::uint64_t> stated;
  const privacy::Composition charged = plan->statement.composition();
  for (const auto& event : charged.events()) {
    Cost cost = event.cost;
    // A sample is charged by what one record adds; replacing one moves the sum by twice that.
    if (cost.sampled > 0) {
      const bool replaces = cost.kind == Cost::Kind::sampled_gaussian_replace;
      cost = {Cost::Kind::discrete_gaussian, (replaces ? 2 : 1) * cost.shift, cost.scale};
    }
    stated[cost] += event.count;
  }
  if (ran == stated) return "";
  return "the statement charges " + std::to_string(stated.size()) +
         " kinds of events, and others ran, or another number of them";
}

}  // namespace southwell::cli::replay
