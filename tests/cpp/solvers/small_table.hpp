#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::solvers {

struct Table {
  std::size_t n;
  std::size_t p;
  std::vector<double> columns;  // column after column, standardised
  std::vector<double> target;
};

inline Table table(std::size_t n, std::size_t p, bool classes) {
  std::mt19937_64 random(n * 31 + p);
  std::normal_distribution<double> normal;
  Table out{n, p, std::vector<double>(n * p), std::vector<double>(n)};
  for (std::size_t j = 0; j < p; ++j) {
    double* const x = &out.columns[j * n];
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += x[i] = std::round(64.0 * normal(random)) / 64.0;
    mean /= static_cast<double>(n);
    double squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) x[i] = (x[i] - mean) / deviation;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double signal = 2.0 * out.columns[i] - out.columns[n + i] + normal(random) + 0.3;
    out.target[i] = classes ? (signal > 0.0 ? 1.0 : -1.0) : signal;
  }
  return out;
}

inline data::DenseDesign<double> dense(const Table& t) {
  std::shared_ptr<double[]> values(new double[t.columns.size()]);
  std::copy(t.columns.begin(), t.columns.end(), values.get());
  return {values, t.n, t.p};
}

inline data::SparseDesign sparse(const Table& t) {
  data::Compressed lists;
  lists.offsets.push_back(0);
  for (std::size_t j = 0; j < t.p; ++j) {
    for (std::size_t i = 0; i < t.n; ++i) {
      if (t.columns[j * t.n + i] == 0.0) continue;
      lists.indices.push_back(static_cast<std::int32_t>(i));
      lists.values.push_back(t.columns[j * t.n + i]);
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
  }
  return data::SparseDesign::from_features(std::move(lists), t.n);
}

inline std::vector<problem::AnyLoss> all_losses() {
  return {problem::Squared{}, problem::Logistic{}, problem::Huber(1.0), problem::SquaredHinge{}};
}
inline std::vector<problem::AnyPenalty> all_penalties() {
  return {problem::None{},         problem::L1(0.05),
          problem::L2(0.1),        problem::ElasticNet(0.1, 0.5),
          problem::Box(-0.4, 0.6), problem::Bounded(0.05, 0.1, problem::Box(-0.1, 0.2))};
}
/// The classes of a loss that has some.
inline std::vector<double> labels_of(const problem::AnyLoss& loss) {
  const bool classifies = std::visit([](const auto& l) { return !l.accepts(0.5); }, loss);
  return classifies ? std::vector<double>{-1.0, 1.0} : std::vector<double>();
}

}  // namespace southwell::solvers
