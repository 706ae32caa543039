#pragma once

#include <cstddef>

namespace southwell::assess {

/// The nearest numbers in least squares that do not fall (pool adjacent violators).
template <class Numbers>
Numbers monotone(Numbers values) {
  // Blocks of equal fitted values: where each begins, and how many there are so far.
  Numbers mean = values;
  Numbers weight = values;
  std::size_t blocks = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    mean[blocks] = values[k];
    weight[blocks] = 1.0;
    ++blocks;
    while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
      const double both = weight[blocks - 2] + weight[blocks - 1];
      mean[blocks - 2] =
          (mean[blocks - 2] * weight[blocks - 2] + mean[blocks - 1] * weight[blocks - 1]) / both;
      weight[blocks - 2] = both;
      --blocks;
    }
  }
  std::size_t k = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (double left = weight[block]; left > 0.5; left -= 1.0) values[k++] = mean[block];
  }
  return values;
}

}  // namespace southwell::assess
