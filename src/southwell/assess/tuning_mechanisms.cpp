#include "southwell/assess/tuning_mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/model/backing.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::assess {
namespace {

constexpr auto kSensitivity = static_cast<std::uint64_t>(problem::ProductClip::kBound);

/// Chance that no run has tried one of the best candidates.
constexpr double kMissed = 0.1;
/// Of so many candidates one is among the best.
constexpr std::size_t kOneOf = 5;

privacy::Cost one_within(const privacy::Budget& budget, const privacy::ScheduledUse& use) {
  return privacy::calibrate({use}, budget).costs.at(0);
}

/// Adds uses; what is the same as one that is there already is counted with it.
void add_use(std::vector<model::MechanismUse>& to, const model::MechanismUse& use) {
  const auto same = std::find_if(to.begin(), to.end(), [&](const model::MechanismUse& there) {
    return there.step == use.step && there.name == use.name && there.cost == use.cost &&
           there.part == use.part;
  });
  if (same == to.end()) {
    to.push_back(use);
  } else {
    same->count += use.count;
  }
}

/// The law with this shape that misses a share of all candidates with a chance of kMissed at most.
std::optional<privacy::RunLaw> law_that_tries(std::uint32_t half_shape, double share) {
  const auto tries = [&](double mean) {
    return privacy::RunLaw::negative_binomial(half_shape, mean).chance_of_none(1.0 - share) <=
           kMissed;
  };
  double low = 1.01;
  double high = 10'000.0;
  if (!tries(high)) return std::nullopt;
  while (high > 1.001 * low) {
    const double middle = std::sqrt(low * high);
    (tries(middle) ? high : low) = middle;
  }
  return privacy::RunLaw::negative_binomial(half_shape, high);
}

}  // namespace

privacy::Cost choice_within(const privacy::Budget& budget) {
  return one_within(budget, {.kind = privacy::Cost::Kind::bounded_range,
                             .shift = 2 * kSensitivity,
                             .largest = privacy::ExponentialMechanism::kMaxScale,
                             .weight = 1.0,
                             .count = 1});
}

privacy::Cost score_within(const privacy::Budget& budget) {
  constexpr std::uint64_t kLargestSigma = std::uint64_t{1} << 44;
  return one_within(budget, {.kind = privacy::Cost::Kind::discrete_gaussian,
                             .shift = kSensitivity,
                             .largest = kLargestSigma,
                             .weight = 1.0,
                             .count = 1});
}

std::vector<model::MechanismUse> uses_of(const fit::FitPlan& plan) {
  std::vector<model::MechanismUse> uses = plan->statement.mechanisms;
  // The plan's figures of what is held out: here that part is for something else.
  std::erase_if(uses, [](const model::MechanismUse& use) { return use.part != model::kFitPart; });
  return uses;
}

bool are_same(const std::vector<model::MechanismUse>& a,
              const std::vector<model::MechanismUse>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.step == other.step && one.name == other.name && one.cost == other.cost &&
           one.count == other.count;
  });
}

std::vector<model::MechanismUse> mechanisms_of_fits(std::size_t own,
                                                    const std::vector<const fit::FitPlan*>& fits,
                                                    Way way) {
  std::vector<model::MechanismUse> out;
  const std::vector<model::MechanismUse> uses = uses_of(*fits[own]);
  std::vector<std::vector<model::MechanismUse>> kinds{uses};  // of runs
  for (std::size_t k = 0; k < fits.size(); ++k) {
    if (k == own || fault(Fault::tuning_states_the_chosen_fit_alone)) continue;
    std::vector<model::MechanismUse> others = uses_of(*fits[k]);
    if (way == Way::runs) {
      const auto is_same = [&](const auto& kind) { return are_same(kind, others); };
      if (std::any_of(kinds.begin(), kinds.end(), is_same)) continue;
      kinds.push_back(others);
    }
    for (model::MechanismUse& use : others) {
      use.step = model::kOfOtherSettings + use.step;
      if (way == Way::all) {
        add_use(out, use);
        continue;
      }
      use.run = std::to_string(kinds.size());
      out.push_back(std::move(use));
    }
  }
  for (model::MechanismUse use : uses) {
    if (way == Way::runs) use.run = model::kChosenRun;
    out.push_back(std::move(use));
  }
  return out;
}

std::vector<privacy::RunLaw> laws_that_try(std::size_t candidates) {
  const auto best = static_cast<double>(std::max<std::size_t>(1, candidates / kOneOf));
  const double share = best / static_cast<double>(candidates);
  std::vector<privacy::RunLaw> laws{
      privacy::RunLaw::poisson(std::ceil(std::log(1.0 / kMissed) / share))};
  for (const std::uint32_t half_shape : {0u, 1u, 2u}) {
    if (const auto law = law_that_tries(half_shape, share)) laws.push_back(*law);
  }
  return laws;
}

}  // namespace southwell::assess
