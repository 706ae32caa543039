#include "southwell/solvers/rounds/impulse_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace southwell::solvers {
namespace {

struct Descent {
  std::vector<ImpulseResponse::Release> releases;
  double momentum;
  std::size_t first;
  ImpulseResponse::Curvature curvature;

  /// The recursion itself, from `start` with this noise in its releases, on a parabola around 0.
  double end(double start, const std::vector<double>& noise) const {
    double w = start;
    double before = start;
    double mean = 0.0;
    for (std::size_t t = 0; t < releases.size(); ++t) {
      const double step = releases[t].step;
      const double from = w + momentum * (w - before);
      before = w;
      w = (from - step * (curvature.loss * before + noise[t])) / (1.0 + step * curvature.penalty);
      if (t >= first) mean += w / static_cast<double>(releases.size() - first);
    }
    return mean;
  }
};

std::vector<Descent> descents() {
  std::vector<Descent> out;
  for (const double momentum : {0.0, 0.7}) {
    for (const double loss : {0.0, 0.02, 0.6, 1.0}) {
      for (const double penalty : {0.0, 0.3}) {
        Descent each{.releases = {},
                     .momentum = momentum,
                     .first = 9,
                     .curvature = {.loss = loss, .penalty = penalty}};
        for (int t = 0; t < 30; ++t)
          each.releases.push_back({0.3 / (1.0 + 0.05 * t), 2.0 - 0.04 * t});
        out.push_back(each);
      }
    }
  }
  return out;
}

TEST(ImpulseResponse, IsThatOfTheRecursionToAnImpulseInEachRelease) {
  for (const Descent& each : descents()) {
    double variance = 0.0;
    for (std::size_t t = 0; t < each.releases.size(); ++t) {
      std::vector<double> noise(each.releases.size());
      noise[t] = each.releases[t].noise_sd;
      variance += std::pow(each.end(0.0, noise), 2);
    }
    const ImpulseResponse response(each.releases, each.momentum, each.first);
    const ImpulseResponse::Response found = response.along(each.curvature);
    EXPECT_NEAR(found.variance, variance, 1e-12 * variance);
    EXPECT_NEAR(found.start, each.end(1.0, std::vector<double>(each.releases.size())), 1e-12);
  }
}

TEST(ImpulseResponse, OfALongDescentIsTheMeanOfItsReleases) {
  const std::vector<ImpulseResponse::Release> releases(4000, {0.2, 3.0});
  const ImpulseResponse::Response found = ImpulseResponse(releases, 0.5, 2000).along({});
  EXPECT_NEAR(std::sqrt(found.variance), 3.0 / std::sqrt(2000.0), 0.01 * 3.0 / std::sqrt(2000.0));
  EXPECT_NEAR(found.start, 0.0, 1e-9);
}

TEST(ImpulseResponse, OfNoReleaseIsWhereItBegan) {
  EXPECT_EQ(ImpulseResponse().along({}).variance, 0.0);
  EXPECT_EQ(ImpulseResponse().along({}).start, 1.0);
}

}  // namespace
}  // namespace southwell::solvers
