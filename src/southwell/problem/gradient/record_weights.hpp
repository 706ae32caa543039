#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "southwell/data/units.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::problem {

/// What a record counts in every sum, and how much it may add to one. Of a unit with c records,
/// record i counts w_i = a_i / c and adds at most B_i = floor(a_i floor(K / c)), a_i being the
/// weight of its class over the largest one; of no unit, nothing. So all records of a unit together
/// add at most K, as one record does where there are no units (record_weights.md).
class RecordWeights {
 public:
  /// Every record is a unit of its own, and all classes count alike.
  RecordWeights() = default;
  /// `class_weight`: of every class in its order, or empty where all count alike.
  RecordWeights(const std::optional<data::Units>& units, std::span<const double> class_weight,
                const HeadTarget& target);

  /// Whether there are neither units nor classes to tell apart: public, not a matter of records.
  bool are_all_one() const { return weights_.empty(); }
  /// w_i of every record; empty where all are one.
  std::span<const double> weights() const { return weights_; }
  /// B_i of every record, whole numbers; empty where all are K.
  std::span<const double> bounds() const { return bounds_; }
  std::uint64_t bound(std::size_t i) const;

 private:
  std::vector<double> weights_;
  std::vector<double> bounds_;
};

}  // namespace southwell::problem
