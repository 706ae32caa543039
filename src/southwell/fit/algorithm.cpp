#include "southwell/fit/algorithm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "southwell/solvers/rounds/privacy_noise.hpp"

namespace southwell::fit {

void state_noise(Solved& solved, const solvers::PrivacyNoise& noise) {
  solved.noise_sd.assign(solved.coef.size(), 0.0);
  for (std::size_t k = 0; k < noise.coordinates.size(); ++k) {
    // A variance may be beyond all numbers where scales are far from 1.
    const double sd = noise.sd(k);
    solved.noise_sd[noise.coordinates[k]] =
        std::isfinite(sd) ? sd : std::numeric_limits<double>::quiet_NaN();
  }
  const bool is_finite = std::all_of(noise.covariance.begin(), noise.covariance.end(),
                                     [](double each) { return std::isfinite(each); });
  if (!is_finite) return;
  solved.noisy = noise.coordinates;
  solved.covariance = noise.covariance;
}

Solved solved_along(std::vector<double> coef, std::vector<solvers::PathStep> path) {
  std::vector<double> noise(coef.size());
  for (const solvers::PathStep& each : path) {
    noise[each.coordinate] = std::numeric_limits<double>::quiet_NaN();
  }
  return {std::move(coef), std::move(path), std::move(noise)};
}

void end_path(Solved& solved) {
  std::vector<bool> is_settled(solved.coef.size());
  for (auto step = solved.path.rbegin(); step != solved.path.rend(); ++step) {
    if (is_settled[step->coordinate]) continue;
    step->value = solved.coef[step->coordinate];
    is_settled[step->coordinate] = true;
  }
}

}  // namespace southwell::fit
