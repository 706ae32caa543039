#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "fit/small_data.hpp"

namespace southwell::assess {

/// Labels that follow the first of two features, or a target that does (0 classes).
inline std::vector<fit::Record> drawn(std::size_t n, std::size_t classes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<fit::Record> records;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = normal(random);
    const double other = normal(random);
    double y = 2.0 * x + 0.5 * normal(random);
    if (classes == 2) y = y > 0.0 ? 1.0 : 0.0;
    if (classes > 2) y = y < -1.0 ? 0.0 : y < 1.0 ? 1.0 : 2.0;
    records.push_back({x, other, y});
  }
  return records;
}

}  // namespace southwell::assess
