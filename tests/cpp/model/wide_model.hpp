#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include "fit/golden_model.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// Which features have a coefficient, and what noise it has.
enum class Chosen { all, half, few };
enum class Noise { equal, different };

/// A model of three classes, of so many features.
inline LinearModel wide_model(std::size_t features, Chosen chosen, Noise noise) {
  LinearModel model = from_json(fit::kGoldenModel, "golden");
  model.objective.penalty = "none";
  model.objective.alpha = model.objective.l1_ratio = {};
  model.features = features;
  model.feature_names.clear();
  model.classes = {0.0, 1.0, 2.0};
  model.heads.assign(3, {});
  const std::size_t every = chosen == Chosen::all ? 1 : chosen == Chosen::half ? 2 : 100;
  for (std::size_t h = 0; h < 3; ++h) {
    for (std::size_t j = h % every; j < features; j += every) {
      const double x = std::sin(static_cast<double>(7 * j + h + 1));
      const double sd = noise == Noise::equal ? 0.1 : std::fabs(x) / 3.0;
      model.heads[h].coef.push_back({j, std::ldexp(x, static_cast<int>(j % 600) - 300), sd});
    }
    model.heads[h].intercept = 1.0 / (1.0 + static_cast<double>(h));
  }
  return model;
}

}  // namespace southwell::model
