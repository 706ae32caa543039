#include "southwell/privacy/relation.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "southwell/core/error.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"

namespace southwell::privacy {
namespace {

TEST(Relation, ReplacingMovesASumTwiceAsFarAsAdding) {
  EXPECT_EQ(sum_sensitivity(Relation::replace_one, 1 << 20), 2u << 20);
  EXPECT_EQ(sum_sensitivity(Relation::add_or_remove_one, 1 << 20), 1u << 20);
}

TEST(Relation, RefusesBoundsWhoseDoubleNoMechanismTakes) {
  constexpr std::uint64_t kLargest = kMaxSensitivity / 2;
  for (const Relation relation : {Relation::replace_one, Relation::add_or_remove_one}) {
    EXPECT_LE(sum_sensitivity(relation, kLargest), kMaxSensitivity);
    for (const std::uint64_t bound : {std::uint64_t{0}, kLargest + 1, std::uint64_t{1} << 63}) {
      EXPECT_THROW(sum_sensitivity(relation, bound), InvalidArgument);
    }
  }
}

}  // namespace
}  // namespace southwell::privacy
