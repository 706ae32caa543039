#include "southwell/privacy/accounting/normal_tail.hpp"

#include <gtest/gtest.h>

#include "privacy/accounting/exact_curves.hpp"

namespace southwell::privacy {
namespace {

using namespace testing;

TEST(NormalTail, HoldsTheExactTail) {
  for (double s = -40.0; s < 40.0; s += 0.00137) {
    const NormalTail found = normal_tail(s);
    const Real exactly = tail(s);
    ASSERT_LE(found.low, exactly) << s;
    ASSERT_GE(found.high, exactly) << s;
    if (s < 37.0) {
      ASSERT_GE(found.low, exactly * (1 - 0x1p-36L)) << s;
      ASSERT_LE(found.high, exactly * (1 + 0x1p-36L)) << s;
      // The error itself is far within what the ends allow.
      ASSERT_NEAR(static_cast<double>((found.low + found.high) / (2 * exactly)), 1.0, 0x1p-39) << s;
    }
  }
}

}  // namespace
}  // namespace southwell::privacy
