#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace southwell::problem {

/// A line that coefficients move along together: t times `weights`, whose l2 norm is 1. One feature
/// by itself has the weight 1. Public.
struct Direction {
  std::vector<std::size_t> features;
  std::vector<double> weights;

  Direction() = default;
  explicit Direction(std::size_t feature) : features{feature}, weights{1.0} {}

  void add(std::size_t feature, double weight) {
    features.push_back(feature);
    weights.push_back(weight);
  }
  Direction normalised() && {
    double norm = 0.0;
    for (const double weight : weights) norm = std::hypot(norm, weight);
    for (double& weight : weights) weight /= norm;
    return std::move(*this);
  }
  bool has(std::size_t feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
  }
};

}  // namespace southwell::problem
