#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/problems.hpp"
#include "southwell/core/progress.hpp"

namespace southwell::lab {

/// The hyperparameters that are searched: `clip` in the product's own units.
struct Setting {
  std::uint64_t iterations = 1;
  double clip = 1.0;
  double step = 1.0;
};

/// The paper's grids; `sub` takes every 5th clip, every 3rd step and all pass counts.
enum class Grid { sub, paper };

/// What a grid is translated by.
struct GridUnits {
  double records = 1.0;
  double features = 1.0;
  double curvature = 1.0;       ///< beta
  double smoothness_sum = 1.0;  ///< of all M_j
};

/// The settings of a solver and mode: the paper's, or every few of them. One pass is one iteration
/// of gcd, p of cd and n / batch of sgd, which is certified on all records; what comes out twice or
/// beyond 10^6 iterations is left out.
std::vector<Setting> settings(const std::string& solver, const std::string& mode, Grid grid,
                              const GridUnits& units);

/// Something to compare solvers on.
struct CompareProblem {
  std::string name;
  std::size_t instances = 1;
  std::function<LoadedProblem(std::uint64_t instance)> load;  ///< instances count from 1
};

/// One of the paper's eight, generated `instances` times or read below `data`.
CompareProblem named_problem(const std::string& name, std::size_t instances,
                             const std::filesystem::path& data, core::ThreadPool& pool);

struct CompareOptions {
  std::vector<std::string> solvers{"gcd"};
  std::vector<std::string> modes{"paper", "certified"};
  std::vector<std::string> rules{"gs_s"};  ///< of gcd
  Grid grid = Grid::sub;
  std::size_t runs = 5;    ///< on each instance, in the search
  std::size_t fresh = 20;  ///< on each instance, of the winner, with seeds of its own
  double epsilon = 1.0;
  std::optional<double> delta;  ///< 1 / n^2
  std::optional<double> share;  ///< of gcd's selections in certified mode; automatic
  core::Progress progress{};
};

/// The best setting of one solver, mode and rule on one problem, and what it reached on fresh
/// seeds: errors are (f(w) - f*) / f*, one row per instance, one column per run.
struct ComparedRow {
  std::string solver;
  std::string mode;
  std::string rule;  ///< empty for solvers without one
  Setting best;
  std::size_t settings = 0;
  double search_error = 0.0;  ///< mean over the runs it was chosen by
  std::vector<std::vector<double>> errors;
  double support_right = 0.0;  ///< mean number of non-zero coefficients that w* has too
  double support_wrong = 0.0;
  double seconds = 0.0;  ///< per fit

  double mean() const;
  double least() const;
  double most() const;
};

struct Compared {
  std::string problem;
  double error_at_zero = 0.0;  ///< mean over instances
  std::vector<ComparedRow> rows;
};

/// mean +- half_width holds the true mean with 95 % (Student's t).
struct Interval95 {
  double mean = 0.0;
  double half_width = 0.0;
};
/// Error of the second less that of the first, paired by instance, or by run where there is one
/// instance.
Interval95 paired_difference(const ComparedRow& first, const ComparedRow& second);

/// Reads records and seeds its noise: not private.
std::vector<Compared> compare(const std::vector<CompareProblem>& problems,
                              const CompareOptions& options, core::ThreadPool& pool);

}  // namespace southwell::lab
