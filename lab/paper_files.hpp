#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/paper.hpp"

namespace southwell::lab {

/// A search in one line.
struct PaperWinner {
  PaperCell cell;
  std::size_t records = 0;
  std::size_t features = 0;
  double objective = 0.0;
  double error_at_zero = 0.0;
  std::size_t optimum_support = 0;
  std::size_t settings = 0;
  std::size_t settings_run = 0;
  std::size_t runs = 0;
  std::size_t fresh_runs = 0;
  PaperSetting best;
  ErrorSummary search;
  ErrorSummary fresh;
  double support_right = 0.0;  ///< means over the fresh runs
  double support_wrong = 0.0;
  std::optional<double> share{};  ///< as in PaperResult
  std::optional<double> good_steps{};
  std::optional<double> bad_steps{};
  double search_seconds = 0.0;
  double fit_seconds = 0.0;
};
PaperWinner winner_of(const PaperResult& result, std::size_t runs);

/// The output directory: results.csv (every setting), winners.csv, trajectories.csv, supports.csv,
/// problems.csv, optimum.csv (the coefficients of w*), manifest.json; below cells/ the first four
/// by search, from which an interrupted study goes on.
class PaperFiles {
 public:
  /// Makes the directory. Throws DataError where it cannot be written.
  explicit PaperFiles(const PaperOptions& options);

  /// The winner of a search that was finished with the same options, version and data.
  std::optional<PaperWinner> finished(const PaperCell& cell, const std::string& sha256) const;
  void write(const PaperResult& result, const std::string& sha256) const;
  /// Puts these searches together into the files above.
  void combine(const std::vector<PaperCell>& cells) const;
  void write_problems(const std::map<std::string, PaperCase>& cases) const;

 private:
  std::filesystem::path directory(const PaperCell& cell) const;
  std::string inputs(const std::string& sha256) const;

  const PaperOptions& options_;
};

/// All searches asked for, those that are finished in the output directory taken from there. Calls
/// `each` after every search. Reads records and seeds its noise: not private.
std::vector<PaperWinner> run_paper(const PaperOptions& options, core::ThreadPool& pool,
                                   const std::function<void(const PaperWinner&)>& each);

}  // namespace southwell::lab
