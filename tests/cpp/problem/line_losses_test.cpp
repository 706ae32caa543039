#include "southwell/problem/line_losses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"

namespace southwell::problem {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kBound = ProductClip::kBound;

data::DenseDesign<double> design_of(const std::vector<double>& values) {
  auto copy = std::make_shared<double[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  return {std::shared_ptr<const double[]>(copy), values.size(), 1};
}

/// The scores of a regression with one feature and an intercept.
struct Line {
  std::vector<double> x;
  std::vector<double> y;
  RecordWeights weights{};
  RecordFactors factors{};
  std::vector<double> from{0.0, 0.0};
  std::vector<double> to{2.0, 1.0};
  std::vector<double> shares{1.0, 0.5, 0.0};
  std::vector<std::int64_t> head_start{0, 0, 0};
  int threads = 1;

  Sensitive<std::vector<std::int64_t>> scores(double cap) const {
    const data::DenseDesign<double> design = design_of(x);
    const AnyLoss loss = Squared{};
    const Coordinates coordinates(
        {.features = 1, .intercept = Intercept::free, .records = static_cast<double>(x.size())});
    core::ThreadPool pool(threads);
    return line_scores<data::DenseDesign<double>>(
        {design, y, {}, loss, coordinates, weights, factors, 1},
        {.from = from, .to = to, .shares = shares, .head_start = head_start}, cap, pool);
  }
};

/// A mechanism with hardly any noise tells which score is the largest, and by a head start by how
/// much.
std::size_t best(const Line& line, double cap) {
  privacy::SeededRandomBits bits(3);
  return privacy::ExponentialMechanism(1, 1).release(line.scores(cap), bits);
}

/// The score of model m minus that of model 0, found by bisection over head starts.
std::int64_t score_against_first(Line line, std::size_t m, double cap) {
  std::int64_t low = -4 * kBound * static_cast<std::int64_t>(line.x.size());
  std::int64_t high = -low;
  line.head_start.assign(line.shares.size(), -kBound * kBound);
  line.head_start[m] = 0;
  while (high - low > 1) {  // the least head start of the first with which it wins
    const std::int64_t middle = low + (high - low) / 2;
    line.head_start[0] = middle - 100;  // a tie is decided by 100 scales
    (best(line, cap) == 0 ? high : low) = middle;
  }
  return high;
}

TEST(LineScores, AreMinusTheClippedLossesOfTheModels) {
  // Margins 2 x + 1, x + 1/2 and 0, targets 1, -1 and 3: residuals 0, 6, 2; -1/2, 4, -3/4; -1, 1,
  // -3.
  const Line line{.x = {0.0, 2.0, 2.0}, .y = {1.0, -1.0, 3.0}};
  const auto sum = [](std::vector<double> residuals, double cap) {
    std::int64_t out = 0;
    for (const double r : residuals) {
      out += std::llround(std::fmin(0.5 * r * r / cap, 1.0) * static_cast<double>(kBound));
    }
    return out;
  };
  for (const double cap : {1.0, 5.0, 100.0}) {
    const std::int64_t first = sum({0.0, 6.0, 2.0}, cap);
    EXPECT_NEAR(static_cast<double>(score_against_first(line, 1, cap)),
                static_cast<double>(first - sum({-0.5, 3.5, -0.5}, cap)), 200.0);
    EXPECT_NEAR(static_cast<double>(score_against_first(line, 2, cap)),
                static_cast<double>(first - sum({-1.0, 1.0, -3.0}, cap)), 200.0);
  }
}

TEST(LineScores, CountARecordWithoutALossAsTheWorst) {
  // At the start the record's margin does not know its feature, so that it has a loss there.
  const Line line{.x = {kNan}, .y = {0.0}};
  EXPECT_NEAR(static_cast<double>(score_against_first(line, 2, 1.0)), static_cast<double>(kBound),
              200.0);
  const Line of_nothing{.x = {1.0}, .y = {kNan}};
  EXPECT_NEAR(static_cast<double>(score_against_first(of_nothing, 2, 1.0)), 0.0, 200.0);
}

TEST(LineScores, WeighTheRecordsOfUnits) {
  data::UnitCounter counter;
  for (const char* const id : {"a", "b", "b"}) counter.add(id);
  const std::optional<data::Units> units = counter.take();
  const std::vector<double> y{1.0, 0.0, 0.0};
  Line line{.x = {0.0, 1.0, 1.0}, .y = y};
  line.weights = RecordWeights(units, {}, HeadTarget(y, {}));
  // Both records of b cost the cap in the first model, together no more than one record.
  EXPECT_NEAR(static_cast<double>(score_against_first(line, 2, 1.0)),
              static_cast<double>(kBound - kBound / 2), 200.0);
}

TEST(LineScores, DoNotDependOnStorageOrThreads) {
  Line line;
  for (int i = 0; i < 40'000; ++i) {
    line.x.push_back(std::sin(i));
    line.y.push_back(std::cos(3.0 * i));
  }
  const std::int64_t alone = score_against_first(line, 1, 1.0);
  line.threads = 3;
  EXPECT_EQ(score_against_first(line, 1, 1.0), alone);
}

}  // namespace
}  // namespace southwell::problem
