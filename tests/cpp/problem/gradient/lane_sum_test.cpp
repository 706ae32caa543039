#include "southwell/problem/gradient/lane_sum.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/instruction_sets.hpp"

namespace southwell::problem {
namespace {

TEST(LaneSum, HasTheSameBitsOnEveryInstructionSetAndForSkippedZeros) {
  for (std::size_t size = 0; size < 70; ++size) {
    std::vector<double> x(size);
    std::vector<float> narrow(size);
    std::vector<double> w(size);
    for (std::size_t j = 0; j < size; ++j) {
      narrow[j] = j % 3 == 1 ? 0.0f : static_cast<float>(std::sin(static_cast<double>(7 * j)));
      if (size == 40 && j == 9) narrow[j] = std::numeric_limits<float>::infinity();
      if (size == 41 && j == 40) narrow[j] = std::numeric_limits<float>::quiet_NaN();
      x[j] = static_cast<double>(narrow[j]);
      w[j] = std::cos(static_cast<double>(3 * j)) * 1e3;
    }
    LaneSum stored;
    for (std::size_t j = 0; j < size; ++j) {
      if (x[j] != 0.0) stored.add(j, x[j] * w[j]);
    }
    const auto bits = [](double value) {
      return std::isnan(value) ? 1u : std::bit_cast<std::uint64_t>(value + 0.0);  // -0 is 0
    };
    test::for_each_instruction_set([&](const char* name) {
      EXPECT_EQ(bits(LaneSum::dot(x.data(), w.data(), size)), bits(stored.total())) << name << size;
      EXPECT_EQ(bits(LaneSum::dot(narrow.data(), w.data(), size)), bits(stored.total()))
          << name << size;
    });
  }
}

}  // namespace
}  // namespace southwell::problem
