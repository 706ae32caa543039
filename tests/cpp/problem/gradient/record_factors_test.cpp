#include "southwell/problem/gradient/record_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/problem/support.hpp"

namespace southwell::problem {
namespace {

using fit::Record;
using fit::Stored;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

std::vector<double> factors_of(const std::vector<Record>& records, const RecordLimit& limit,
                               Stored stored, int threads = 1) {
  const std::size_t features = records.front().size() - 1;
  const data::Dataset dataset = fit::dataset_of(records, features, stored);
  core::ThreadPool pool(threads);
  return std::visit(
      [&](const auto& design) {
        const RecordFactors factors(design, limit, pool);
        std::vector<double> out;
        for (std::size_t i = 0; i < records.size(); ++i) out.push_back(factors.of(i));
        return out;
      },
      dataset.design);
}

TEST(RecordFactors, ShortenWhatIsLongerThanTheLimit) {
  const std::vector<Record> records{{3.0, 4.0, 0.0}, {0.6, 0.8, 0.0}, {0.0, 0.0, 0.0}};
  EXPECT_EQ(factors_of(records, {.norm = 2.5}, Stored::f64), (std::vector<double>{0.5, 1.0, 1.0}));
  EXPECT_EQ(factors_of(records, {.norm = 2.5, .units = {0.5}}, Stored::f64),
            (std::vector<double>{0.25, 1.0, 1.0}));
  EXPECT_EQ(factors_of(records, {.norm = 0.75, .units = {2.0, 1e300}}, Stored::f64)[0], 0.5);
  const RecordFactors none;
  EXPECT_TRUE(none.are_all_one());
  EXPECT_EQ(none.of(7), 1.0);
}

TEST(RecordFactors, PassOverWhatIsNoNumberAndTakeNothingFromARecordBeyondAll) {
  const std::vector<Record> records{
      {kNaN, 4.0, 0.0}, {kInfinity, 1.0, 0.0}, {1e200, 0.0, 0.0}, {-kInfinity, kNaN, 0.0}};
  for (const Stored stored : {Stored::f64, Stored::sparse}) {
    EXPECT_EQ(factors_of(records, {.norm = 2.0}, stored),
              (std::vector<double>{0.5, 0.0, 0.0, 0.0}));
  }
  const data::Dataset dataset = fit::dataset_of(records, 2, Stored::f64);
  core::ThreadPool pool(1);
  std::visit(
      [&](const auto& design) {
        const RecordFactors factors(design, {.norm = 2.0}, pool);
        EXPECT_EQ(factors.limited(1, kInfinity), 0.0);
        EXPECT_EQ(factors.limited(3, kNaN), 0.0);
        EXPECT_TRUE(std::isnan(factors.limited(0, kNaN)));
        const std::vector<std::size_t> chosen{0};
        const auto columns = columns_of(design, chosen, factors);
        EXPECT_EQ(columns.block({0, 1}).column(0).values()[1], 0.0);
      },
      dataset.design);
}

TEST(RecordFactors, HaveTheSameBitsForEveryStorageAndThread) {
  std::vector<Record> records(9000, Record(24));
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t j = 0; j < 23; ++j) {
      records[i][j] = (i + j) % 3 == 0
                          ? 0.0
                          : static_cast<float>(std::sin(1.7 * static_cast<double>(i * 23 + j)));
    }
  }
  const RecordLimit limit{.norm = 1.0, .units = std::vector<double>(23, 0.3)};
  const std::vector<double> expected = factors_of(records, limit, Stored::f64);
  for (const Stored stored : {Stored::f64, Stored::f32, Stored::sparse}) {
    for (const int threads : {1, 2, 7}) {
      EXPECT_EQ(factors_of(records, limit, stored, threads), expected);
    }
  }
}

}  // namespace
}  // namespace southwell::problem
