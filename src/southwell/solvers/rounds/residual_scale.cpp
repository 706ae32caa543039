#include "southwell/solvers/rounds/residual_scale.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/solvers/rounds/clip_law.hpp"

namespace southwell::solvers {
namespace {

/// By so many of its doubts the scale may exceed its start. At the start itself, one that was found
/// as a power of two is too small for good half of the time.
constexpr double kMostDoubts = 1.5;

}  // namespace

ResidualScale::ResidualScale(double start, double doubt)
    : log_(std::log(start)), variance_(doubt * doubt), largest_log_(log_ + kMostDoubts * doubt) {}

double ResidualScale::value() const { return std::exp(log_); }

void ResidualScale::observe(double room, double noise, double clip, std::size_t dims) {
  constexpr double kDrift = 0.005;  // residuals change from one release to the next
  constexpr double kAside = 0.05;
  constexpr double kMostDown = -1.0;
  constexpr double kMostUp = 0.3;  // a scale that is too large costs noise
  variance_ += kDrift;
  // The room falls as the logarithm of the scale rises.
  const double slope =
      (mean_room(clip * std::exp(-kAside), dims) - mean_room(clip * std::exp(kAside), dims)) /
      (2.0 * kAside);
  const double trust = variance_ * slope / (slope * slope * variance_ + noise * noise);
  const double surprise = room - mean_room(clip, dims);
  log_ += std::clamp(trust * surprise, kMostDown, kMostUp);
  variance_ *= noise * noise / (slope * slope * variance_ + noise * noise);
  log_ = std::clamp(log_, -230.0, largest_log_);  // as scales are accepted
}

}  // namespace southwell::solvers
