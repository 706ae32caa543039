#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lab/paper_grid.hpp"
#include "lab/problems.hpp"
#include "southwell/core/progress.hpp"

namespace southwell::lab {

struct PaperOptions {
  std::vector<std::string> problems;  ///< by name; empty: all eight
  std::vector<std::string> algorithms{"gcd", "cd", "sgd"};
  std::vector<std::string> modes{"paper", "certified"};
  std::vector<std::string> rules{"gs_s"};  ///< of gcd
  PaperExtent extent = PaperExtent::whole;
  std::size_t runs = 5;        ///< of each setting, in the search
  std::size_t fresh = 50;      ///< of each winner, with seeds of its own
  double epsilon = 1.0;        ///< delta is 1 / n^2
  std::uint64_t instance = 1;  ///< seed of the generated problems
  std::filesystem::path data;
  std::filesystem::path out;  ///< empty: nothing is written
  core::Progress progress{};  ///< may throw to stop; what is finished stays
};

/// One grid search.
struct PaperCell {
  std::string problem;
  std::string algorithm;
  std::string mode;
  std::string rule;  ///< empty but for gcd

  std::string name() const;
};
/// In the order in which they run. DP-SGD has a paper mode alone here: the paper's batches of one
/// record are no way to run the certified one.
std::vector<PaperCell> paper_cells(const PaperOptions& options);

/// Relative errors (f(w) - f*) / f* over runs.
struct ErrorSummary {
  double mean = 0.0;
  double least = 0.0;
  double most = 0.0;

  static ErrorSummary of(std::span<const double> errors);
};

/// A run of the winner by the product's own fit.
struct FreshRun {
  std::uint64_t seed = 0;
  double error = 0.0;
  std::size_t support_right = 0;  ///< non-zero coefficients that w* has too
  std::size_t support_wrong = 0;
};

struct TrajectoryPoint {
  double passes = 0.0;
  std::uint64_t iterations = 0;
  ErrorSummary error;  ///< over the winner's fresh runs
};

struct PaperResult {
  PaperCell cell;
  std::size_t records = 0;
  std::size_t features = 0;
  double objective = 0.0;      ///< f*
  double error_at_zero = 0.0;  ///< (f(0) - f*) / f*
  std::size_t optimum_support = 0;
  std::vector<PaperSetting> settings;
  std::vector<ErrorSummary> searched;  ///< of each setting
  std::size_t settings_run = 0;        ///< those that do not coincide with another
  std::size_t best = 0;                ///< the setting with the least mean
  std::vector<FreshRun> fresh;
  std::vector<TrajectoryPoint> trajectory;  ///< sgd, whose fits keep no path: its two ends
  double search_seconds = 0.0;
  double fresh_seconds = 0.0;

  ErrorSummary fresh_error() const;
};

/// Seeds of the search are 1, 2, ...; those of the winners begin here.
inline constexpr std::uint64_t kFreshSeed = 1'000'000;

/// A problem with what its searches share.
struct PaperCase {
  LoadedProblem problem;
  solvers::Optimum optimum;
  double clip_unit = 1.0;  ///< gcd and cd: the product's clip of the paper's C = 1
  std::string sha256{};    ///< of the numbers as they are used

  double relative_error(double objective) const;
};
PaperCase load_case(const std::string& problem, const PaperOptions& options,
                    core::ThreadPool& pool);

/// One grid search with its winner's fresh runs. Reads records and seeds its noise: not private.
PaperResult search(const PaperCase& on, const PaperCell& cell, const PaperOptions& options,
                   core::ThreadPool& pool);

/// Roughly in seconds of one core, for the estimate of the time that is left.
double expected_cost(const PaperCase& on, const PaperCell& cell, const PaperOptions& options);

}  // namespace southwell::lab
