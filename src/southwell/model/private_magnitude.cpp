#include "southwell/model/private_magnitude.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/fault.hpp"
#include "southwell/model/input_check.hpp"
#include "southwell/privacy/exponential_mechanism.hpp"
#include "southwell/privacy/scale.hpp"
#include "southwell/problem/magnitude_scores.hpp"

namespace southwell::model {

PrivateMagnitude::PrivateMagnitude(double range, privacy::Relation relation) {
  const std::uint64_t sensitivity =
      relation == privacy::Relation::replace_one ? 2 : 1;  // magnitude_scores.md
  cost_ = {privacy::Cost::Kind::bounded_range, 2 * sensitivity,
           privacy::scale_for(2 * sensitivity, range, privacy::ExponentialMechanism::kMaxScale)};
}

bool PrivateMagnitude::guesses(double records, double range) {
  // What the right magnitude leads by, in the mechanism's own scale, against the 120 others.
  return records * range / 4.0 < std::log(121.0) + 5.0;
}

double PrivateMagnitude::find(std::span<const double> sizes, privacy::RandomBits& bits) const {
  const auto stream = bits.stream(privacy::Purpose::target_scale, 0);
  const std::uint64_t scale = fault(Fault::target_scale_without_noise) ? 1 : cost_.scale;
  const privacy::ExponentialMechanism mechanism(cost_.shift / 2, scale);
  const std::size_t chosen = mechanism.release(problem::magnitude_scores(sizes), *stream);
  return std::ldexp(1.0, static_cast<int>(chosen) + problem::kLeastMagnitude);
}

PrivateMagnitude plan_target_scale(Planning& planning) {
  const auto records = static_cast<double>(planning.records);
  // So that with a probability of .999 a quantile between .25 and .75 is found: what is chosen then
  // is off by a factor that the clip of a fit does not feel, and a third of a small budget is
  // saved.
  const double range = std::min(planning.budget.epsilon / 4.0, 8.0 * std::log(121'000.0) / records);
  if (PrivateMagnitude::guesses(records, range)) {
    refuse("target_scale", "private",
           "a number: so few records and so small an epsilon do not tell a scale from noise");
  }
  const PrivateMagnitude magnitude(range, planning.relation);
  if (fault(Fault::target_scale_is_not_charged)) return magnitude;
  planning.beside.add(magnitude.cost());
  planning.statement.mechanisms.push_back(
      {"target_scale", "exponential_mechanism", magnitude.cost(), 1});
  return magnitude;
}

}  // namespace southwell::model
