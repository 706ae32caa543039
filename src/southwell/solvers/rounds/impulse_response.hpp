#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace southwell::solvers {

/// How far noise in each release of an averaged descent moves where it ends. Steps, momentum and
/// average are known, so in a direction of known curvature the end is a sum of what every release
/// had, each with a known factor: noise of a known size there has a known size at the end.
/// Post-processing of public numbers and of what steps and clips were.
class ImpulseResponse {
 public:
  /// One release as it was used, in units in which a coordinate has the curvature 1.
  struct Release {
    double step = 0.0;
    double noise_sd = 0.0;  ///< of the gradient
  };
  /// Along a direction, in the same units.
  struct Curvature {
    double loss = 1.0;
    double penalty = 0.0;  ///< of the quadratic part that a prox takes
  };

  ImpulseResponse() = default;
  /// Of the descent of sgd.hpp whose end is the mean of iterates from number `first` on.
  ImpulseResponse(std::vector<Release> releases, double momentum, std::size_t first)
      : releases_(std::move(releases)), momentum_(momentum), first_(first) {}

  struct Response {
    double variance = 0.0;  ///< of the end, from the noise of all releases
    double start = 1.0;     ///< what the end keeps of where it began
  };
  Response along(const Curvature& curvature) const;

 private:
  std::vector<Release> releases_;
  double momentum_ = 0.0;
  std::size_t first_ = 0;
};

}  // namespace southwell::solvers
