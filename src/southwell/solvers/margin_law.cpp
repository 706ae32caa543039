#include "southwell/solvers/margin_law.hpp"

#include <algorithm>
#include <cmath>

namespace southwell::solvers {
namespace {

constexpr double kFar = 5.0;  // of z, in sds

/// The middle of interval k of so many up to kFar.
double node(std::size_t k, std::size_t nodes) {
  return (static_cast<double>(k) + 0.5) * kFar / static_cast<double>(nodes);
}

/// E f(k, |z|) over the nodes |z|, z standard normal.
template <class F>
double over_margins(std::size_t nodes, const F& f) {
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t k = 0; k < nodes; ++k) {
    const double z = node(k, nodes);
    const double weight = std::exp(-0.5 * z * z);
    sum += weight * f(k, z);
    weights += weight;
  }
  return sum / weights;
}

double sigmoid(double m) { return 1.0 / (1.0 + std::exp(-m)); }

}  // namespace

double curvature_along(double margin_sd) {
  return over_margins(128, [&](std::size_t, double z) {
    const double p = sigmoid(margin_sd * z);
    return 4.0 * p * (1.0 - p) * z * z;
  });
}

SlopeLimitLaw::SlopeLimitLaw(double limit, double clip, std::size_t dims) : limit_(limit) {
  // Quantiles of a chi-squared variable with dims - 1 degrees by those of a normal one (Wilson and
  // Hilferty).
  constexpr std::array<double, kNorms> kQuantiles{-1.534, -0.887, -0.489, -0.157,
                                                  0.157,  0.489,  0.887,  1.534};
  const auto all = static_cast<double>(dims);
  const double degrees = all - 1.0;
  for (std::size_t k = 0; k < kMargins; ++k) {
    const double z = node(k, kMargins);
    for (std::size_t t = 0; t < kNorms; ++t) {
      double others = 0.0;
      if (degrees > 0.0) {
        const double width = 2.0 / (9.0 * degrees);
        others =
            degrees * std::pow(std::max(0.0, 1.0 - width + kQuantiles[t] * std::sqrt(width)), 3);
      }
      norms_[k][t] = std::sqrt((z * z + others) / all) / clip;
    }
  }
}

double SlopeLimitLaw::missing(double margin_sd) const {
  return over_margins(kMargins, [&](std::size_t k, double z) {
    const double p = sigmoid(margin_sd * z);
    if (p <= limit_) return 0.0;
    double cut = 0.0;
    for (const double norm : norms_[k]) {
      cut += std::min(1.0, 1.0 / norm) - std::min(1.0, limit_ / (norm * p));
    }
    return z * p * (1.0 - p) * cut / static_cast<double>(kNorms);
  });
}

}  // namespace southwell::solvers
