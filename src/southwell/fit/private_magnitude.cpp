#include "southwell/fit/private_magnitude.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/defaults.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/problem/magnitude_scores.hpp"

namespace southwell::fit {

PrivateMagnitude::PrivateMagnitude(double range) {
  constexpr std::uint64_t kShift = 2 * problem::kMagnitudeSensitivity;
  cost_ = {privacy::Cost::Kind::bounded_range, kShift,
           privacy::scale_for(kShift, range, privacy::ExponentialMechanism::kMaxScale)};
}

PrivateMagnitude PrivateMagnitude::within(double epsilon) {
  PrivateMagnitude out(epsilon);
  const auto is_enough = [&out, epsilon](std::uint64_t scale) {
    out.cost_.scale = scale;
    return privacy::pure_epsilon(out.cost_).high <= epsilon;
  };
  std::uint64_t high = privacy::ExponentialMechanism::kMaxScale;
  if (!is_enough(high)) {
    throw CalibrationError("scale: the noise for epsilon " + core::rounded_text(epsilon) +
                           " would exceed the largest scale " + std::to_string(high));
  }
  std::uint64_t low = 0;  // never enough
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  out.cost_.scale = high;
  return out;
}

bool PrivateMagnitude::guesses(double records) const {
  // What the right magnitude leads by if every record has it, in the mechanism's own scale. The
  // weights of all candidates over that of the right one add up to less than 121 up to 2^21.
  return records / static_cast<double>(cost_.scale) < std::log(121.0) + 5.0;
}

double PrivateMagnitude::find(std::span<const double> sizes,
                              const std::optional<data::Units>& units, privacy::RandomBits& bits,
                              privacy::Purpose purpose) const {
  const auto stream = bits.stream(purpose, 0);
  const std::uint64_t scale = fault(Fault::target_scale_without_noise) ? 1 : cost_.scale;
  const privacy::ExponentialMechanism mechanism(cost_.shift / 2, scale);
  const auto weight = static_cast<std::int64_t>(cost_.scale);
  const std::size_t chosen =
      mechanism.release(problem::magnitude_scores(sizes, units, weight), *stream);
  return std::ldexp(1.0, static_cast<int>(chosen) + problem::kLeastMagnitude);
}

ReachCheck::ReachCheck(const privacy::Budget& budget, double records) {
  // As a part of the budget. With 60 % of zeros, a third of the records reach the right scale: that
  // is above what noise explains from n mu = 60 on.
  const double signal = records * gaussian_equivalent(budget);
  const double part = std::clamp(std::pow(60.0 / signal, 2), 0.002, 0.05);
  const double sigma = records / (signal * std::sqrt(part));
  constexpr double kLargest = 0x1p44;
  cost_ = {privacy::Cost::Kind::discrete_gaussian, problem::kReachSensitivity,
           static_cast<std::uint64_t>(std::ceil(std::clamp(sigma, 1.0, kLargest)))};
}

bool ReachCheck::confirms(double scale, std::span<const double> sizes,
                          const std::optional<data::Units>& units,
                          privacy::RandomBits& bits) const {
  constexpr double kNoises = 3.0;
  const std::uint64_t sigma = fault(Fault::reach_without_noise) ? 1 : cost_.scale;
  const privacy::DiscreteGaussianRelease release(cost_.shift, sigma);
  privacy::Noise noise = release.draw(*bits.stream(privacy::Purpose::target_scale, 1), 1);
  const std::vector<std::int64_t> count =
      release.release(problem::reach_count(sizes, std::ilogb(scale), units), std::move(noise));
  return static_cast<double>(count[0]) > kNoises * static_cast<double>(cost_.scale);
}

ReachCheck charged_reach_check(Draft& draft) {
  const ReachCheck check(draft.budget, static_cast<double>(draft.records));
  if (fault(Fault::reach_is_not_charged)) return check;
  draft.beside.add(check.cost());
  draft.statement.mechanisms.push_back(
      {"target_scale", "discrete_gaussian_release", check.cost(), 1});
  return check;
}

PrivateMagnitude PrivateMagnitude::of_targets(double epsilon, double records) {
  // Where no target is 0, enough for a score of -n/2 or less to have a probability of .001 at most:
  // what is chosen is then in the middle half of the targets, or nearly. A clip does not ask for
  // more. Where most are 0 more is wanted of it, and a 32nd of epsilon costs next to nothing.
  return PrivateMagnitude(
      std::min(epsilon / 4.0, std::max(epsilon / 32.0, 8.0 * std::log(121'000.0) / records)));
}

void check_is_no_guess(const PrivateMagnitude& magnitude, double records,
                       const std::string& given) {
  if (!magnitude.guesses(records)) return;
  refuse("target_scale", given,
         "a number here, the typical size of the target, such as target_scale=100 (command line: "
         "--target-scale 100): so few records and so small an epsilon do not tell a scale from "
         "noise");
}

PrivateMagnitude charged_target_scale(Draft& draft) {
  const auto records = static_cast<double>(draft.records);
  const PrivateMagnitude magnitude = PrivateMagnitude::of_targets(draft.budget.epsilon, records);
  check_is_no_guess(magnitude, records, draft.spec.target_scale_private ? "private" : "nothing");
  if (fault(Fault::target_scale_is_not_charged)) return magnitude;
  draft.beside.add(magnitude.cost());
  draft.statement.mechanisms.push_back(
      {"target_scale", "exponential_mechanism", magnitude.cost(), 1});
  return magnitude;
}

}  // namespace southwell::fit
