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
  const Real beyond = std::max<Real>(0, std::fabs(v) - problem.l1 * (1 + 1e-18L));
  if (problem.l2 > 0) {
    const Real free = (v > 0 ? beyond : -beyond) / problem.l2;
    const Real w = std::clamp(free, problem.lower, problem.upper);
    return v * w - problem.l1 * std::fabs(w) - problem.l2 * w * w / 2;
  }
  if (problem.l1 > 0) {
    if (beyond > 0) return beyond * (v > 0 ? problem.upper : -problem.lower);
    const Real w = std::clamp<Real>(0, problem.lower, problem.upper);
    return v * w - problem.l1 * std::fabs(w);
  }
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

/// How far margins move when a coefficient moves by one: the root mean square of its column, about
/// the mean where an intercept can make up for that.
inline Real column_size(const Problem& problem, std::size_t j) {
  const Real mean = problem.intercept ? column_mean(problem, j) : 0;
  Real square = 0;
  for (std::size_t i = 0; i < problem.n; ++i)
    square += (problem.at(i, j) - mean) * (problem.at(i, j) - mean);
  return square > 0 ? std::sqrt(square / static_cast<Real>(problem.n)) : 1;
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
  for (const Real v : g) {  // towards an end that is not there
    if (v < 0 && problem.upper == kInfinity) steepest = std::max(steepest, -v);
    if (v > 0 && problem.lower == -kInfinity) steepest = std::max(steepest, v);
  }
  const bool scaled = problem.l1 > 0 && problem.l2 == 0 && steepest > problem.l1;
  const Real scale = scaled ? problem.l1 / steepest : 1;
  Real bound = 0;
  for (std::size_t i = 0; i < problem.n; ++i) {
    bound -= conjugate_of(problem, scale * u[i], problem.y[i]);
  }
  bound /= static_cast<Real>(problem.n);
  for (std::size_t j = 0; j < problem.p; ++j) {
    bound -= penalty_conjugate(problem, -scale * g[j], reach / column_size(problem, j));
  }
  return bound;
}

/// Whether the penalty is smooth at w_j, so that an optimum has slope 0 there.
inline bool smooth_at(const Problem& problem, Real w) {
  return (problem.l1 == 0 || w != 0) && w > problem.lower && w < problem.upper;
}

/// Least squares by elimination with full pivoting; what is dependent stays 0.
inline std::vector<Real> solved(std::vector<std::vector<Real>> a, std::vector<Real> b) {
  const std::size_t k = b.size();
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Real first = 0;
  std::size_t rank = 0;
  for (; rank < k; ++rank) {
    std::size_t row = rank;
    std::size_t column = rank;
    for (std::size_t r = rank; r < k; ++r) {
      for (std::size_t c = rank; c < k; ++c) {
        if (std::fabs(a[r][c]) > std::fabs(a[row][column])) row = r, column = c;
      }
    }
    if (rank == 0) first = std::fabs(a[row][column]);
    if (std::fabs(a[row][column]) <= 1e-16L * first) break;
    std::swap(a[rank], a[row]);
    std::swap(b[rank], b[row]);
    std::swap(order[rank], order[column]);
    for (auto& line : a) std::swap(line[rank], line[column]);
    for (std::size_t r = rank + 1; r < k; ++r) {
      const Real factor = a[r][rank] / a[rank][rank];
      for (std::size_t c = rank; c < k; ++c) a[r][c] -= factor * a[rank][c];
      b[r] -= factor * b[rank];
    }
  }
  std::vector<Real> x(k, 0);
  for (std::size_t r = rank; r-- > 0;) {
    Real sum = b[r];
    for (std::size_t c = r + 1; c < rank; ++c) sum -= a[r][c] * x[order[c]];
    x[order[r]] = sum / a[r][r];
  }
  return x;
}

/// The slopes at the coefficients that those would be without their rounding to double: the
/// equations of the optimum on the smooth coordinates, solved to first order.
inline std::vector<Real> without_rounding(const Problem& problem, const std::vector<Real>& w,
                                          const std::vector<Real>& z, std::vector<Real> u) {
  std::vector<std::size_t> free;  // p stands for the intercept
  for (std::size_t j = 0; j < problem.p; ++j) {
    if (smooth_at(problem, w[j])) free.push_back(j);
  }
  if (problem.intercept) free.push_back(problem.p);
  const auto x = [&](std::size_t i, std::size_t j) -> Real {
    return j == problem.p ? 1
                          : (problem.at(i, j) - (problem.intercept ? column_mean(problem, j) : 0)) /
                                column_size(problem, j);
  };
  const std::size_t k = free.size();
  std::vector<std::vector<Real>> columns(k, std::vector<Real>(problem.n));
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t i = 0; i < problem.n; ++i) columns[a][i] = x(i, free[a]);
  }
  std::vector<std::vector<Real>> matrix(k, std::vector<Real>(k, 0));
  std::vector<Real> wrong(k, 0);
  for (std::size_t a = 0; a < k; ++a) {
    const bool penalised = free[a] != problem.p;
    const Real size = penalised ? column_size(problem, free[a]) : 1;
    for (std::size_t i = 0; i < problem.n; ++i) {
      const Real h = curvature_of(problem, z[i], problem.y[i]);
      for (std::size_t b = 0; b < k; ++b) matrix[a][b] += h * columns[a][i] * columns[b][i];
      wrong[a] -= columns[a][i] * u[i];
    }
    if (!penalised) continue;
    const auto n = static_cast<Real>(problem.n);
    const Real v = w[free[a]];
    matrix[a][a] += n * problem.l2 / (size * size);
    wrong[a] -= n * (problem.l2 * v + (v > 0 ? problem.l1 : -problem.l1)) / size;
  }
  const auto moves = solved(matrix, wrong);
  for (std::size_t i = 0; i < problem.n; ++i) {
    Real along = 0;
    for (std::size_t a = 0; a < k; ++a) along += columns[a][i] * moves[a];
    u[i] += curvature_of(problem, z[i], problem.y[i]) * along;
  }
  return u;
}

/// (objective - lower bound) / max(objective, 1e-6 loss at zero). Where the dual has no room around
/// zero the bound holds where no coefficient moves margins by more than 10 times what the largest
/// does, or the root of twice the objective.
inline Real relative_gap(const Problem& problem, const std::vector<Real>& w, Real b) {
  const Real f = objective(problem, w, b);
  Real at_zero = 0;
  for (const double y : problem.y) at_zero += loss_of(problem, 0, y) / static_cast<Real>(problem.n);
  const Real unit = std::max(f, 1e-6L * at_zero);
  Real reach = std::sqrt(2 * unit);
  for (std::size_t j = 0; j < problem.p; ++j) {
    reach = std::max(reach, std::fabs(w[j]) * column_size(problem, j));
  }
  Real best = lower_bound(problem, std::vector<Real>(problem.n, 0), 10 * reach);
  const auto z = margins(problem, w, b);
  for (const auto& u : balanced(problem, z)) {
    best = std::max(best, lower_bound(problem, u, 10 * reach));
    if ((f - best) / unit <= 1e-11L) break;
    // Any slopes prove a bound, and these may prove a better one.
    best = std::max(best, lower_bound(problem, without_rounding(problem, w, z, u), 10 * reach));
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
