#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {

/// A record: its features, then its target.
using Record = std::vector<double>;

enum class Stored { f64, f32, sparse };

inline data::Dataset dataset_of(const std::vector<Record>& records, std::size_t features,
                                Stored stored) {
  const std::size_t n = records.size();
  std::vector<double> target(n);
  for (std::size_t i = 0; i < n; ++i) target[i] = records[i][features];
  const auto dense = [&]<class T>(T) {
    std::shared_ptr<T[]> values(new T[std::max<std::size_t>(1, n * features)]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < features; ++j) {
        values[static_cast<std::ptrdiff_t>(j * n + i)] = static_cast<T>(records[i][j]);
      }
    }
    return data::DenseDesign<T>(values, n, features);
  };
  if (stored == Stored::f64) return {dense(0.0), std::move(target), {}, "target"};
  if (stored == Stored::f32) return {dense(0.0f), std::move(target), {}, "target"};
  data::Compressed lists;
  lists.offsets.push_back(0);
  for (const Record& record : records) {
    for (std::size_t j = 0; j < features; ++j) {
      if (record[j] == 0.0) continue;
      lists.indices.push_back(static_cast<std::int32_t>(j));
      lists.values.push_back(record[j]);
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
  }
  core::ThreadPool pool(1);
  return {data::SparseDesign::from_records(std::move(lists), features, pool),
          std::move(target),
          {},
          "target"};
}

/// A small fit of a loss and penalty by gcd, without an intercept.
inline FitSpec small_spec(const std::string& loss, const std::string& penalty = "none") {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.penalty = penalty;
  if (penalty == "box") {
    spec.objective.lower = -0.5;
    spec.objective.upper = 2.0;
  } else if (penalty != "none") {
    spec.objective.alpha = 0.01;
  }
  if (penalty == "elastic_net") spec.objective.l1_ratio = 0.5;
  if (loss == "huber") spec.objective.huber_width = 1.5;
  if (problem::classifies(problem::loss_of(spec.objective))) {
    spec.classes = {-1.0, 1.0};
  } else {
    spec.target_scale = 1.0;
  }
  spec.solver = "gcd";
  spec.intercept = false;
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.iterations = 3;
  spec.clip = 1.0;
  spec.threads = 1;
  return spec;
}

}  // namespace southwell::fit
