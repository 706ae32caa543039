#include "southwell/data/units.hpp"

#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"

namespace southwell::data {

Units Units::of(std::span<const std::optional<std::string>> ids) {
  UnitCounter counter;
  for (const std::optional<std::string>& id : ids) {
    if (id) {
      counter.add(*id);
    } else {
      counter.add_missing();
    }
  }
  return counter.take();
}

Units Units::of_records(std::span<const std::size_t> records) const {
  std::vector<std::uint32_t> numbers(count(), kNone);
  Units out;
  for (const std::size_t record : records) {
    const std::uint32_t unit = unit_of_[record];
    if (unit == kNone) {
      out.unit_of_.push_back(kNone);
      continue;
    }
    if (numbers[unit] == kNone) {
      numbers[unit] = static_cast<std::uint32_t>(out.sizes_.size());
      out.sizes_.push_back(0);
    }
    out.unit_of_.push_back(numbers[unit]);
    ++out.sizes_[numbers[unit]];
  }
  return out;
}

void UnitCounter::add(std::string_view id) {
  std::string hashed;
  if (fault(Fault::ids_are_compared_by_hash)) id = hashed = std::to_string(Hash()(id) % 4096);
  auto found = numbers_.find(id);
  if (found == numbers_.end()) {
    if (units_.sizes_.size() >= Units::kNone) {
      throw DataError("units: accepted are fewer than 2^32 - 1");
    }
    const auto number = static_cast<std::uint32_t>(units_.sizes_.size());
    found = numbers_.emplace(std::string(id), number).first;
    units_.sizes_.push_back(0);
  }
  units_.unit_of_.push_back(found->second);
  ++units_.sizes_[found->second];
}

Units UnitCounter::take() {
  numbers_.clear();
  return std::exchange(units_, Units());
}

}  // namespace southwell::data
