#pragma once

// Problems of every loss, penalty and shape, and their optimum.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "solvers/exact_check.hpp"
#include "southwell/solvers/reference/reference.hpp"

namespace southwell::solvers::testing {

using problem::Intercept;
using problem::Objective;
using problem::PenaltySpec;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class CaseShape { tall, wide, dependent_columns, uneven_scales, very_wide, other_units };

struct Case {
  exact::Problem problem;
  PenaltySpec penalty;
  std::string text;
};

/// Units from 2^-17 to 2^17 (about 1e5) and means up to 2^19 (about 5e5) deviations, all exact in
/// float. Means are for an intercept to make up for.
inline double in_other_units(double v, std::size_t j, bool intercept) {
  if (intercept && j % 3 == 1) return std::round(v * 8.0) / 8.0 + 0x1p19;
  return std::ldexp(v, 17 * (static_cast<int>(j % 5) - 2) / 2);
}

/// Records and features.
inline std::pair<std::size_t, std::size_t> size_of(CaseShape shape) {
  switch (shape) {
    case CaseShape::tall:
      return {60, 12};
    case CaseShape::wide:
      return {25, 60};
    case CaseShape::dependent_columns:
      return {40, 20};
    case CaseShape::uneven_scales:
    case CaseShape::other_units:
      return {50, 15};
    case CaseShape::very_wide:
      return {20, 500};
  }
  return {};
}

inline void fill_rows(exact::Problem& c, CaseShape shape, std::mt19937_64& random,
                      std::normal_distribution<double>& normal) {
  c.x.resize(c.n * c.p);
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j < c.p; ++j) {
      double v = normal(random);
      if (random() % 2 == 0) v = 0.0;  // so that sparse storage differs from dense
      if (shape == CaseShape::dependent_columns && j % 2 == 1) v = -2.0 * c.at(i, j - 1);
      if (shape == CaseShape::uneven_scales) v *= std::pow(4.0, static_cast<double>(j % 5) - 2.0);
      if (shape == CaseShape::tall && j == 3) v = 0.0;  // an empty column
      // Halves and quarters only: the same numbers in float.
      v = std::round(v * 64.0) / 64.0;
      if (shape == CaseShape::other_units) v = in_other_units(v, j, c.intercept);
      c.x[i * c.p + j] = v;
    }
  }
}

inline void fill_target(exact::Problem& c, CaseShape shape, std::mt19937_64& random,
                        std::normal_distribution<double>& normal) {
  const bool classes = c.loss == "logistic" || c.loss == "squared_hinge";
  for (std::size_t i = 0; i < c.n; ++i) {
    double signal = c.at(i, 0) - 0.7 * c.at(i, 2) + 0.5 * c.at(i, 5) + 0.3;
    if (shape == CaseShape::other_units) {
      signal = std::ldexp(c.at(i, 0), 17) - std::ldexp(c.at(i, 3), -8) + 0.3;
      if (c.intercept) signal += 0.5 * (c.at(i, 1) - 0x1p19);
    }
    const double y = signal + normal(random);
    c.y.push_back(classes ? (y > 0 ? 1.0 : -1.0) : y);
  }
}

inline void take_over(const PenaltySpec& penalty, exact::Problem& c) {
  const auto alpha = static_cast<exact::Real>(penalty.alpha);
  if (penalty.name == "l1") c.l1 = alpha;
  if (penalty.name == "l2") c.l2 = alpha;
  if (penalty.name == "elastic_net") {
    // The strengths as doubles, the way the penalty holds them.
    c.l1 = penalty.alpha * penalty.l1_ratio;
    c.l2 = penalty.alpha * (1.0 - penalty.l1_ratio);
  }
  c.lower = penalty.lower, c.upper = penalty.upper;
}

inline Case make_case(const std::string& loss, const PenaltySpec& penalty, CaseShape shape,
                      bool intercept, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  exact::Problem c{.loss = loss, .huber_width = 0.5, .intercept = intercept};
  std::tie(c.n, c.p) = size_of(shape);
  fill_rows(c, shape, random, normal);
  fill_target(c, shape, random, normal);
  take_over(penalty, c);
  return {c, penalty,
          loss + " " + std::string(penalty.name) + " " + std::to_string(penalty.lower) + " shape " +
              std::to_string(static_cast<int>(shape)) + (intercept ? " intercept" : "")};
}

inline std::vector<Case> all_cases() {
  const std::vector<PenaltySpec> penalties = {
      {.name = "none"},
      {.name = "l1", .alpha = 0.07},
      {.name = "l2", .alpha = 0.03},
      {.name = "elastic_net", .alpha = 0.1, .l1_ratio = 0.7},
      {.name = "box", .lower = -0.25, .upper = 0.5},
      {.name = "box", .lower = 0.0, .upper = kInfinity},
      {.name = "box", .lower = 0.125, .upper = 0.25},
      {.name = "l1", .alpha = 0.07, .lower = 0.0},
      {.name = "l1", .alpha = 0.07, .lower = -0.25, .upper = 0.5},
      {.name = "l2", .alpha = 0.03, .upper = 0.25},
      {.name = "elastic_net", .alpha = 0.1, .l1_ratio = 0.7, .lower = 0.125},
  };
  std::vector<Case> cases;
  unsigned seed = 1;
  for (const char* loss : {"squared", "logistic", "huber", "squared_hinge"}) {
    for (const auto& penalty : penalties) {
      for (const CaseShape shape : {CaseShape::tall, CaseShape::wide, CaseShape::dependent_columns,
                                    CaseShape::uneven_scales, CaseShape::very_wide}) {
        ++seed;
        cases.push_back(make_case(loss, penalty, shape, seed % 2 == 0, seed));
      }
      for (const bool intercept : {false, true}) {
        cases.push_back(make_case(loss, penalty, CaseShape::other_units, intercept, ++seed));
      }
      ++seed;  // so that the next loss or penalty sees the other parity
    }
  }
  return cases;
}

template <class T>
data::DenseDesign<T> dense(const exact::Problem& c, core::ThreadPool& pool) {
  const std::vector<T> rows(c.x.begin(), c.x.end());
  return data::DenseDesign<T>::from_row_major(rows.data(), c.n, c.p, c.p, pool);
}

inline data::SparseDesign sparse(const exact::Problem& c, core::ThreadPool& pool) {
  data::Compressed lists{.offsets = {0}, .indices = {}, .values = {}};
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j < c.p; ++j) {
      if (c.at(i, j) == 0.0) continue;
      lists.indices.push_back(static_cast<std::int32_t>(j));
      lists.values.push_back(c.at(i, j));
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.indices.size()));
  }
  return data::SparseDesign::from_records(std::move(lists), c.p, pool);
}

template <class D>
Optimum solve(const D& design, const Case& c, core::ThreadPool& pool, double gap = 1e-10) {
  const auto loss = problem::make_loss(c.problem.loss, static_cast<double>(c.problem.huber_width));
  const Objective objective(design, std::span<const double>(c.problem.y), loss,
                            problem::make_penalty(c.penalty),
                            c.problem.intercept ? Intercept::free : Intercept::none);
  return reference(objective, {.gap = gap}, pool);
}

inline std::vector<exact::Real> wide_coef(const Optimum& optimum) {
  return {optimum.at.coef.begin(), optimum.at.coef.end()};
}

}  // namespace southwell::solvers::testing
