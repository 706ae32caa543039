#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

/// Objective, duality gap and a plain accelerated proximal gradient in long double, from the
/// formulas of the interfaces alone. It shares no code with the library on purpose: it is what the
/// library's claims are checked against.
namespace exact {

using Real = long double;
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

struct Problem {
  std::size_t n = 0;
  std::size_t p = 0;
  std::vector<double> x = {};  // row by row
  std::vector<double> y = {};
  std::string loss = "squared";
  Real huber_width = 1;
  Real l1 = 0;  // strengths of |w| and of w^2/2
  Real l2 = 0;
  Real lower = -kInfinity;
  Real upper = kInfinity;
  bool intercept = false;

  double at(std::size_t i, std::size_t j) const { return x[i * p + j]; }
};

inline Real loss_of(const Problem& problem, Real z, Real y) {
  if (problem.loss == "squared") return (z - y) * (z - y) / 2;
  if (problem.loss == "logistic") {
    return std::max<Real>(0, -y * z) + std::log1p(std::exp(-std::fabs(z)));
  }
  if (problem.loss == "huber") {
    const Real d = std::fabs(z - y);
    const Real inside = std::min(d, problem.huber_width);
    return inside * inside / 2 + problem.huber_width * (d - inside);
  }
  const Real short_by = std::max<Real>(0, 1 - y * z);
  return short_by * short_by / 2;
}

inline Real slope_of(const Problem& problem, Real z, Real y) {
  if (problem.loss == "squared") return z - y;
  if (problem.loss == "logistic") return -y / (1 + std::exp(y * z));
  if (problem.loss == "huber") return std::clamp(z - y, -problem.huber_width, problem.huber_width);
  return -y * std::max<Real>(0, 1 - y * z);
}

/// sup_z u z - loss: every loss here but logistic is a piece of a parabola.
inline Real conjugate_of(const Problem& problem, Real u, Real y) {
  if (problem.loss == "logistic") {
    const Real t = -y * u;
    if (t < 0 || t > 1) return kInfinity;
    return (t > 0 ? t * std::log(t) : 0) + (t < 1 ? (1 - t) * std::log1p(-t) : 0);
  }
  if (problem.loss == "squared_hinge") {
    return y * u > 0 ? kInfinity : u * u / 2 + y * u;
  }
  if (problem.loss == "huber" && std::fabs(u) > problem.huber_width) return kInfinity;
  return u * u / 2 + u * y;
}

inline std::vector<Real> margins(const Problem& problem, const std::vector<Real>& w, Real b) {
  std::vector<Real> z(problem.n, b);
  for (std::size_t i = 0; i < problem.n; ++i) {
    for (std::size_t j = 0; j < problem.p; ++j) z[i] += problem.at(i, j) * w[j];
  }
  return z;
}

inline Real objective(const Problem& problem, const std::vector<Real>& w, Real b) {
  const auto z = margins(problem, w, b);
  Real sum = 0;
  for (std::size_t i = 0; i < problem.n; ++i) sum += loss_of(problem, z[i], problem.y[i]);
  sum /= static_cast<Real>(problem.n);
  for (const Real v : w) {
    if (v < problem.lower || v > problem.upper) return kInfinity;
    sum += problem.l1 * std::fabs(v) + problem.l2 * v * v / 2;
  }
  return sum;
}

inline std::vector<Real> gradient(const Problem& problem, const std::vector<Real>& slopes) {
  std::vector<Real> g(problem.p, 0);
  for (std::size_t i = 0; i < problem.n; ++i) {
    for (std::size_t j = 0; j < problem.p; ++j) g[j] += problem.at(i, j) * slopes[i];
  }
  for (Real& v : g) v /= static_cast<Real>(problem.n);
  return g;
}

/// sup over lower <= w <= upper of v w - l1 |w| - l2 w^2/2.
inline Real penalty_conjugate(const Problem& problem, Real v, Real reach) {
  if (problem.l2 > 0) {
    const Real beyond = std::max<Real>(0, std::fabs(v) - problem.l1);
    return beyond * beyond / (2 * problem.l2);
  }
  if (problem.l1 > 0) return std::fabs(v) <= problem.l1 * (1 + 1e-18L) ? 0 : kInfinity;
  return v * (v > 0 ? std::min(problem.upper, reach) : std::max(problem.lower, -reach));
}

inline Real curvature_of(const Problem& problem, Real z, Real y) {
  if (problem.loss == "logistic") return 1 / ((1 + std::exp(z)) * (1 + std::exp(-z)));
  if (problem.loss == "huber") return std::fabs(z - y) <= problem.huber_width ? 1 : 0;
  return problem.loss == "squared" || y * z < 1 ? 1 : 0;
}

/// Slopes that sum to 0: the positive or the negative ones shrunk, or all moved by their curvature.
inline std::vector<std::vector<Real>> balanced(const Problem& problem, const std::vector<Real>& z) {
  std::vector<Real> shrunk(problem.n), moved(problem.n);
  Real up = 0;
  Real down = 0;
  Real bend = 0;
  for (std::size_t i = 0; i < problem.n; ++i) {
    shrunk[i] = moved[i] = slope_of(problem, z[i], problem.y[i]);
    (shrunk[i] > 0 ? up : down) += std::fabs(shrunk[i]);
    bend += curvature_of(problem, z[i], problem.y[i]);
  }
  if (!problem.intercept) return {shrunk};
  for (std::size_t i = 0; i < problem.n; ++i) {
    shrunk[i] *= shrunk[i] > 0 ? std::min<Real>(1, down / up) : std::min<Real>(1, up / down);
    if (bend > 0) moved[i] -= (up - down) / bend * curvature_of(problem, z[i], problem.y[i]);
  }
  if (bend > 0) return {shrunk, moved};
  return {shrunk};
}

inline Real column_mean(const Problem& problem, std::size_t j) {
  Real sum = 0;
  for (std::size_t i = 0; i < problem.n; ++i) sum += problem.at(i, j);
  return sum / static_cast<Real>(problem.n);
}

/// The root mean square of a column, about its mean if that is larger than its deviation and there
/// is an intercept; to a power of two.
inline Real column_scale(const Problem& problem, std::size_t j) {
  const Real mean = column_mean(problem, j);
  Real square = 0;
  for (std::size_t i = 0; i < problem.n; ++i)
    square += (problem.at(i, j) - mean) * (problem.at(i, j) - mean);
  square /= static_cast<Real>(problem.n);
  if (!problem.intercept || mean * mean <= square) square += mean * mean;
  return square > 0 ? std::exp2(std::round(std::log2(square) / 2)) : 1;
}

/// The lower bound that slopes u prove; minus infinity where they prove none.
inline Real lower_bound(const Problem& problem, const std::vector<Real>& u, Real reach) {
  auto g = gradient(problem, u);
  // With an intercept the slopes sum to 0 but for rounding, which a large mean would blow up.
  const Real left = problem.intercept ? std::accumulate(u.begin(), u.end(), Real{0}) : 0;
  for (std::size_t j = 0; j < problem.p; ++j) {
    g[j] -= left * column_mean(problem, j) / static_cast<Real>(problem.n);
  }
  Real steepest = 0;
  for (const Real v : g) steepest = std::max(steepest, std::fabs(v));
  const bool scaled = problem.l1 > 0 && problem.l2 == 0 && steepest > problem.l1;
  const Real scale = scaled ? problem.l1 / steepest : 1;
  Real bound = 0;
  for (std::size_t i = 0; i < problem.n; ++i) {
    bound -= conjugate_of(problem, scale * u[i], problem.y[i]);
  }
  bound /= static_cast<Real>(problem.n);
  for (std::size_t j = 0; j < problem.p; ++j) {
    bound -= penalty_conjugate(problem, -scale * g[j], reach / column_scale(problem, j));
  }
  return bound;
}

/// (objective - lower bound) / max(objective, 1e-6 loss at zero). Where the dual has no room around
/// zero the bound holds for |w_j| <= 10 max(sqrt(2 objective), max |w_k| scale_k) / scale_j.
inline Real relative_gap(const Problem& problem, const std::vector<Real>& w, Real b) {
  const Real f = objective(problem, w, b);
  Real at_zero = 0;
  for (const double y : problem.y) at_zero += loss_of(problem, 0, y) / static_cast<Real>(problem.n);
  const Real unit = std::max(f, 1e-6L * at_zero);
  Real reach = std::sqrt(2 * unit);
  for (std::size_t j = 0; j < problem.p; ++j) {
    reach = std::max(reach, std::fabs(w[j]) * column_scale(problem, j));
  }
  Real best = lower_bound(problem, std::vector<Real>(problem.n, 0), 10 * reach);
  for (const auto& u : balanced(problem, margins(problem, w, b))) {
    best = std::max(best, lower_bound(problem, u, 10 * reach));
  }
  return (f - best) / unit;
}

inline Real prox(const Problem& problem, Real v, Real step) {
  const Real shrunk = std::max<Real>(0, std::fabs(v) - step * problem.l1) / (1 + step * problem.l2);
  return std::clamp(v > 0 ? shrunk : -shrunk, problem.lower, problem.upper);
}

/// The least objective found by accelerated proximal gradient with restarts.
inline Real minimum(const Problem& problem, int iterations) {
  Real lipschitz = 0;  // of the gradient: the squared norm of the table bounds it
  for (const double v : problem.x) lipschitz += static_cast<Real>(v) * v;
  if (problem.intercept) lipschitz += static_cast<Real>(problem.n);
  const Real step = static_cast<Real>(problem.n) / lipschitz;  // curvature is at most 1
  std::vector<Real> w(problem.p, prox(problem, 0, step)), ahead = w;
  Real b = 0;
  Real b_ahead = 0;
  Real momentum = 1;
  Real best = objective(problem, w, b);
  for (int t = 0; t < iterations; ++t) {
    const auto z = margins(problem, ahead, b_ahead);
    std::vector<Real> u(problem.n);
    Real mean = 0;
    for (std::size_t i = 0; i < problem.n; ++i) {
      u[i] = slope_of(problem, z[i], problem.y[i]);
      mean += u[i] / static_cast<Real>(problem.n);
    }
    const auto g = gradient(problem, u);
    std::vector<Real> next(problem.p);
    for (std::size_t j = 0; j < problem.p; ++j) {
      next[j] = prox(problem, ahead[j] - step * g[j], step);
    }
    const Real b_next = problem.intercept ? b_ahead - step * mean : 0;
    const Real now = objective(problem, next, b_next);
    const bool restart = now > best;
    const Real larger = restart ? 1 : (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const Real push = restart ? 0 : (momentum - 1) / larger;
    momentum = larger;
    if (restart) {
      ahead = w;
      b_ahead = b;
      continue;
    }
    for (std::size_t j = 0; j < problem.p; ++j) ahead[j] = next[j] + push * (next[j] - w[j]);
    b_ahead = b_next + push * (b_next - b);
    w = next;
    b = b_next;
    best = now;
    if (t % 100 == 99 && relative_gap(problem, w, b) < 1e-11L) break;
  }
  return best;
}

}  // namespace exact
