#include "southwell/solvers/rounds/margin_correction.hpp"

#include <limits>

namespace southwell::solvers {

void MarginCorrection::settle(Along& along) {
  constexpr double kLongestStep = 8.0;
  constexpr double kLeast = std::numeric_limits<double>::min();
  const double all = along.curved + along.margin + std::fabs(along.slope) + std::fabs(along.middle);
  if (!(along.margin >= kLeast) || !(along.curved >= kLeast) || !std::isfinite(all)) return;
  const double flat = curvature_along({std::sqrt(along.margin), along.middle});
  const double curvature = flat * (along.curved - along.quadratic) + along.quadratic;
  along.newton = std::min(kLongestStep, along.curved / curvature);
  along.push = (along.newton - 1.0) * along.slope / along.curved;
}

}  // namespace southwell::solvers
