#include "southwell/data/units.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace southwell::data {
namespace {

TEST(Units, AreAllRecordsWithOneIdWhereverTheyStand) {
  const std::vector<std::optional<std::string>> ids{"b", "a", std::nullopt, "b", "c", "b"};
  const Units units = Units::of(ids);
  EXPECT_EQ(units.records(), 6u);
  EXPECT_EQ(units.count(), 3u);
  EXPECT_EQ(units.unit_of(0), units.unit_of(5));
  EXPECT_EQ(units.unit_of(0), units.unit_of(3));
  EXPECT_NE(units.unit_of(0), units.unit_of(1));
  EXPECT_EQ(units.unit_of(2), Units::kNone);
  const std::vector<std::uint64_t> sizes{3, 1, 0, 3, 1, 3};
  for (std::size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(units.size_of(i), sizes[i]) << i;
}

TEST(Units, AreToldApartByTheWholeTextOfTheirIds) {
  std::vector<std::optional<std::string>> ids{
      "1", "1.0", "01", " 1", "1 ", "", "a", "A", "9007199254740993", "9007199254740992"};
  ids.emplace_back(std::string("a\0b", 3));
  ids.emplace_back(std::string("a\0c", 3));
  for (int k = 0; k < 100'000; ++k) ids.emplace_back("person " + std::to_string(k));
  EXPECT_EQ(Units::of(ids).count(), ids.size());
}

TEST(UnitCounter, BeginsAnewOnceItIsTaken) {
  UnitCounter counter;
  counter.add("a");
  counter.add("a");
  EXPECT_EQ(counter.take().count(), 1u);
  counter.add_missing();
  counter.add("b");
  const Units units = counter.take();
  EXPECT_EQ(units.records(), 2u);
  EXPECT_EQ(units.size_of(0), 0u);
  EXPECT_EQ(units.size_of(1), 1u);
}

TEST(Units, OfNoRecordsAreNone) { EXPECT_EQ(Units::of({}).count(), 0u); }

}  // namespace
}  // namespace southwell::data
