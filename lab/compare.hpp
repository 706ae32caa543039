#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/statistics.hpp"
#include "lab/tuning.hpp"

namespace southwell::lab {

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
  PaperExtent extent{.part = PaperExtent::Part::sub};
  TuningOptions tuning{.fresh = 20};
};

/// One contender on one problem.
struct ComparedRow {
  Contender of;
  double clip = 1.0;  ///< the winner's, in the product's own units
  double step = 1.0;
  Tuned tuned;

  std::size_t runs() const;  ///< of the winner, over all instances
  /// The mean over all of them.
  double mean(double (*value)(const FreshRun&)) const;
};

struct Compared {
  std::string problem;
  double error_at_zero = 0.0;  ///< mean over instances
  std::vector<ComparedRow> rows{};
};

/// Error of the second less that of the first, paired by instance, or by run where there is one
/// instance.
Interval95 paired_difference(const Tuned& first, const Tuned& second);

/// Reads records and seeds its noise: not private.
std::vector<Compared> compare(const std::vector<CompareProblem>& problems,
                              const CompareOptions& options, core::ThreadPool& pool);

}  // namespace southwell::lab
