#include "southwell/solvers/rounds/margin_law.hpp"

#include <cmath>
#include <cstddef>
#include <initializer_list>

namespace southwell::solvers {
namespace {

double sigmoid(double m) { return 1.0 / (1.0 + std::exp(-m)); }

/// The mean over a standard normal z of weigh(density of z, margin, |z|, sigmoid of the margin).
template <class Weigh>
double over_margins(const Margins& margins, const Weigh& weigh) {
  constexpr std::size_t kNodes = 128;
  constexpr double kFar = 5.0;  // of z, in sds
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t k = 0; k < kNodes; ++k) {
    const double z = (static_cast<double>(k) + 0.5) * kFar / static_cast<double>(kNodes);
    const double density = std::exp(-0.5 * z * z);
    weights += density;
    for (const double side : {z, -z}) {
      const double margin = margins.middle + margins.sd * side;
      sum += weigh(density, margin, z, sigmoid(margin));
    }
  }
  return sum / weights;
}

}  // namespace

double curvature_along(const Margins& margins) {
  return over_margins(margins, [](double density, double, double z, double p) {
    return density * 2.0 * p * (1.0 - p) * z * z;
  });
}

double curvature_of_length(const Margins& margins) {
  const double square = margins.sd * margins.sd + margins.middle * margins.middle;
  if (!(square > 0.0)) return 1.0;
  return over_margins(margins,
                      [](double density, double margin, double, double p) {
                        return density * 2.0 * p * (1.0 - p) * margin * margin;
                      }) /
         square;
}

double curvature_beside(const Margins& margins) {
  return over_margins(margins, [](double density, double, double, double p) {
    return density * 2.0 * p * (1.0 - p);
  });
}

}  // namespace southwell::solvers
