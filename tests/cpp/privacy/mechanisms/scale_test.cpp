#include "southwell/privacy/mechanisms/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "southwell/core/error.hpp"

namespace southwell::privacy {
namespace {

TEST(Scale, IsTheSmallestThatKeepsEpsilon) {
  EXPECT_EQ(scale_for(1, 1.0, 100), 1u);
  EXPECT_EQ(scale_for(10, 3.0, 100), 4u);
  EXPECT_EQ(scale_for(1, 1e300, 100), 1u);
  EXPECT_EQ(scale_for(3, 0.1, 100), 30u) << "the double 0.1 lies above 1/10";
  EXPECT_EQ(scale_for(3, std::nextafter(0.1, 0.0), 100), 31u) << "and the one before it below";
  EXPECT_EQ(scale_for(~std::uint64_t{0}, 0x1p20, std::uint64_t{1} << 44), std::uint64_t{1} << 44);
  EXPECT_EQ(scale_for(1, 0x1p-44, std::uint64_t{1} << 44), std::uint64_t{1} << 44);
}

TEST(Scale, RefusesWhatNoScaleCanKeep) {
  EXPECT_THROW(scale_for(1, std::nextafter(0x1p-44, 0.0), std::uint64_t{1} << 44),
               CalibrationError);
  EXPECT_THROW(scale_for(1, 5e-324, std::uint64_t{1} << 62), CalibrationError);
  for (const double epsilon : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(scale_for(1, epsilon, 10), InvalidArgument);
  }
  EXPECT_THROW(scale_for(0, 1.0, 10), InvalidArgument);
  EXPECT_THROW(scale_for(1, 1.0, 0), InvalidArgument);
  EXPECT_THROW(scale_for(1, 1.0, (std::uint64_t{1} << 62) + 1), InvalidArgument);
}

}  // namespace
}  // namespace southwell::privacy
