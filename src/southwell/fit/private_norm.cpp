#include "southwell/fit/private_norm.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/record_factors.hpp"

namespace southwell::fit {
namespace {

/// As of a target's scale: enough for what is chosen to be in the middle half of the records.
PrivateMagnitude norm_mechanism(std::uint64_t records, double epsilon) {
  return PrivateMagnitude(
      std::min(epsilon / 4.0, 8.0 * std::log(121'000.0) / static_cast<double>(records)));
}

}  // namespace

bool can_find_norm(std::uint64_t records, double epsilon) {
  return !norm_mechanism(records, epsilon).guesses(static_cast<double>(records));
}

bool finds_norm_unasked(std::uint64_t records, double epsilon) {
  constexpr std::uint64_t kLeastRecords = 1000;
  return records >= kLeastRecords && can_find_norm(records, epsilon);
}

PrivateMagnitude charged_norm(Draft& draft) {
  const PrivateMagnitude mechanism = norm_mechanism(draft.records, draft.budget.epsilon);
  if (fault(Fault::record_norm_is_not_charged)) return mechanism;
  draft.beside.add(mechanism.cost());
  draft.statement.mechanisms.push_back(
      {"record_norm", "exponential_mechanism", mechanism.cost(), 1});
  return mechanism;
}

double found_norm(const PrivateMagnitude& mechanism, const data::Dataset& dataset,
                  const problem::RecordLimit& in_units_of, core::ThreadPool& pool,
                  privacy::RandomBits& bits) {
  const std::vector<double> squares = std::visit(
      [&](const auto& design) { return problem::squared_norms(design, in_units_of, pool); },
      dataset.design);
  const double above =
      mechanism.find(squares, dataset.record_units, bits, privacy::Purpose::record_norm);
  return std::sqrt(above / std::sqrt(2.0));
}

}  // namespace southwell::fit
