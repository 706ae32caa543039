#include "southwell/privacy/accounting/schedule.hpp"

#include <cmath>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy {
namespace {

void refuse(const char* name, const std::string& given, const char* accepted) {
  throw InvalidArgument(std::string(name) + ": given is " + given + ", accepted are " + accepted);
}

void check_factors(std::uint64_t iterations, std::span<const double> factors) {
  if (iterations == 0) refuse("iterations", "0", "whole numbers >= 1");
  if (factors.empty()) return;
  if (factors.size() != iterations) {
    refuse("factors", std::to_string(factors.size()) + " numbers", "one per iteration");
  }
  for (const double factor : factors) {
    if (!(factor > 0.0) || std::isinf(factor)) {
      refuse("factors", core::rounded_text(factor), "positive finite numbers");
    }
  }
}

/// Adds the uses of one iteration for each factor, or once for all of them.
void repeat(Schedule& schedule, const Schedule& iteration, std::uint64_t times,
            std::span<const double> factors) {
  check_factors(times, factors);
  const std::size_t blocks = factors.empty() ? 1 : factors.size();
  for (std::size_t i = 0; i < blocks; ++i) {
    for (ScheduledUse use : iteration) {
      use.weight *= factors.empty() ? 1.0 : factors[i];
      use.count *= factors.empty() ? times : 1;
      schedule.push_back(use);
    }
  }
}

ScheduledUse release_use(Release release, std::uint64_t sensitivity, double weight) {
  const auto kind =
      release == Release::laplace ? Cost::Kind::discrete_laplace : Cost::Kind::discrete_gaussian;
  return {kind, sensitivity, kMaxScale, weight, 1};
}

ScheduledUse selection_use(Selection selection, std::uint64_t sensitivity) {
  switch (selection) {
    case Selection::exponential:
      return {Cost::Kind::bounded_range, 2 * sensitivity, ExponentialMechanism::kMaxScale, 1.0, 1};
    case Selection::permute_and_flip:
      return {Cost::Kind::pure, 2 * sensitivity, PermuteAndFlip::kMaxScale, 1.0, 1};
    case Selection::noisy_max:
      return {Cost::Kind::pure, 2 * sensitivity, NoisyMax::kMaxScale, 1.0, 1};
  }
  throw InvalidArgument("selection: not one of exponential, permute_and_flip, noisy_max");
}

}  // namespace

Cost ScheduledUse::at(double level) const {
  return {kind, shift, scale_for(shift, level * weight, largest), sampled};
}

Schedule gcd_schedule(const GcdScheduleOptions& options) {
  if (!(options.share > 0.0) || !(options.share < 1.0)) {
    refuse("share", core::rounded_text(options.share), "numbers between 0 and 1");
  }
  const std::uint64_t sensitivity = sum_sensitivity(options.relation, options.bound);
  const double rest = (1.0 - options.share) / options.share;
  // rho of a selection is range^2 / 8 (pure: range^2 / 2), of a Gaussian release (shift/sigma)^2
  // / 2.
  const double by_rho = std::sqrt(rest) * (options.selection == Selection::exponential ? 0.5 : 1.0);
  Schedule schedule;
  repeat(schedule,
         {selection_use(options.selection, sensitivity),
          release_use(options.release, sensitivity,
                      options.release == Release::laplace ? rest : by_rho)},
         options.iterations, options.factors);
  return schedule;
}

Schedule rounds_schedule(const RoundsScheduleOptions& options) {
  const std::uint64_t sensitivity = sum_sensitivity(options.relation, options.bound);
  // rho is about eta^2 / 8 for a selection and (sensitivity / sigma)^2 / 2 for a release.
  Schedule schedule;
  if (options.selections > 0) {
    if (!(options.share > 0.0 && options.share < 1.0)) {
      refuse("share", core::rounded_text(options.share), "numbers between 0 and 1");
    }
    ScheduledUse select = selection_use(Selection::exponential, sensitivity);
    select.count = options.selections;
    select.weight = std::sqrt(8.0 * options.share / static_cast<double>(options.selections));
    schedule.push_back(select);
  }
  for (const RoundsScheduleOptions::Releases& each : options.releases) {
    check_factors(each.count, {});
    ScheduledUse use =
        release_use(Release::gaussian, each.sensitivity > 0 ? each.sensitivity : sensitivity,
                    std::sqrt(2.0 * each.part / static_cast<double>(each.count)));
    use.count = each.count;
    schedule.push_back(use);
  }
  return schedule;
}

Schedule cd_schedule(const CdScheduleOptions& options) {
  Schedule schedule;
  repeat(schedule,
         {release_use(options.release, sum_sensitivity(options.relation, options.bound), 1.0)},
         options.iterations, options.factors);
  return schedule;
}

Schedule sgd_schedule(const SgdScheduleOptions& options) {
  if (options.sampled == 0 || options.sampled > std::uint64_t{1} << 32) {
    refuse("sampled", std::to_string(options.sampled), "whole numbers from 1 to 2^32");
  }
  const auto kind = options.relation == Relation::replace_one
                        ? Cost::Kind::sampled_gaussian_replace
                        : Cost::Kind::sampled_gaussian_add_or_remove;
  Schedule schedule;
  repeat(schedule, {{kind, options.bound, kMaxScale, 1.0, 1, options.sampled}}, options.iterations,
         options.factors);
  return schedule;
}

}  // namespace southwell::privacy
