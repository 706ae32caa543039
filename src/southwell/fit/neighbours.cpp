#include "southwell/fit/neighbours.hpp"

#include "southwell/core/error.hpp"
#include "southwell/fit/input_check.hpp"

namespace southwell::fit {

privacy::Relation relation_of(const std::optional<std::string>& given) {
  const std::string name = word("relation", given, privacy::kRelationNames);
  return static_cast<privacy::Relation>(*core::index_of(privacy::kRelationNames, name));
}

std::string name_of(privacy::Relation relation) {
  return std::string(privacy::kRelationNames[static_cast<std::size_t>(relation)]);
}

std::uint64_t public_records(privacy::Relation relation, const std::optional<std::uint64_t>& given,
                             std::size_t in_the_data) {
  std::uint64_t records = in_the_data;
  if (relation == privacy::Relation::replace_one) {
    if (given) {
      refuse_as_foreign("records", std::to_string(*given), "the relation add_or_remove_one",
                        "under replace_one the number of records is that of the data");
    }
    if (records == 0) {
      throw DataError("data: no records; at least one is needed under replace_one");
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
