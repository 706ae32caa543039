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

double density(double z) { return std::exp(-0.5 * z * z); }

double sigmoid(double m) { return 1.0 / (1.0 + std::exp(-m)); }

}  // namespace

double curvature_along(const Margins& margins) {
  constexpr std::size_t kNodes = 128;
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t k = 0; k < kNodes; ++k) {
    const double z = node(k, kNodes);
    weights += density(z);
    for (const double side : {z, -z}) {
      const double p = sigmoid(margins.middle + margins.sd * side);
      sum += density(z) * 2.0 * p * (1.0 - p) * z * z;
    }
  }
  return sum / weights;
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

double SlopeLimitLaw::cut(std::size_t k, double slope) const {
  double sum = 0.0;
  for (const double norm : norms_[k]) {
    sum += std::min(1.0, 1.0 / norm) - std::min(1.0, limit_ / (norm * slope));
  }
  return sum / static_cast<double>(kNorms);
}

SlopeLimitLaw::Missing SlopeLimitLaw::missing(const Margins& margins, double longer) const {
  Missing out;
  double weights = 0.0;
  for (std::size_t k = 0; k < kMargins; ++k) {
    const double z = node(k, kMargins);
    const double weight = density(z);
    weights += weight;
    for (const double side : {z, -z}) {
      const double margin = margins.middle + margins.sd * side;
      const double slope = sigmoid(std::fabs(margin));  // of the unlikely label
      if (slope <= limit_) continue;
      const double unlikely = 1.0 - sigmoid(longer * std::fabs(margin));
      const double lost = 0.5 * weight * std::copysign(unlikely * slope * cut(k, slope), margin);
      out.along += side * lost;
      out.intercept += lost;
    }
  }
  out.along /= weights;
  out.intercept /= weights;
  return out;
}

}  // namespace southwell::solvers
