#include "southwell/data/subset.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fit/small_data.hpp"

namespace southwell::data {
namespace {

using fit::Record;
using fit::Stored;

std::vector<Record> rows_of(const Dataset& dataset) {
  std::vector<Record> rows(dataset.records(), Record(dataset.features() + 1));
  std::visit(
      [&](const auto& design) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          design.for_each_in_record(i, [&](std::size_t j, double x) { rows[i][j] = x; });
        }
      },
      dataset.design);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].back() = dataset.target[i];
  return rows;
}

TEST(Subset, HasTheRecordsItIsGivenInEveryStorage) {
  const std::vector<Record> all{{1, 0, 0.5}, {0, 2, 1.5}, {3, 4, 2.5}, {0, 0, 3.5}, {-1, 0, 4.5}};
  for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
    Dataset dataset = fit::dataset_of(all, 2, stored);
    dataset.feature_names = {"a", "b"};
    const std::vector<std::size_t> chosen{1, 3, 4};
    const Dataset part = subset(dataset, chosen);
    EXPECT_EQ(part.design.index(), dataset.design.index());
    EXPECT_EQ(part.feature_names, dataset.feature_names);
    EXPECT_TRUE(part.has_target());
    EXPECT_EQ(rows_of(part), (std::vector<Record>{all[1], all[3], all[4]}));
    EXPECT_EQ(subset(dataset, {}).records(), 0u);
    EXPECT_EQ(subset(dataset, {}).features(), 2u);
  }
}

TEST(Subset, KeepsWholeUnitsAsTheyAre) {
  Dataset dataset =
      fit::dataset_of(std::vector<Record>{{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}, 1, Stored::f64);
  dataset.record_units =
      Units::of(std::vector<std::optional<std::string>>{"a", "b", std::nullopt, "a", "c"});
  dataset.ids = {"a", "b", "", "a", "c"};
  const std::vector<std::size_t> chosen{0, 2, 3, 4};
  const Dataset part = subset(dataset, chosen);
  ASSERT_TRUE(part.record_units);
  EXPECT_EQ(part.units(), 2u);
  EXPECT_EQ(part.record_units->size_of(0), 2u);
  EXPECT_EQ(part.record_units->size_of(1), 0u);
  EXPECT_EQ(part.record_units->unit_of(0), part.record_units->unit_of(2));
  EXPECT_EQ(part.record_units->size_of(3), 1u);
  EXPECT_EQ(part.ids, (std::vector<std::string>{"a", "", "a", "c"}));
}

}  // namespace
}  // namespace southwell::data
