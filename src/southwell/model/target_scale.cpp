#include "southwell/model/target_scale.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/fault.hpp"
#include "southwell/model/input_check.hpp"
#include "southwell/privacy/exponential_mechanism.hpp"
#include "southwell/privacy/scale.hpp"
#include "southwell/problem/magnitude_scores.hpp"

namespace southwell::model {

PrivateTargetScale::PrivateTargetScale(Planning& planning) {
  const auto records = static_cast<double>(planning.records);
  const double range =
      std::min(planning.budget.epsilon / 4.0, 16.0 * std::log(121'000.0) / records);
  // What the right magnitude leads by, in the mechanism's own scale, against the 120 others.
  if (records * range / 4.0 < std::log(121.0) + 5.0) {
    refuse("target_scale", "private",
           "a number: so few records and so small an epsilon do not tell a scale from noise");
  }
  const std::uint64_t sensitivity =
      planning.relation == privacy::Relation::replace_one ? 2 : 1;  // magnitude_scores.md
  cost_ = {privacy::Cost::Kind::bounded_range, 2 * sensitivity,
           privacy::scale_for(2 * sensitivity, range, privacy::ExponentialMechanism::kMaxScale)};
  if (fault(Fault::target_scale_is_not_charged)) return;
  planning.beside.add(cost_);
  planning.statement.mechanisms.push_back({"target_scale", "exponential_mechanism", cost_, 1});
}

double PrivateTargetScale::find(std::span<const double> target, privacy::RandomBits& bits) const {
  const auto stream = bits.stream(privacy::Purpose::target_scale, 0);
  const std::uint64_t scale = fault(Fault::target_scale_without_noise) ? 1 : cost_.scale;
  const privacy::ExponentialMechanism mechanism(cost_.shift / 2, scale);
  const std::size_t chosen = mechanism.release(problem::magnitude_scores(target), *stream);
  return std::ldexp(1.0, static_cast<int>(chosen) + problem::kLeastMagnitude);
}

}  // namespace southwell::model
