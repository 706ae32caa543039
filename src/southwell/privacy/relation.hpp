#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace southwell::privacy {

/// Which datasets are neighbours, that differ in one unit: one record, or all records of one
/// person.
enum class Relation { replace_one, add_or_remove_one };
inline constexpr std::array<std::string_view, 2> kRelationNames{"replace_one", "add_or_remove_one"};

/// By how much a sum over units can move between neighbours if each unit's share lies in
/// [-bound, bound]: replacing moves it by 2 bound, adding or removing by bound. 1 <= bound <= 2^60,
/// else InvalidArgument: a bound that wrapped around would promise too much.
std::uint64_t sum_sensitivity(Relation relation, std::uint64_t bound);

}  // namespace southwell::privacy
