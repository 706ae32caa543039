#include "southwell/assess/rank_figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "assess/assessed.hpp"
#include "southwell/assess/record_sums.hpp"

namespace southwell::assess {
namespace {

constexpr double kRecords = 1e6;

/// Records of each class by their margin, from a law that is known.
struct Law {
  std::vector<double> margins;
  std::vector<double> negative;
  std::vector<double> positive;
};

/// Normal margins around an intercept, and classes as the model says.
Law normal_law(double intercept, double deviation) {
  Law law;
  for (int k = -40'000; k <= 40'000; ++k) {
    const double x = 2e-4 * k;
    const double weight = 2e-4 * std::exp(-0.5 * x * x) / std::sqrt(2.0 * 3.141592653589793);
    const double margin = intercept + deviation * x;
    const double second = 1.0 / (1.0 + std::exp(-margin));
    law.margins.push_back(margin);
    law.negative.push_back(weight * (1.0 - second));
    law.positive.push_back(weight * second);
  }
  return law;
}

double exact_auc(const Law& law) {
  double below = 0.0;
  double wins = 0.0;
  double positives = 0.0;
  for (std::size_t k = 0; k < law.margins.size(); ++k) {
    wins += law.positive[k] * (below + 0.5 * law.negative[k]);
    below += law.negative[k];
    positives += law.positive[k];
  }
  return wins / (positives * below);
}

double exact_lift(const Law& law) {
  double left = 0.1;
  double found = 0.0;
  double positives = 0.0;
  for (std::size_t k = law.margins.size(); k-- > 0;) {
    const double own = law.positive[k] + law.negative[k];
    found += law.positive[k] * std::min(1.0, std::max(left, 0.0) / own);
    left -= own;
    positives += law.positive[k];
  }
  return found / positives / 0.1;
}

std::vector<std::int64_t> histogram_of(const Law& law, const MarginBins& bins) {
  std::vector<std::int64_t> cells(cells_of_bins(bins.size()));
  const auto shares = [](double weight) {
    return static_cast<std::int64_t>(std::rint(weight * kRecords * static_cast<double>(kShare)));
  };
  for (std::size_t k = 0; k < law.margins.size(); ++k) {
    const std::size_t bin = bins.of(law.margins[k]);
    cells[bin] += shares(law.negative[k]);
    cells[bins.size() + bin] += shares(law.positive[k]);
  }
  return cells;
}

// Pairs within a bin are counted as densities lean there: sixteen bins say what all records do.
TEST(RankFigures, AreThoseOfTheRecordsWhateverTheBins) {
  for (const auto& [intercept, deviation] :
       {std::pair{0.0, 2.0}, std::pair{-2.2, 1.2}, std::pair{-1.0, 0.3}}) {
    const Law law = normal_law(intercept, deviation);
    model::LinearModel model = small_model("logistic", {0.0, 1.0});
    model.heads[0].intercept = intercept;
    model.heads[0].coef[0].value = deviation;
    for (const std::size_t count : {16u, 32u, 64u}) {
      const MarginBins bins(model, count);
      const std::vector<std::int64_t> cells = histogram_of(law, bins);
      const NoisyCounts counts(cells, 1, kRecords);
      const TwoClasses of(bins, counts);
      EXPECT_NEAR(auc(of).value, exact_auc(law), 5e-4) << count;
      EXPECT_NEAR(lift(of).value, exact_lift(law), 0.01) << count;
      EXPECT_EQ(roc(of).true_positive_rate.size(), count + 1);
    }
  }
}

// What noise does to them is what is said: their spread over draws of noise is the stated one.
TEST(RankFigures, SayWhatNoiseDoesToThem) {
  const Law law = normal_law(-1.0, 1.5);
  model::LinearModel model = small_model("logistic", {0.0, 1.0});
  model.heads[0].intercept = -1.0;
  const MarginBins bins(model, 16);
  const std::vector<std::int64_t> cells = histogram_of(law, bins);
  constexpr double kNoise = 5000.0;  // of a count, in records
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0.0, kNoise);
  constexpr int kDraws = 2000;
  std::vector<double> squares(2);
  std::vector<double> stated(2);
  for (int k = 0; k < kDraws; ++k) {
    std::vector<std::int64_t> noisy = cells;
    for (std::int64_t& each : noisy) {
      each += static_cast<std::int64_t>(normal(random) * static_cast<double>(kShare));
    }
    const NoisyCounts counts(
        noisy, static_cast<std::uint64_t>(kNoise * static_cast<double>(kShare)), kRecords);
    const TwoClasses of(bins, counts);
    const Figure figures[] = {auc(of), lift(of)};
    const double exact[] = {exact_auc(law), exact_lift(law)};
    for (std::size_t j = 0; j < 2; ++j) {
      squares[j] += std::pow(figures[j].value - exact[j], 2) / kDraws;
      stated[j] += std::pow(figures[j].noise_sd, 2) / kDraws;
    }
  }
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(std::sqrt(squares[j] / stated[j]), 1.0, 0.1) << j;
  }
}

}  // namespace
}  // namespace southwell::assess
