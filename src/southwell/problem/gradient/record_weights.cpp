#include "southwell/problem/gradient/record_weights.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::problem {
namespace {

constexpr auto kBound = static_cast<std::uint64_t>(ProductClip::kBound);

/// The number of records of this record's unit; 0 where it belongs to none.
std::uint64_t records_of_unit(const data::Units& units, std::size_t i) {
  if (!fault(Fault::units_are_counted_in_chunks)) return units.size_of(i);
  constexpr std::size_t kChunk = 4;
  const std::size_t first = i - i % kChunk;
  std::uint64_t count = 0;
  for (std::size_t k = first; k < std::min(first + kChunk, units.records()); ++k) {
    if (units.unit_of(k) == units.unit_of(i)) ++count;
  }
  return units.unit_of(i) == data::Units::kNone ? 0 : count;
}

/// floor(a floor(K / c)): a is at most 1, so the product in double is at most the whole number
/// floor(K / c), and so is its floor.
double bound_of(double a, std::uint64_t c) {
  if (fault(Fault::unit_bound_is_rounded_to_nearest)) {
    return std::rint(a * static_cast<double>(kBound) / static_cast<double>(c));
  }
  const std::uint64_t whole = kBound / c;
  return std::floor(a * static_cast<double>(whole));
}

}  // namespace

RecordWeights::RecordWeights(const std::optional<data::Units>& units,
                             std::span<const double> class_weight, const HeadTarget& target) {
  if ((!units && class_weight.empty()) || fault(Fault::unit_weight_is_forgotten)) return;
  const double largest =
      class_weight.empty() ? 1.0 : *std::max_element(class_weight.begin(), class_weight.end());
  weights_.resize(target.records());
  bounds_.resize(target.records());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const std::uint64_t c = units ? records_of_unit(*units, i) : 1;
    if (c == 0) continue;
    const double a = class_weight.empty() ? 1.0 : class_weight[target.label(i)] / largest;
    weights_[i] = a / static_cast<double>(c);
    bounds_[i] = bound_of(a, c);
  }
}

std::uint64_t RecordWeights::bound(std::size_t i) const {
  return are_all_one() ? kBound : static_cast<std::uint64_t>(bounds_[i]);
}

}  // namespace southwell::problem
