#include "southwell/solvers/margin_correction.hpp"

#include <algorithm>

namespace southwell::solvers {

void MarginCorrection::settle(Along& along) const {
  constexpr double kLongest = 8.0;
  // Of coefficients with noise in them, which are longer than the truth (docs/defaults.md).
  constexpr double kPutBack = 0.7;
  const double margin_sd = std::sqrt(along.margin);
  if (!(margin_sd > 0.0) || !std::isfinite(along.curved + along.slope)) return;
  along.missing = kPutBack * law_.missing(margin_sd) / (attenuation_ * margin_sd);
  const double curvature =
      curvature_along(margin_sd) * (along.curved - along.quadratic) + along.quadratic;
  along.newton = std::min(kLongest, along.curved / curvature);
  along.push = (along.newton - 1.0) * (along.slope + along.missing * along.margin) / along.curved;
}

}  // namespace southwell::solvers
