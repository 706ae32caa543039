#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/assess/private_evaluation.hpp"

// Small models and records for the tests of evaluations.

namespace southwell::assess {

using fit::Record;
using fit::Stored;

/// A model of one feature: margin = slope x + intercept, or one such head for each class.
inline model::LinearModel small_model(const std::string& loss, std::vector<double> classes) {
  model::LinearModel model;
  model.objective.loss = loss;
  model.objective.penalty = "none";
  if (loss == "huber") model.objective.huber_width = 1.5;
  model.features = 1;
  const std::size_t heads = classes.size() > 2 ? classes.size() : 1;
  for (std::size_t h = 0; h < heads; ++h) {
    model::Head head;
    head.coef.push_back({0, 1.5 - static_cast<double>(h), 0.0});
    head.intercept = 0.25 + 0.5 * static_cast<double>(h);
    model.heads.push_back(head);
  }
  model.classes = std::move(classes);
  if (model.classes.empty()) {
    model.privacy.public_inputs.push_back({"target_scale", 2.0, model::Source::user});
  }
  return model;
}

inline EvaluationSpec small_spec(const std::string& relation = "replace_one") {
  EvaluationSpec spec{.epsilon = 1.0, .delta = 1e-6, .relation = relation};
  if (relation == "add_or_remove_one") spec.records = 100;
  return spec;
}

/// Records of the model's own law: (x, target).
inline std::vector<Record> drawn_records(const model::LinearModel& model, std::size_t n,
                                         std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<Record> records;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<float>(normal(random));
    double target = 1.5 * x + 0.25 + normal(random);
    if (model.classes.size() == 2) {
      target = model.classes[uniform(random) < 1.0 / (1.0 + std::exp(-1.5 * x - 0.25)) ? 1 : 0];
    } else if (model.classes.size() > 2) {
      target = model.classes[random() % model.classes.size()];
    }
    records.push_back({x, target});
  }
  return records;
}

}  // namespace southwell::assess
