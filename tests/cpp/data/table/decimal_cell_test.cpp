#include "southwell/data/table/decimal_cell.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace southwell::data {
namespace {

std::string text_of(std::int64_t value, int scale) {
  std::array<unsigned char, 8> bytes{};
  std::memcpy(bytes.data(), &value, bytes.size());
  return decimal_text(bytes.data(), bytes.size(), scale);
}

TEST(DecimalCell, PutsThePointWhereItsScaleSays) {
  EXPECT_EQ(text_of(12345, 2), "123.45");
  EXPECT_EQ(text_of(-12345, 4), "-1.2345");
  EXPECT_EQ(text_of(5, 3), "0.005");
  EXPECT_EQ(text_of(7, 0), "7");
  EXPECT_EQ(text_of(7, -2), "700");
}

TEST(DecimalCell, IsWrittenByItsValueAndNotByItsScale) {
  EXPECT_EQ(text_of(1500, 3), "1.5");
  EXPECT_EQ(text_of(-1000, 3), "-1");
  EXPECT_EQ(text_of(0, 5), "0");
  EXPECT_EQ(text_of(0, -5), "0");
}

TEST(DecimalCell, HoldsTheLargestAndTheSmallestNumber) {
  std::array<unsigned char, 32> bytes{};
  bytes.fill(0xff);
  EXPECT_EQ(decimal_text(bytes.data(), 32, 0), "-1");
  bytes.fill(0);
  bytes[15] = 0x80;
  EXPECT_EQ(decimal_text(bytes.data(), 16, 0), "-170141183460469231731687303715884105728");
  EXPECT_EQ(decimal_text(bytes.data(), 32, 0), "170141183460469231731687303715884105728");
}

TEST(DecimalCell, IsNoIdWhereItIsNoWholeNumber) {
  Field field;
  field.role = Role::unit;
  const CellReader reader(field);
  DecodedColumn ids;
  for (const std::int64_t number : {7'000'000'000'000'000'000, 7'000'000'000'000'000'001}) {
    std::array<unsigned char, 8> bytes{};
    std::memcpy(bytes.data(), &number, bytes.size());
    add_decimal(bytes.data(), bytes.size(), 18, reader, ids);  // 7, and nearly 7
  }
  EXPECT_EQ(ids.texts, (std::vector<std::optional<std::string>>{"7", std::nullopt}));
}

}  // namespace
}  // namespace southwell::data
