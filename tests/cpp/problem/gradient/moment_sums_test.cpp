#include "southwell/problem/gradient/moment_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "southwell/privacy/mechanisms/discrete_release.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kValues{-kInfinity, -1e308, -1.0,  -0.0,      0.0,
                                  5e-324,     1.0,    1e308, kInfinity, std::nan("")};

using Record = std::vector<double>;

/// The sums of records with two features and an intercept, whose scales are 2 and 1/2, read with a
/// release whose noise is as good as none and is taken off again.
std::vector<std::int64_t> sums_of(const std::vector<Record>& records,
                                  const std::vector<std::string>& ids = {}, int threads = 1) {
  const std::size_t n = records.size();
  auto values = std::make_shared<double[]>(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    values.get()[i] = records[i][0];
    values.get()[n + i] = records[i][1];
  }
  const data::DenseDesign<double> design(std::shared_ptr<const double[]>(values), n, 2);
  const std::vector<double> target(n);
  std::optional<data::Units> units;
  if (!ids.empty()) {
    data::UnitCounter counter;
    for (const std::string& id : ids) id.empty() ? counter.add_missing() : counter.add(id);
    units = counter.take();
  }
  const RecordWeights weights(units, {}, HeadTarget(target, {}));
  const RecordFactors factors;
  const AnyLoss loss = Squared{};
  const Coordinates coordinates({.features = 2,
                                 .intercept = Intercept::free,
                                 .records = static_cast<double>(n),
                                 .feature_scale = {2.0, 0.5}});
  core::ThreadPool pool(threads);
  privacy::SeededRandomBits bits(1);
  const privacy::DiscreteGaussianRelease release(1, 1);
  const auto released =
      release.release(moment_sums(
                          GradientParts<data::DenseDesign<double>>{
                              design, target, {}, loss, coordinates, weights, factors, 1},
                          std::vector<std::size_t>{0, 1}, std::sqrt(3.0), pool),
                      release.draw(bits, 9));
  privacy::SeededRandomBits again(1);
  const auto noise =
      release.release(Sensitive(std::vector<std::int64_t>(9)), release.draw(again, 9));
  std::vector<std::int64_t> out(9);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = released[k] - noise[k];
  return out;
}

TEST(MomentSums, AreProductsOfClippedRecords) {
  // In units of the scales (1/2, 1), with the intercept a norm of 1.5 below sqrt(3): not clipped.
  const double unit = 1024.0 / std::sqrt(3.0);
  const std::vector<std::int64_t> u{std::llrint(0.5 * unit), std::llrint(unit), std::llrint(unit)};
  const std::vector<std::int64_t> sums = sums_of({{1.0, 0.5}});
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(sums[3 * a + b], u[a] * u[b]);
  }
  // Far beyond the norm: all of it, and no more, in the direction of the first feature.
  const std::vector<std::int64_t> clipped = sums_of({{1e30, 0.5}});
  EXPECT_LE(clipped[0], 1 << 20);
  EXPECT_GE(clipped[0], 1023 * 1023);
  EXPECT_EQ(clipped[4], 0);
}

std::uint64_t apart(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  double squares = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    squares += std::pow(static_cast<double>(a[k] - b[k]), 2);  // exact: below 2^53
  }
  return static_cast<std::uint64_t>(std::ceil(std::sqrt(squares)));
}

TEST(MomentSums, MoveNoFartherThanTheirSensitivity) {
  const std::vector<Record> base{{0.5, -1.0}, {3.0, 0.25}};
  std::vector<std::vector<std::int64_t>> of;
  for (const double a : kValues) {
    for (const double b : kValues) {
      std::vector<Record> records = base;
      records.push_back({a, b});
      of.push_back(sums_of(records));
      EXPECT_LE(apart(of.back(), sums_of(base)), kAddedMoments);
    }
  }
  for (const auto& here : of) {
    for (const auto& there : of) ASSERT_LE(apart(here, there), kReplacedMoments);
  }
}

TEST(MomentSums, OfUnitsMoveNoFartherThanThoseOfARecord) {
  const std::vector<std::vector<Record>> units{
      {{1e9, 1.0}}, {{1.0, 1e9}, {-1e9, 1.0}}, {{2.0, 0.5}, {1e9, 1e9}, {0.0, 1e9}}};
  std::vector<std::vector<std::int64_t>> of;
  for (const auto& unit : units) {
    std::vector<Record> records{{0.5, -1.0}, {1e9, 3.0}};
    std::vector<std::string> ids{"a", ""};  // and one of nobody
    for (const Record& record : unit) {
      records.push_back(record);
      ids.emplace_back("b");
    }
    of.push_back(sums_of(records, ids));
    EXPECT_LE(apart(of.back(), sums_of({{0.5, -1.0}}, {"a"})), kAddedMoments);
  }
  for (const auto& here : of) {
    for (const auto& there : of) EXPECT_LE(apart(here, there), kReplacedMoments);
  }
}

TEST(MomentSums, DoNotDependOnThreads) {
  std::vector<Record> records;
  for (int i = 0; i < 40'000; ++i) records.push_back({std::sin(i), 3.0 * std::cos(7.0 * i)});
  EXPECT_EQ(sums_of(records, {}, 1), sums_of(records, {}, 3));
}

}  // namespace
}  // namespace southwell::problem
