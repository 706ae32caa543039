#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/objectives.hpp"

namespace southwell::lab {

struct GreedyOptions {
  std::string rule = "gs_s";  ///< gs_s, gs_r or gs_q
  int iterations = 100;
  double step = 1.0;  ///< gamma: coordinate j moves by gamma / M_j
};

/// One iteration. `feature` is the number of features for the intercept.
struct GreedyStep {
  std::size_t feature = 0;
  double gradient = 0.0;  ///< of the smooth part, l2 term included, before the step
  double value = 0.0;     ///< of the coefficient, after it
  double objective = 0.0;
  /// In the sense of Karimireddy et al. (2019): a step is bad if it takes a coefficient from inside
  /// a piece of the penalty (l1: not zero; box: not at a bound) onto or across a kink. Good steps
  /// make the progress of a smooth problem; on them the three rules agree.
  bool good = true;
};

struct GreedyRun {
  Coefficients at;
  double objective_at_zero = 0.0;
  std::vector<GreedyStep> steps;  ///< fewer than asked for if no coordinate can move any more
  std::size_t good_steps() const;
  std::size_t bad_steps() const { return steps.size() - good_steps(); }
  double objective() const { return steps.empty() ? objective_at_zero : steps.back().objective; }
};

/// Proximal greedy coordinate descent without noise, from zero, with M_j from the data: the
/// paper's Alg. 2 with the noise taken out. Reads records: not private.
GreedyRun greedy(const data::Dataset& dataset, const ObjectiveSpec& spec,
                 const GreedyOptions& options, core::ThreadPool& pool);

}  // namespace southwell::lab
