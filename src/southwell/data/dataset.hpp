#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/data/units.hpp"

namespace southwell::data {

using AnyDesign = std::variant<DenseDesign<double>, DenseDesign<float>, SparseDesign>;

/// What a target is called where its file does not say.
inline constexpr const char* kDefaultTargetName = "target";

/// What a file holds: the design, the target and the names.
struct Dataset {
  AnyDesign design;
  std::vector<double> target;
  std::vector<std::string> feature_names;  ///< empty if the file does not name them
  std::string target_name{};               ///< empty if there is no target
  std::string id_name{};                   ///< empty unless an id column was asked for
  std::vector<std::string> ids{};          ///< of the records, as they stand in the file
  std::optional<Units> record_units{};     ///< absent: every record is a unit of its own

  bool has_target() const { return !target_name.empty(); }

  std::size_t records() const {
    return std::visit([](const auto& d) { return static_cast<std::size_t>(d.records()); }, design);
  }
  /// How many units there are: all that may be public of the number of records.
  std::size_t units() const { return record_units ? record_units->count() : records(); }
  std::size_t features() const {
    return std::visit([](const auto& d) { return static_cast<std::size_t>(d.features()); }, design);
  }
};

/// x1 .. xp: what an unnamed feature is called.
inline std::string default_feature_name(std::size_t j) { return "x" + std::to_string(j + 1); }

}  // namespace southwell::data
