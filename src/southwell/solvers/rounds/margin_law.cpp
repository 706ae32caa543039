#include "southwell/solvers/rounds/margin_law.hpp"

#include <cmath>
#include <cstddef>
#include <initializer_list>

namespace southwell::solvers {
namespace {

double sigmoid(double m) { return 1.0 / (1.0 + std::exp(-m)); }

}  // namespace

double curvature_along(const Margins& margins) {
  constexpr std::size_t kNodes = 128;
  constexpr double kFar = 5.0;  // of z, in sds
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t k = 0; k < kNodes; ++k) {
    const double z = (static_cast<double>(k) + 0.5) * kFar / static_cast<double>(kNodes);
    const double density = std::exp(-0.5 * z * z);
    weights += density;
    for (const double side : {z, -z}) {
      const double p = sigmoid(margins.middle + margins.sd * side);
      sum += density * 2.0 * p * (1.0 - p) * z * z;
    }
  }
  return sum / weights;
}

}  // namespace southwell::solvers
