#include "southwell/solvers/rounds/feature_moments.hpp"

#include <algorithm>
#include <cmath>

namespace southwell::solvers {
namespace {

// What the clip leaves of the squares of normal features: E z_1^2 min(1, sqrt(k) / |z^2|), from .52
// for one feature to 1 / sqrt 3 for many.
constexpr double kLeft = 0.55;
constexpr double kDoubts = 2.0;
constexpr double kLeast = 0.03;  // of a second moment: a scale of .17

}  // namespace

void FeatureMoments::observe(std::span<const std::size_t> features,
                             std::span<const double> mean_squares, double noise) {
  const double doubt = std::max(noise, 1e-12) / kLeft;
  for (std::size_t k = 0; k < features.size(); ++k) {
    Known& known = known_[features[k]];
    const double trust = known.variance / (known.variance + doubt * doubt);
    // Far outside what a mean square can be, noise alone speaks.
    const double seen = std::clamp(mean_squares[k] / kLeft, -1e6, 1e6);
    known.mean += trust * (seen - known.mean);
    known.variance *= 1.0 - trust;
  }
}

double FeatureMoments::scale(std::size_t feature) const {
  const auto found = known_.find(feature);
  if (found == known_.end()) return 1.0;
  const Known& known = found->second;
  const double least = std::min(1.0, std::max(kLeast, std::sqrt(known.variance)));
  // More than was declared is believed as far as it is beyond doubt.
  const double most = std::max(1.0, known.mean - kDoubts * std::sqrt(known.variance));
  return std::sqrt(std::clamp(known.mean, least, most));
}

}  // namespace southwell::solvers
