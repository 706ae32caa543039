#include "lab/softmax_optimum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::lab {
namespace {

std::vector<fit::Record> records_of(std::size_t n, std::size_t features) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<fit::Record> out(n, fit::Record(features + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < features; ++j) out[i][j] = j % 3 == i % 3 ? 0.0 : normal(random);
    const double noisy = out[i][0] + 0.5 * out[i][1] + normal(random);
    out[i].back() = noisy > 0.6 ? 2.0 : noisy > -0.6 ? 1.0 : 0.0;
  }
  return out;
}

/// The objective written out.
double value_of(const std::vector<fit::Record>& records, const std::vector<double>& w,
                std::size_t features, double alpha) {
  double loss = 0.0;
  for (const fit::Record& record : records) {
    std::vector<double> margins(3);
    for (std::size_t h = 0; h < 3; ++h) {
      const double* const own = w.data() + h * (features + 1);
      margins[h] = own[features];
      for (std::size_t j = 0; j < features; ++j) margins[h] += own[j] * record[j];
    }
    loss += problem::softmax_value(margins, static_cast<std::size_t>(record[features]));
  }
  double squares = 0.0;
  for (std::size_t c = 0; c < w.size(); ++c) {
    if (c % (features + 1) != features) squares += w[c] * w[c];
  }
  return loss / static_cast<double>(records.size()) + 0.5 * alpha * squares;
}

TEST(SoftmaxOptimum, IsReachedWithItsGapAndNothingNearItIsBetter) {
  const std::size_t features = 5;
  const std::vector<fit::Record> records = records_of(200, features);
  core::ThreadPool pool(2);
  for (const fit::Stored stored : {fit::Stored::f64, fit::Stored::sparse}) {
    const data::Dataset dataset = fit::dataset_of(records, features, stored);
    const solvers::Optimum found =
        softmax_optimum(dataset, {.classes = {0.0, 1.0, 2.0}, .alpha = 0.01}, pool);
    EXPECT_TRUE(found.reached) << found.ended << " " << found.gap;
    EXPECT_NEAR(found.objective_at_zero, std::log(3.0), 1e-12);
    EXPECT_NEAR(value_of(records, found.at.coef, features, 0.01), found.objective, 1e-12);
    for (std::size_t c = 0; c < found.at.coef.size(); ++c) {
      for (const double move : {-1e-3, 1e-3}) {
        std::vector<double> other = found.at.coef;
        other[c] += move;
        EXPECT_GT(value_of(records, other, features, 0.01), found.objective);
      }
    }
  }
}

TEST(SoftmaxOptimum, SaysWhereItWasNotReached) {
  const data::Dataset dataset = fit::dataset_of(records_of(50, 3), 3, fit::Stored::f64);
  core::ThreadPool pool(1);
  const solvers::Optimum found =
      softmax_optimum(dataset, {.classes = {0.0, 1.0, 2.0}, .alpha = 0.01, .passes = 3}, pool);
  EXPECT_FALSE(found.reached);
  EXPECT_GT(found.gap, 1e-10);
}

}  // namespace
}  // namespace southwell::lab
