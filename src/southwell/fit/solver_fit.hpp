#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/core/progress.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit_spec.hpp"
#include "southwell/model/statement.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/privacy/relation.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"
#include "southwell/problem/shown.hpp"
#include "southwell/solvers/path.hpp"

namespace southwell::fit {

// What the solvers of a fit have in common. A solver's part of a fit (gcd_fit.hpp and its like) is
//   read(planning)                    its own public inputs; what does not apply to it is refused
//   automatic(of)                     its defaults
//   calibrate(planning, iterations, automatic)   its noise, and its mechanisms, for the statement
//   step_length(coordinates, c, step), gradient_noise_sd(coordinates, c)
//   extent(coordinates, iterations)   how much its model can hold
//   solve(work)                       the fit itself
// and an entry in the variant of FitPlan.

enum class Mode { certified, paper };

/// What an input is only valid with, and why this fit is none of that, for a refusal.
struct ValidWith {
  std::string what;
  std::string because{};

  static ValidWith solver(std::string_view valid, std::string_view used) {
    return {"solver " + std::string(valid), "this fit uses " + std::string(used)};
  }
};

/// What is decided before the solver speaks, and where it notes what it decides.
struct Planning {
  const FitSpec& spec;
  Statement& statement;
  Mode mode = Mode::certified;
  bool is_regression = false;
  bool refined = false;  ///< as the solver finds
  privacy::Budget budget{};
  privacy::Relation relation{};
  std::uint64_t records = 0;      ///< the public divisor
  privacy::Composition beside{};  ///< what the budget pays for besides the solver

  /// The plan's noise at the whole budget.
  privacy::Calibrated calibrated(const privacy::Plan& plan) const {
    return privacy::calibrate(plan, budget, beside);
  }
  /// The iterations that calibration counts.
  static std::uint64_t charged(std::uint64_t iterations);
  void note(std::string name, PublicInput::Value value, Source source) {
    statement.public_inputs.push_back({std::move(name), std::move(value), source});
  }
  static Source source_of(bool given) { return given ? Source::user : Source::standard; }
  /// Refuses an input that is only valid with something else.
  template <class T>
  static void refuse_if_given(const char* name, const std::optional<T>& value,
                              const ValidWith& with) {
    if (!value) return;
    if constexpr (std::is_same_v<T, bool>) {
      refuse_stranger(name, *value ? "on" : "off", with);
    } else if constexpr (std::is_convertible_v<T, std::string>) {
      refuse_stranger(name, "'" + *value + "'", with);
    } else {
      refuse_stranger(name, problem::shown(static_cast<double>(*value)), with);
    }
  }
  [[noreturn]] static void refuse_stranger(const char* name, const std::string& given,
                                           const ValidWith& with);
};

/// Everything a solver runs on.
struct SolverWork {
  const data::Dataset& dataset;
  const problem::AnyLoss& loss;
  const problem::AnyPenalty& penalty;
  std::span<const double> classes;
  const problem::Coordinates& coordinates;
  const std::vector<double>& start;
  std::uint64_t iterations;
  double step;
  double slope_scale;        ///< how large slopes are said to be at the start
  double slope_scale_doubt;  ///< the sd of its logarithm
  std::size_t shards;
  const core::Progress& progress;
  core::ThreadPool& pool;
  privacy::RandomBits& bits;
};

struct Solved {
  std::vector<double> coef;
  std::vector<solvers::PathStep> path;
  std::vector<bool> moved;  ///< per coordinate: whether a step, and so its noise, went into it
  std::vector<double> noise_sd{};  ///< in every coefficient; empty: as planned
};

template <class Design>
problem::GradientParts<Design> gradient_parts(const Design& design, const SolverWork& work) {
  return {.design = design,
          .target = work.dataset.target,
          .classes = work.classes,
          .loss = work.loss,
          .coordinates = work.coordinates,
          .shards = work.shards};
}

/// What the model of a fit holds at most, whatever is chosen.
struct Extent {
  std::uint64_t moved = 0;  ///< coordinates that a step can go into
  std::uint64_t steps = 0;  ///< of the path
};

/// Of a solver of single coordinates: one step an iteration.
inline Extent extent_along(const problem::Coordinates& all, std::uint64_t iterations) {
  return {.moved = std::min<std::uint64_t>(iterations, all.size()), .steps = iterations};
}

/// A solver of single coordinates moved those of its path.
Solved solved_along(std::vector<double> coef, std::vector<solvers::PathStep> path);

}  // namespace southwell::fit
