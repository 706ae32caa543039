#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "southwell/problem/coordinates.hpp"
#include "southwell/solvers/rounds/impulse_response.hpp"
#include "southwell/solvers/rounds/shortening.hpp"
#include "southwell/solvers/rounds/whitening.hpp"

namespace southwell::solvers {

/// The noise that privacy leaves in coefficients, by post-processing. It depends on curvatures,
/// which a fit knows as far as it released them: noise that would be another were these what they
/// may well be, is not determined at this budget, and not stated.
struct PrivacyNoise {
  std::vector<std::size_t> coordinates{};  ///< of the fit: those that have noise
  std::vector<double> variance{};
  std::vector<double> covariance{};  ///< row after row; empty: each has noise of its own
  std::vector<char> is_determined{};

  /// Of a coordinate by its place here; not a number where it is not determined.
  double sd(std::size_t place) const;
  /// The same for these coordinates: those that have none have 0.
  PrivacyNoise at(const std::vector<std::size_t>& of) const;
};

/// Of a descent on coordinates of the fit, the noise where it began, and its response to noise.
struct NoisyDescent {
  const problem::Coordinates& all;
  const PrivacyNoise& start;
  const ImpulseResponse& response;
};

/// Which curvatures a descent may have met, as parts of the declared ones.
struct CurvatureRange {
  double least = 0.0;
  double most = 1.0;
};

/// Of where a descent ends along a coordinate whose curvature lies between these: none if it is not
/// about the same for both.
std::optional<double> steady_variance(const ImpulseResponse& response, double least, double most);

/// Where nobody released how coordinates go together: noise is stated where it is about the same
/// whatever that is. `growth` is how much more of it each has; empty: none.
PrivacyNoise noise_of_each(const NoisyDescent& descent, const CurvatureRange& range,
                           std::span<const double> growth = {});

/// How a loss is curved where a descent in mapped features ended, as parts of its largest
/// curvature: along the coefficients, and beside them. A squared loss is as curved everywhere.
struct MarginCurvature {
  std::vector<double> way{};  ///< mapped coefficients
  double along = 1.0;
  double beside = 1.0;
};

/// Of a descent in whitened features: in each of its directions the curvature is known, up to the
/// noise of the release.
PrivacyNoise noise_of_whitened(const NoisyDescent& descent, const Whitening& whitening,
                               const KeptWay& kept, const MarginCurvature& margins = {});

/// After an intercept, the last coordinate, has followed what features with these means (in units
/// of their coefficients) leave; without means its noise is not known.
void recenter(PrivacyNoise& noise, const ImpulseResponse& response, std::span<const double> means);

}  // namespace southwell::solvers
