#pragma once

// Seeded fits of sparse records, and what tells two models apart.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::fit {

/// Records with many zeros, of numbers that float holds too.
inline std::vector<Record> sparse_records(std::size_t n, std::size_t features) {
  std::mt19937_64 random(n + features);
  std::vector<Record> out(n, Record(features + 1));
  for (Record& record : out) {
    for (std::size_t j = 0; j < features; ++j) {
      const auto number = static_cast<int>(random() % 4000);
      record[j] = number < 1000 ? static_cast<double>(number) / 256.0 - 2.0 : 0.0;
    }
    record.back() = record[0] - record[1] + static_cast<double>(random() % 100) / 64.0;
  }
  return out;
}

inline std::uint64_t digest(const model::LinearModel& fitted) {
  std::uint64_t hash = 1469598103934665603u;
  const auto add = [&hash](std::uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
  for (const model::ModelStep& step : fitted.path) {
    add(step.index);
    add(std::bit_cast<std::uint64_t>(step.gradient));
    add(std::bit_cast<std::uint64_t>(step.value));
  }
  for (const model::Head& head : fitted.heads) {
    for (const model::Coefficient& c : head.coef)
      add(std::bit_cast<std::uint64_t>(c.value) + c.index);
    add(std::bit_cast<std::uint64_t>(head.intercept));
  }
  return hash;
}

inline FitSpec seeded_spec(const std::string& loss, const std::string& penalty,
                           const std::string& solver = "gcd") {
  FitSpec spec = small_spec(loss, penalty);
  spec.solver = solver;
  if (solver == "sgd") spec.step = 0.05;
  if (solver.starts_with("refined ")) {
    spec.solver = solver.substr(8);
    spec.refine = "on";
    spec.clip.reset();
    spec.step.reset();
    spec.share.reset();
    spec.release.reset();
  }
  spec.iterations = 12;
  spec.intercept = true;
  spec.epsilon = 8.0;
  spec.seed_for_tests = 99;
  return spec;
}

}  // namespace southwell::fit
