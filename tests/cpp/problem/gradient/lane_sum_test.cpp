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

constexpr std::size_t kRecords = 24;

TEST(LaneSum, HasTheSameBitsOnEveryInstructionSetAndForSkippedZeros) {
  for (std::size_t size = 0; size < 70; ++size) {
    std::vector<double> x(size * kRecords);
    std::vector<float> narrow(x.size());
    std::vector<double> w(size);
    std::vector<const double*> columns(size);
    std::vector<const float*> narrow_columns(size);
    for (std::size_t j = 0; j < size; ++j) {
      columns[j] = x.data() + j * kRecords;
      narrow_columns[j] = narrow.data() + j * kRecords;
      w[j] = std::cos(static_cast<double>(3 * j)) * 1e3;
    }
    for (std::size_t e = 0; e < x.size(); ++e) {
      narrow[e] = e % 3 == 1 ? 0.0f : static_cast<float>(std::sin(static_cast<double>(7 * e)));
      if (size == 40 && e == 9) narrow[e] = std::numeric_limits<float>::infinity();
      if (size == 41 && e == 401) narrow[e] = std::numeric_limits<float>::quiet_NaN();
      x[e] = static_cast<double>(narrow[e]);
    }
    const auto bits = [](double value) {
      return std::isnan(value) ? 1u : std::bit_cast<std::uint64_t>(value + 0.0);  // -0 is 0
    };
    test::for_each_instruction_set([&](const char* name) {
      std::vector<double> room(LaneSum::kLanes * kRecords);
      std::vector<double> dots(kRecords);
      std::vector<double> of_narrow(kRecords);
      LaneSum::dots(RecordBlock<double>{columns.data(), size, 8, 16}, w.data(), room.data(),
                    dots.data());
      LaneSum::dots(RecordBlock<float>{narrow_columns.data(), size, 8, 16}, w.data(), room.data(),
                    of_narrow.data());
      for (std::size_t k = 0; k < 16; ++k) {
        LaneSum stored;
        for (std::size_t j = 0; j < size; ++j) {
          if (columns[j][8 + k] != 0.0) stored.add(j, columns[j][8 + k] * w[j]);
        }
        ASSERT_EQ(bits(dots[k]), bits(stored.total())) << name << size;
        ASSERT_EQ(bits(of_narrow[k]), bits(stored.total())) << name << size;
      }
    });
  }
}

}  // namespace
}  // namespace southwell::problem
