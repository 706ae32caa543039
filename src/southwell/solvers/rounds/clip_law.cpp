#include "southwell/solvers/rounds/clip_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace southwell::solvers {
namespace {

/// E f(|z|), z standard normal.
template <class F>
double over_normal(const F& f) {
  constexpr int kNodes = 160;
  constexpr double kFar = 5.0;
  double sum = 0.0;
  double weights = 0.0;
  for (int k = 0; k < kNodes; ++k) {
    const double z = (k + 0.5) * kFar / kNodes;
    const double weight = std::exp(-0.5 * z * z);
    sum += weight * f(z);
    weights += weight;
  }
  return sum / weights;
}

/// E f(u), u the root of a chi-squared variable of this many degrees.
template <class F>
double over_chi(double degrees, const F& f) {
  constexpr int kNodes = 32;
  constexpr double kFar = 3.0;  // the sd of u is at most .72
  const double middle = std::sqrt(std::max(degrees - 0.5, 0.0));
  const double from = std::max(0.0, middle - kFar);
  const double width = (middle + kFar - from) / kNodes;
  double sum = 0.0;
  double weights = 0.0;
  for (int k = 0; k < kNodes; ++k) {
    const double u = from + (k + 0.5) * width;
    const double weight = std::exp((degrees - 1.0) * std::log(u / std::max(middle, 1.0)) -
                                   0.5 * (u * u - middle * middle));
    sum += weight * f(u);
    weights += weight;
  }
  return sum / weights;
}

/// E min(z^2, clip^2).
double clipped_square(double clip) {
  const double density = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;     // of |z| at 0
  if (clip < 1e-3) return clip * clip * (1.0 - 2.0 / 3.0 * density * clip);  // no differences
  const double beyond = std::erfc(clip / std::numbers::sqrt2);
  return 1.0 - beyond - clip * density * std::exp(-0.5 * clip * clip) + clip * clip * beyond;
}

}  // namespace

double product_attenuation(double clip, double widest) {
  return over_normal([&](double x) {
    const double least = std::min(clip / (x * std::numbers::sqrt2), widest / std::numbers::sqrt2);
    return x * x * std::erf(least);
  });
}

double product_sd(double clip, double widest) {
  return std::sqrt(
      over_normal([&](double x) { return x * x * clipped_square(std::min(clip / x, widest)); }));
}

double feature_sd(double clip) { return std::sqrt(clipped_square(clip)); }

double label_pull(double clip, double strength) {
  return over_normal([&](double z) { return std::min(z, clip) * std::tanh(strength * z); });
}

double norm_attenuation(double clip, std::size_t dims) {
  const auto k = static_cast<double>(dims);
  return over_chi(
      k + 2.0, [&](double u) { return std::erf(clip * std::sqrt(k) / (u * std::numbers::sqrt2)); });
}

double feature_attenuation(double clip, std::size_t dims) {
  const auto k = static_cast<double>(dims);
  return over_chi(k + 2.0, [&](double u) { return std::min(1.0, clip * std::sqrt(k) / u); });
}

double mean_room(double clip, std::size_t dims) {
  const auto k = static_cast<double>(dims);
  return over_chi(k, [&](double u) {
    const double unit = u / (clip * std::sqrt(k));
    return over_normal([&](double r) {
      const double part = unit * r;
      return part < 1.0 ? std::sqrt(1.0 - part * part) : 0.0;
    });
  });
}

}  // namespace southwell::solvers
