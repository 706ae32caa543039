#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "lab/objectives.hpp"
#include "southwell/data/generate.hpp"

namespace southwell::lab {

/// One of the paper's eight problems. All are without intercept.
struct PaperProblem {
  std::string_view name;
  std::string_view file;  ///< below the data directory; empty: generated
  bool standardized;      ///< columns centered and scaled to variance 1
  /// Target (y - shift) / scale, where the published table is on another scale than the file.
  double target_shift;
  double target_scale;
  std::string_view loss;
  std::string_view penalty;
  double alpha;
  std::optional<int> published_support;  ///< absent: dense
};

std::span<const PaperProblem> paper_problems();
/// Throws InvalidArgument, naming what is accepted.
const PaperProblem& paper_problem(std::string_view name);

struct LoadedProblem {
  data::Dataset dataset;
  std::vector<double> truth;  ///< the coefficients that made a generated target, else empty
  ObjectiveSpec objective;
};

/// Reads the problem's file below `directory`, or generates it with `seed`, and prepares it as the
/// paper does: from the records, so not private.
LoadedProblem load(const PaperProblem& problem, const std::filesystem::path& directory,
                   std::uint64_t seed, core::ThreadPool& pool);

/// A generated problem at another size than the paper's.
LoadedProblem generated(const PaperProblem& problem, const data::GenerateOptions& size,
                        core::ThreadPool& pool);

}  // namespace southwell::lab
