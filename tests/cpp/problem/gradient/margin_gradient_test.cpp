#include "southwell/problem/gradient/margin_gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/problem/losses/logistic.hpp"

namespace southwell::problem {
namespace {

data::DenseDesign<double> design_of(const std::vector<double>& values) {
  auto copy = std::make_shared<double[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  return {std::shared_ptr<const double[]>(copy), values.size(), 1};
}

/// Margins of two classes, one feature and an intercept.
struct Margins {
  std::vector<double> x;
  std::vector<double> y;  ///< 0 and 1
  std::vector<double> coef{1.5, 0.25};
  double own_part = 0.0;

  /// Mean gradients at a point, by a release with next to no noise.
  std::vector<double> at(const std::vector<double>& point) const {
    const data::DenseDesign<double> design = design_of(x);
    const AnyLoss loss = Logistic{};
    const std::vector<double> classes{0.0, 1.0};
    const RecordWeights weights;
    const RecordFactors factors;
    const auto records = static_cast<double>(x.size());
    const Coordinates coordinates(
        {.features = 1, .intercept = Intercept::free, .curvature = 0.25, .records = records});
    core::ThreadPool pool(2);
    MarginGradient<data::DenseDesign<double>> gradient(
        {design, y, classes, loss, coordinates, weights, factors, 1},
        {.coef = coef, .norm_units = {}, .own_part = own_part, .longest = 100.0, .clip = 50.0},
        pool);
    gradient.set_point(point);
    gradient.refresh_gradient();
    privacy::SeededRandomBits bits(1);
    privacy::DiscreteGaussianRelease release(1, 1);
    const std::vector<std::int64_t> released =
        release.release(gradient.gradient_sums(), release.draw(bits, gradient.released_size()));
    std::vector<double> out;
    for (std::size_t c = 0; c < released.size(); ++c) {
      out.push_back(gradient.gradient_unit(c, records) * static_cast<double>(released[c]));
    }
    return out;
  }

  /// The mean loss there, of margins in units of 2.
  double loss_at(double factor, double intercept) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double margin = factor * (coef[0] * x[i] / 2.0) + intercept;
      sum += Logistic{}.value(margin, y[i] == 1.0 ? 1.0 : -1.0);
    }
    return sum / static_cast<double>(x.size());
  }
};

TEST(MarginGradient, IsTheDerivativeOfTheLossAlongTheFactor) {
  const Margins margins{.x = {-2.0, -0.5, 0.3, 1.0, 2.5}, .y = {0.0, 1.0, 0.0, 1.0, 1.0}};
  constexpr double kStep = 1e-6;
  for (const double factor : {0.0, 1.0, 2.0, 5.0}) {
    const std::vector<double> found = margins.at({factor, -0.4});
    EXPECT_NEAR(found[0],
                (margins.loss_at(factor + kStep, -0.4) - margins.loss_at(factor - kStep, -0.4)) /
                    (2.0 * kStep),
                1e-3);
    EXPECT_NEAR(found[1],
                (margins.loss_at(factor, -0.4 + kStep) - margins.loss_at(factor, -0.4 - kStep)) /
                    (2.0 * kStep),
                1e-3);
  }
}

TEST(MarginGradient, TakesOutWhatARecordHasAddedToItsOwnMargin) {
  // One record of class 1 at margin 2: its slope is -1 / (1 + e^2.25), its squared norm 16/9.
  Margins margins{.x = {4.0 / 3.0}, .y = {1.0}};
  margins.own_part = 3.0;
  const double less = 2.0 - 3.0 * (16.0 / 9.0) / (1.0 + std::exp(2.25));
  const double slope = -1.0 / (1.0 + std::exp(less));
  EXPECT_NEAR(margins.at({2.0, 0.0})[0], slope * less / 2.0, 1e-3);
}

TEST(MarginGradient, IsZeroForARecordThatIsNoNumber) {
  const Margins margins{.x = {std::nan("")}, .y = {1.0}};
  for (const double each : margins.at({2.0, 0.0})) EXPECT_NEAR(each, 0.0, 1e-3);
}

}  // namespace
}  // namespace southwell::problem
