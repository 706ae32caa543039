#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "southwell/solvers/theory.hpp"

namespace southwell::solvers {

using Random = std::mt19937_64;

inline double laplace(double scale, Random& random) {
  const double size = std::exponential_distribution<double>(1.0 / scale)(random);
  return random() % 2 == 0 ? size : -size;
}

/// f(w) = 1/2 w' A w - b' w, A = diag(M)^(1/2) C diag(M)^(1/2) with C diagonally dominant, so that
/// f is M-component-smooth and mu-strongly convex in the M-weighted l2 norm.
class Quadratic {
 public:
  Quadratic(std::size_t features, double coupling, std::size_t support, Random& random)
      : m_(features), b_(features), solution_(features), coupling_(coupling) {
    std::uniform_real_distribution<double> uniform(0.5, 2.0);
    for (double& m : m_) m = uniform(random);
    for (std::size_t j = 0; j < support; ++j) solution_[j] = uniform(random);
    b_ = times(solution_);
  }
  /// C = (1 - 2c) I + c (neighbours): eigenvalues within [1 - 4c, 1].
  std::vector<double> times(const std::vector<double>& w) const {
    const std::size_t p = m_.size();
    std::vector<double> scaled(p);
    for (std::size_t j = 0; j < p; ++j) scaled[j] = std::sqrt(m_[j]) * w[j];
    std::vector<double> out(p);
    for (std::size_t j = 0; j < p; ++j) {
      out[j] = (1.0 - 2.0 * coupling_) * scaled[j];
      if (j > 0) out[j] += coupling_ * scaled[j - 1];
      if (j + 1 < p) out[j] += coupling_ * scaled[j + 1];
      out[j] *= std::sqrt(m_[j]);
    }
    return out;
  }
  double mu() const { return 1.0 - 4.0 * coupling_; }
  double gap(const std::vector<double>& w) const {
    std::vector<double> off(w.size());
    for (std::size_t j = 0; j < w.size(); ++j) off[j] = w[j] - solution_[j];
    const std::vector<double> image = times(off);
    double sum = 0.0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += 0.5 * off[j] * image[j];
    return sum;
  }
  std::vector<double> gradient(const std::vector<double>& w) const {
    std::vector<double> g = times(w);
    for (std::size_t j = 0; j < w.size(); ++j) g[j] -= b_[j];
    return g;
  }
  const std::vector<double>& smoothness() const { return m_; }
  const std::vector<double>& solution() const { return solution_; }

 private:
  std::vector<double> m_;
  std::vector<double> b_;
  std::vector<double> solution_;
  double coupling_;
};

/// One step of Alg. 1 on `w`, and what it saw and drew.
inline NoisyStep noisy_step(const Quadratic& f, std::vector<double>& w, double scale,
                            Random& random) {
  const std::vector<double> g = f.gradient(w);
  const std::vector<double>& m = f.smoothness();
  std::vector<double> noise(w.size());
  std::size_t chosen = 0;
  std::size_t best = 0;
  for (std::size_t j = 0; j < w.size(); ++j) noise[j] = laplace(scale, random);
  const auto noisy = [&](std::size_t j) { return std::abs(g[j] + noise[j]) / std::sqrt(m[j]); };
  const auto exact = [&](std::size_t j) { return std::abs(g[j]) / std::sqrt(m[j]); };
  for (std::size_t j = 1; j < w.size(); ++j) {
    if (noisy(j) > noisy(chosen)) chosen = j;
    if (exact(j) > exact(best)) best = j;
  }
  const double eta = laplace(scale, random);
  w[chosen] -= (g[chosen] + eta) / m[chosen];
  return {exact(best), m[chosen], m[best], eta, noise[chosen], noise[best]};
}

inline TheoryProblem problem_with(double records) {
  return {.records = records,
          .features = 1000,
          .epsilon = 1.0,
          .delta = 1e-6,
          .lipschitz_max = 1.0,
          .smoothness_min = 0.5,
          .smoothness_max = 2.0,
          .initial_gap = 1.0,
          .failure = 0.05};
}

}  // namespace southwell::solvers
