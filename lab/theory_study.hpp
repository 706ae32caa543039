#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/tuning.hpp"

namespace southwell::lab {

/// Error against the number of features at a fixed number of records: the paper's claim is that
/// DP-GCD's grows with log p where the solution is quasi-sparse, that of its rivals with a power.
struct TheoryStudyOptions {
  std::vector<std::size_t> features{100, 1000, 10'000, 100'000};
  std::size_t records = 1000;
  std::vector<std::string> algorithms{"gcd", "cd", "sgd"};
  std::string mode = "paper";  ///< that the theorems speak about
  std::size_t seeds = 20;      ///< instances, one run each
  /// delta is 1 / n^2. At 1, the paper's, the rivals end at w = 0 whatever p is: a flat line.
  double epsilon = 8.0;
  core::Progress progress{};
};

/// One run on one instance.
struct TheoryRun {
  std::string truth;  ///< log_normal, sparse
  std::size_t features = 0;
  std::string algorithm;
  std::uint64_t seed = 0;
  double error = 0.0;  ///< f(w) - f*, of f*
  double share = 0.0;  ///< of f(0) - f*
};

/// The slope of log(f(w) - f*) / (f(0) - f*) against log p, over the seeds: a power law has its
/// power, a logarithm next to nothing.
struct TheorySlope {
  std::string truth;
  std::string algorithm;
  double slope = 0.0;
  double half_width = 0.0;  ///< of a 95 % interval (Student's t)
};

/// A theorem's bound on (f(w) - f*) / f* on the first instance.
struct TheoryBound {
  std::string truth;
  std::size_t features = 0;
  std::string theorem;
  std::optional<double> error;  ///< absent where it does not apply
  std::string failed;           ///< why
};

struct TheoryStudy {
  std::vector<TheoryRun> runs;
  std::vector<TheorySlope> slopes;
  std::vector<TheoryBound> bounds;
};

/// Each algorithm is tuned at each size on an instance of its own, on a part of the paper's grid;
/// then the product's own fit runs once on each of the others. Not private.
TheoryStudy theory_study(const TheoryStudyOptions& options, core::ThreadPool& pool);

/// theory.csv, theory_fits.csv, theory_bounds.csv. Throws DataError where they cannot be written.
void write_theory_study(const TheoryStudy& study, const TheoryStudyOptions& options,
                        const std::filesystem::path& directory);

}  // namespace southwell::lab
