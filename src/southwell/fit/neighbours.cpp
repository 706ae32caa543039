#include "southwell/fit/neighbours.hpp"

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/model/guarantee.hpp"

namespace southwell::fit {
namespace {

constexpr const char* kUnitName = "id";  ///< what a unit is called where nobody says

}  // namespace

privacy::Relation relation_of(const std::optional<std::string>& given) {
  const std::string name = word("relation", given, privacy::kRelationNames);
  return static_cast<privacy::Relation>(*core::index_of(privacy::kRelationNames, name));
}

std::string name_of(privacy::Relation relation) {
  return std::string(privacy::kRelationNames[static_cast<std::size_t>(relation)]);
}

std::string unit_of(const std::optional<std::string>& given, const DataShape& shape) {
  if (!shape.has_units) {
    if (!given) return model::kOneRecord;
    refuse_as_foreign("unit", core::quoted(*given), "data that say whose each record is");
  }
  if (given && given->empty()) {
    refuse("unit", "an empty name", "what a unit is called, such as patient");
  }
  return model::unit_called(given.value_or(kUnitName));
}

PublicInput unit_input(const std::optional<std::string>& given) {
  return {"unit", given.value_or(kUnitName), given ? Source::user : Source::standard};
}

void check_units(const std::optional<data::Units>& units, std::size_t records,
                 const Statement& planned) {
  if (units.has_value() != planned.has_units()) {
    throw DataError(units ? "units: given some, accepted are none: they were not planned for"
                          : "units: given none, accepted are those that were planned for");
  }
  if (units && units->records() != records) {
    throw DataError(
        "units: given another number than there are records, accepted is one id, or "
        "none, for each of them");
  }
}

std::uint64_t public_records(privacy::Relation relation, const std::optional<std::uint64_t>& given,
                             const DataShape& shape) {
  std::uint64_t records = shape.records;
  if (relation == privacy::Relation::replace_one) {
    if (given) {
      refuse_as_foreign("records", std::to_string(*given), "the relation add_or_remove_one",
                        "under replace_one the number of records is that of the data");
    }
    if (records == 0) {
      throw DataError(shape.has_units
                          ? "data: no record with an id; at least one is needed under replace_one"
                          : "data: no records; at least one is needed under replace_one");
    }
  } else {
    if (!given || *given == 0) {
      refuse("records", given ? "0" : "nothing",
             "a whole number >= 1 under add_or_remove_one: the public divisor");
    }
    records = *given;
  }
  // n K <= 2^61: sums of all records fit their 64 bits.
  if (records > std::uint64_t{1} << 41) {
    refuse("records", std::to_string(records), "at most 2^41");
  }
  return records;
}

}  // namespace southwell::fit
