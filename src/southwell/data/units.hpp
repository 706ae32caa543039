#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace southwell::data {

/// Which records belong together. A unit is all records with one id, wherever they stand in the
/// table: what is promised is promised to all of them together. A record without an id belongs to
/// no unit, and has no share in anything.
class Units {
 public:
  /// The unit of a record without an id.
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// One id, or none, of every record.
  static Units of(std::span<const std::optional<std::string>> ids);

  std::size_t records() const { return unit_of_.size(); }
  /// How many units there are.
  std::size_t count() const { return sizes_.size(); }
  /// A number below count(), the same for records with the same id; kNone without one.
  std::uint32_t unit_of(std::size_t record) const { return unit_of_[record]; }
  /// The number of records of this record's unit, over the whole table; 0 without an id.
  std::uint64_t size_of(std::size_t record) const {
    return unit_of_[record] == kNone ? 0 : sizes_[unit_of_[record]];
  }
  std::uint64_t size_of_unit(std::size_t unit) const { return sizes_[unit]; }

  /// The same of some of the records, by rising number: units are counted anew, in these alone.
  Units of_records(std::span<const std::size_t> records) const;

 private:
  friend class UnitCounter;

  std::vector<std::uint32_t> unit_of_;
  std::vector<std::uint64_t> sizes_;  ///< of the units
};

/// Counts units in the order of the records. Ids are compared by their whole text: a hash of them
/// only says where to look.
class UnitCounter {
 public:
  void add(std::string_view id);
  void add_missing() { units_.unit_of_.push_back(Units::kNone); }
  /// What was counted; it begins anew after that.
  Units take();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  Units units_;
};

}  // namespace southwell::data
