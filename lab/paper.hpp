#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/tuning.hpp"

namespace southwell::lab {

struct PaperOptions {
  std::vector<std::string> problems;  ///< by name; empty: all eight
  std::vector<std::string> algorithms{"gcd", "cd", "sgd"};
  std::vector<std::string> modes{"paper", "certified"};
  std::vector<std::string> rules{"gs_s"};  ///< of gcd
  PaperExtent extent{};
  TuningOptions tuning;        ///< delta is 1 / n^2
  std::uint64_t instance = 1;  ///< seed of the generated problems
  std::filesystem::path data;
  std::filesystem::path out;  ///< empty: nothing is written
};

/// One grid search.
struct PaperCell {
  std::string problem;
  Contender of;

  std::string name() const { return problem + "-" + of.name(); }
};
/// In the order in which they run. DP-SGD has a paper mode alone here: the paper's batches of one
/// record are no way to run the certified one.
std::vector<PaperCell> paper_cells(const PaperOptions& options);

struct TrajectoryPoint {
  double passes = 0.0;
  std::uint64_t iterations = 0;
  double seconds = 0.0;  ///< of a fit alone on one thread, whose iterations cost the same
  ErrorSummary error;    ///< over the winner's fresh runs
};

struct PaperResult {
  PaperCell cell;
  std::size_t records = 0;
  std::size_t features = 0;
  double objective = 0.0;      ///< f*
  double error_at_zero = 0.0;  ///< (f(0) - f*) / f*
  std::size_t optimum_support = 0;
  Tuned tuned{};
  std::optional<double> share{};  ///< of the selections of certified gcd
  /// Of gcd, mean per run: steps that do not change the sign of a coefficient, and those that take
  /// one to zero or across it (the terms of Karimireddy et al. 2019).
  std::optional<double> good_steps{};
  std::optional<double> bad_steps{};
  std::vector<TrajectoryPoint> trajectory{};
  double search_seconds = 0.0;
  double fit_seconds = 0.0;  ///< of the winner alone on one thread

  const std::vector<FreshRun>& fresh() const { return tuned.fresh.front(); }
};

/// A problem with what its searches share.
struct PaperCase {
  std::string name;
  Instance instance;
  std::string sha256;  ///< of the numbers as they are used
};
PaperCase load_case(const std::string& problem, const PaperOptions& options,
                    core::ThreadPool& pool);

/// One grid search with its winner's fresh runs. Reads records and seeds its noise: not private.
PaperResult search(const PaperCase& on, const PaperCell& cell, const PaperOptions& options,
                   core::ThreadPool& pool);

/// Roughly in seconds of one core, for the estimate of the time that is left.
double expected_cost(const PaperCase& on, const PaperCell& cell, const PaperOptions& options);

}  // namespace southwell::lab
