#pragma once

#include <cstdint>
#include <filesystem>
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

/// The paper's grid for DP-GCD; `sub` takes every 5th clip, every 3rd step and all iterations.
enum class Grid { sub, paper };

struct CompareOptions {
  std::vector<std::string> problems;
  std::vector<std::string> modes{"paper", "certified"};
  std::string rule = "gs_s";
  Grid grid = Grid::sub;
  std::size_t instances = 10;  ///< of a generated problem; a file has one
  std::size_t runs = 5;        ///< on each instance, in the search
  std::size_t fresh = 20;      ///< on each instance, of the winner, with seeds of its own
  double epsilon = 1.0;
  std::optional<double> delta;  ///< 1 / n^2
  std::optional<double> share;  ///< of selections in certified mode; automatic
  std::filesystem::path data;
  core::Progress progress{};
};

/// The best setting of one mode on one problem, and what it reached on fresh seeds: errors are
/// (f(w) - f*) / f*, one row per instance, one column per run.
struct ComparedMode {
  std::string mode;
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
  std::vector<ComparedMode> modes;
};

/// mean +- half_width holds the true mean with 95 % (Student's t).
struct Interval95 {
  double mean = 0.0;
  double half_width = 0.0;
};
/// Error of the second mode less that of the first, paired by instance, or by run where there is
/// one instance.
Interval95 paired_difference(const Compared& compared);

/// Reads records and seeds its noise: not private.
std::vector<Compared> compare(const CompareOptions& options, core::ThreadPool& pool);

}  // namespace southwell::lab
