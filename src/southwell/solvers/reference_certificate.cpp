#include "southwell/solvers/reference_certificate.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <vector>

#include "southwell/problem/sum.hpp"

namespace southwell::solvers {

using problem::AnyPenalty;
using problem::Box;
using problem::Interval;

Certificate::Certificate(const AnyPenalty& penalty, double reach) : penalty_(penalty) {
  const Interval domain = std::visit([](const auto& p) { return p.dual_domain(); }, penalty);
  if (domain.lo < 0.0 && domain.hi > 0.0) return;
  const auto* box = std::get_if<Box>(&penalty);
  penalty_ =
      box ? Box(std::max(box->lower(), -reach), std::min(box->upper(), reach)) : Box(-reach, reach);
  std::ostringstream name;
  name << "duality gap within |coef| <= " << reach;
  name_ = name.str();
}

double Certificate::lower_bound(const problem::AnyLoss& loss, std::span<const double> slopes,
                                std::span<const double> target,
                                std::span<const double> gradient) const {
  return std::visit(
      [&](const auto& penalty) {
        const auto bound = [&](double scale) {
          std::vector<double> scaled(slopes.begin(), slopes.end());
          for (double& u : scaled) u *= scale;
          return -problem::mean_conjugate(loss, scaled, target) -
                 problem::sum(gradient.size(), [&](std::size_t j) {
                   return penalty.conjugate(-scale * gradient[j]);
                 });
        };
        const Interval domain = penalty.dual_domain();
        double scale = 1.0;
        for (const double g : gradient) {
          if (-g > domain.hi) scale = std::min(scale, domain.hi / -g);
          if (-g < domain.lo) scale = std::min(scale, domain.lo / -g);
        }
        // Two roundings away from the edge, where psi* would jump to infinity.
        if (scale < 1.0) scale *= 1.0 - 0x1p-51;
        return std::max(bound(scale), bound(0.0));
      },
      penalty_);
}

void balance(std::span<double> slopes) {
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
