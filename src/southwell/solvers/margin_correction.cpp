#include "southwell/solvers/margin_correction.hpp"

#include <limits>

namespace southwell::solvers {

void MarginCorrection::settle(Along& along, double curvature) const {
  constexpr double kLongestStep = 8.0;
  constexpr double kLongestTruth = 2.0;
  constexpr double kPutBack =
      0.85;  // of what the law says: coefficients are longer for their noise
  constexpr double kLeast = std::numeric_limits<double>::min();
  const double all = along.curved + along.margin + std::fabs(along.slope) + along.penalty;
  if (!(along.margin >= kLeast) || !std::isfinite(all + along.middle)) return;
  const Margins margins{std::sqrt(along.margin), along.middle};
  const double flat = curvature_along(margins);
  // Coefficients are as much shorter than the truth as the penalty asks for, to first order.
  const double longer =
      std::min(kLongestTruth, 1.0 + along.penalty / (curvature * flat * along.margin));
  const SlopeLimitLaw::Missing missing = law_.missing(margins, longer);
  along.missing = kPutBack * missing.along / (attenuation_ * margins.sd);
  along.missing_intercept = kPutBack * missing.intercept / attenuation_;
  if (!(along.curved >= kLeast)) return;
  const double data = along.curved - along.quadratic;
  along.newton = std::min(kLongestStep, along.curved / (flat * data + along.quadratic));
  along.push =
      (along.newton - 1.0) * (along.slope + along.missing * data / curvature) / along.curved;
}

}  // namespace southwell::solvers
