#include "southwell/problem/penalties/metric_prox.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "southwell/problem/objective_spec.hpp"

namespace southwell::problem {
namespace {

const std::vector<double> kMetric{2.0, 0.9, 0.3, 0.9, 1.0, -0.2, 0.3, -0.2, 0.5};

double objective(const AnyPenalty& penalty, const Coordinates& coordinates,
                 const std::vector<double>& w, const std::vector<double>& at, double step) {
  double sum = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      sum += kMetric[3 * a + b] * (w[a] - at[a]) * (w[b] - at[b]) / (2.0 * step);
    }
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if (coordinates.is_intercept(c)) continue;
    if (w[c] < kinked_part(penalty).box.lo || w[c] > kinked_part(penalty).box.hi) {
      return std::numeric_limits<double>::infinity();
    }
    sum += kinked_part(penalty).l1 * std::fabs(w[c]) + 0.5 * coordinates.l2(c) * w[c] * w[c];
  }
  return sum;
}

TEST(MetricProx, IsNowhereBeatenNearby) {
  for (const char* const name : {"l1", "l2", "elastic_net", "box"}) {
    ObjectiveSpec spec;
    spec.loss = "squared";
    spec.penalty = name;
    if (spec.penalty != "box") spec.alpha = 0.4;
    if (spec.penalty == "elastic_net") spec.l1_ratio = 0.5;
    if (spec.penalty == "box") {
      spec.lower = -0.5;
      spec.upper = 0.25;
    }
    const AnyPenalty penalty = penalty_of(spec);
    const Coordinates coordinates(
        {.features = 2, .intercept = Intercept::free, .l2 = curvature(penalty)});
    const std::vector<double> at{1.0, -0.7, 0.3};
    for (const double step : {0.2, 1.0, 5.0}) {
      const std::vector<double> best = metric_prox(penalty, coordinates, kMetric, at, step);
      const double least = objective(penalty, coordinates, best, at, step);
      ASSERT_TRUE(std::isfinite(least)) << name;
      for (std::size_t c = 0; c < 3; ++c) {
        for (const double change : {-0.1, -1e-3, 1e-3, 0.1}) {
          std::vector<double> other = best;
          other[c] += change;
          EXPECT_GE(objective(penalty, coordinates, other, at, step), least - 1e-9) << name;
        }
      }
    }
  }
}

TEST(MetricProx, IsWhereItIsWithoutAPenalty) {
  const Coordinates coordinates({.features = 2, .intercept = Intercept::free});
  const std::vector<double> at{1.0, -0.7, 0.3};
  EXPECT_EQ(metric_prox(None{}, coordinates, kMetric, at, 0.7), at);
}

}  // namespace
}  // namespace southwell::problem
