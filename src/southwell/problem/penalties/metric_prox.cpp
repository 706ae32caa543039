#include "southwell/problem/penalties/metric_prox.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/problem/penalties/coordinate_prox.hpp"

namespace southwell::problem {

std::vector<double> metric_prox(const AnyPenalty& penalty, const Coordinates& coordinates,
                                std::span<const double> metric, std::vector<double> at,
                                double step) {
  constexpr int kMostSweeps = 200;
  constexpr double kClose = 1e-10;  // of the largest coefficient
  const std::size_t size = at.size();
  std::vector<double> w = at;
  std::vector<double> slopes(size);  // Q (w - at)
  const auto move = [&](std::size_t j, double to) {
    const double change = to - w[j];
    w[j] = to;
    for (std::size_t k = 0; k < size; ++k) slopes[k] += metric[j * size + k] * change;
    return std::fabs(change);
  };
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0.0;
    double largest = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      const double curvature = metric[j * size + j] / step;
      const double whole = curvature + coordinates.l2(j);
      const double free = (curvature * w[j] - slopes[j] / step) / whole;
      moved = std::max(moved, move(j, coordinate_prox(penalty, coordinates, j, free, 1.0 / whole)));
      largest = std::max(largest, std::fabs(w[j]));
    }
    if (!(moved > kClose * largest)) break;
  }
  return w;
}

}  // namespace southwell::problem
