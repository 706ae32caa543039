#include "southwell/solvers/reference/reference_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <type_traits>
#include <vector>

#include "southwell/problem/gradient/sum.hpp"

namespace southwell::solvers {

using problem::AnyPenalty;
using problem::Box;
using problem::Interval;

Certificate::Certificate(const AnyPenalty& penalty, double reach, std::span<const Shape> shapes)
    : penalty_(penalty), reach_(reach), shapes_(shapes) {
  const Interval domain = std::visit([](const auto& p) { return p.dual_domain(); }, penalty);
  if (domain.lo < 0.0 && domain.hi > 0.0) return;
  bounded_ = true;
  std::ostringstream name;
  name << "duality gap within |coef| <= " << reach;
  const double first = shapes.front().scale;
  const bool one_unit =
      std::all_of(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.scale == first; });
  if (!one_unit || first != 1.0) name << " / column scale";
  name_ = name.str();
}

template <class P>
double Certificate::conjugate(const P& penalty, std::size_t j, double slope) const {
  if (!bounded_) return penalty.conjugate(slope);
  const double reach = reach_ / shapes_[j].scale;
  if constexpr (std::is_same_v<P, Box>) {
    return Box(std::max(penalty.lower(), -reach), std::min(penalty.upper(), reach))
        .conjugate(slope);
  } else {
    return Box(-reach, reach).conjugate(slope);
  }
}

double Certificate::lower_bound(const problem::AnyLoss& loss, std::span<const double> slopes,
                                std::span<const double> target,
                                std::span<const double> gradient) const {
  return std::visit(
      [&](const auto& penalty) {
        const auto raw = [&](std::size_t j) { return gradient[j] * shapes_[j].scale; };
        const auto bound = [&](double scale) {
          return -problem::mean_conjugate(loss, slopes, target, scale) -
                 problem::sum(gradient.size(), [&](std::size_t j) {
                   return conjugate(penalty, j, -scale * raw(j));
                 });
        };
        const Interval domain = penalty.dual_domain();
        double scale = 1.0;
        for (std::size_t j = 0; j < gradient.size() && !bounded_; ++j) {
          const double g = raw(j);
          if (-g > domain.hi) scale = std::min(scale, domain.hi / -g);
          if (-g < domain.lo) scale = std::min(scale, domain.lo / -g);
        }
        // Two roundings away from the edge, where psi* would jump to infinity.
        if (scale < 1.0) scale *= 1.0 - 0x1p-51;
        const double best = bound(scale);
        return best > 0.0 ? best : std::max(best, bound(0.0));
      },
      penalty_);
}

void balance(const problem::AnyLoss& loss, std::span<const double> curvatures,
             std::span<const double> target, std::span<double> slopes) {
  const auto total = [](std::span<const double> of) {
    return problem::sum(of.size(), [&](std::size_t i) { return of[i]; });
  };
  const double bend = total(curvatures);
  if (bend > 0.0) {
    std::vector<double> moved(slopes.begin(), slopes.end());
    const double by = total(slopes) / bend;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= by * curvatures[i];
    if (std::isfinite(problem::mean_conjugate(loss, moved, target))) {
      std::copy(moved.begin(), moved.end(), slopes.begin());
      return;
    }
  }
  const double up =
      problem::sum(slopes.size(), [&](std::size_t i) { return std::max(slopes[i], 0.0); });
  const double down =
      problem::sum(slopes.size(), [&](std::size_t i) { return std::max(-slopes[i], 0.0); });
  for (double& u : slopes) {
    if (u > 0.0 && up > down) u *= down / up;
    if (u < 0.0 && down > up) u *= up / down;
  }
}

}  // namespace southwell::solvers
