#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "lab/objectives.hpp"

namespace southwell::lab {

inline data::Dataset dense_dataset(const std::vector<double>& rows, std::vector<double> target) {
  core::ThreadPool pool(1);
  const std::size_t n = target.size();
  const std::size_t p = rows.size() / n;
  return {
      data::DenseDesign<double>::from_row_major(rows.data(), n, p, p, pool), std::move(target), {}};
}

enum class Targets { numbers, classes };

/// Normal records, a target that depends on the first three features (or those there are).
inline data::Dataset random_dataset(std::size_t n, std::size_t p, Targets kind, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> rows(n * p);
  for (double& x : rows) x = normal(random);
  std::vector<double> target(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = rows.data() + i * p;
    target[i] = 0.4 + x[0] + normal(random);
    if (p > 1) target[i] -= 1.5 * x[1];
    if (p > 2) target[i] += 0.5 * x[2];
    if (kind == Targets::classes) target[i] = target[i] > 0.0 ? 1.0 : -1.0;
  }
  return dense_dataset(rows, std::move(target));
}

inline ObjectiveSpec objective(const char* loss, const char* penalty, std::optional<double> alpha,
                               Intercept intercept = Intercept::none) {
  ObjectiveSpec spec;
  spec.loss = loss;
  spec.penalty = penalty;
  spec.alpha = alpha;
  spec.intercept = intercept;
  return spec;
}

}  // namespace southwell::lab
