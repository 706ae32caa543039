#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace southwell::problem {

/// A line that coefficients move along together: t times `weights`, whose l2 norm is 1. One feature
/// by itself has the weight 1. Public.
struct Direction {
  std::vector<std::size_t> features;
  std::vector<double> weights;

  explicit Direction(std::size_t feature) : features{feature}, weights{1.0} {}
  Direction(std::vector<std::size_t> of, std::vector<double> with)
      : features(std::move(of)), weights(std::move(with)) {}

  bool has(std::size_t feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
  }
};

}  // namespace southwell::problem
