#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assess/drawn.hpp"
#include "fit/small_data.hpp"
#include "southwell/assess/tuning.hpp"

// Data of two classes and settings of a fit to choose between.

namespace southwell::assess {

using fit::FitSpec;
using fit::Record;
using fit::Stored;

inline std::vector<Record> drawn(std::size_t n, std::uint64_t seed) { return drawn(n, 2, seed); }

inline std::vector<double> many(std::size_t count) {
  std::vector<double> alphas;
  for (std::size_t k = 0; k < count; ++k) alphas.push_back(0.01 * static_cast<double>(k + 1));
  return alphas;
}

inline TuningSpec spec_of(const std::vector<double>& alphas, const std::string& way = "auto") {
  FitSpec base;
  base.objective.loss = "logistic";
  base.objective.penalty = "l2";
  base.classes = {0.0, 1.0};
  base.feature_scale = {1.0};
  base.features = 2;
  base.threads = 1;
  TuningSpec spec{.settings = {}, .names = {}, .epsilon = 2.0, .delta = 1e-6};
  spec.way = way;
  for (const double alpha : alphas) {
    spec.settings.push_back(base);
    spec.settings.back().objective.alpha = alpha;
    spec.names.push_back("alpha=" + std::to_string(alpha));
  }
  return spec;
}

inline fit::DataShape shape_of(std::size_t records) {
  fit::DataShape shape;
  shape.records = records;
  shape.features = 2;
  return shape;
}

}  // namespace southwell::assess
