#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/paper_grid.hpp"
#include "lab/problems.hpp"
#include "southwell/core/progress.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::lab {

/// What a grid search tunes. DP-SGD is searched on one record per step in paper mode, as published,
/// and on all records in certified mode.
struct Contender {
  std::string solver;  ///< gcd, cd, sgd; auto where nothing is tuned
  std::string mode;    ///< paper, certified; untuned: certified, as automatic choices make it
  std::string rule;    ///< empty but for gcd

  /// gcd-paper-gs_s
  std::string name() const;
  bool takes_all_records() const { return solver == "sgd" && mode == "certified"; }
  /// Its grid is one setting, and nothing of it comes from the data: scales are 1, that of a
  /// regression's target is found by a mechanism, and so is its center. A regression then has an
  /// intercept, which the paper's problems lack; it is left out when the model is judged, as their
  /// columns are centered.
  bool is_untuned() const { return mode == "untuned"; }
};
/// Solvers, then modes, then the rules of gcd; what is untuned comes last, and once.
std::vector<Contender> contenders(std::span<const std::string> solvers,
                                  std::span<const std::string> modes,
                                  std::span<const std::string> rules);

/// A problem with what its searches share.
struct Instance {
  LoadedProblem problem;
  solvers::Optimum optimum;
  double smoothness_sum = 1.0;  ///< of all M_j
  double smoothness_max = 1.0;

  explicit Instance(LoadedProblem loaded, core::ThreadPool& pool);
  std::size_t records() const { return problem.dataset.records(); }
  std::size_t features() const { return problem.dataset.features(); }
  /// (f - f*) / f*; infinite where it is not a number.
  double relative_error(double objective) const;
  double error_at_zero() const { return relative_error(optimum.objective_at_zero); }
};

/// The points of the contender's grid on this problem.
std::vector<PaperSetting> settings_of(const Contender& contender, const Instance& instance,
                                      const PaperExtent& extent);

/// Relative errors over runs.
struct ErrorSummary {
  double mean = 0.0;
  double least = 0.0;
  double most = 0.0;

  static ErrorSummary of(std::span<const double> errors);
};

/// A run of a setting by the product's own fit.
struct FreshRun {
  std::uint64_t seed = 0;
  double error = 0.0;
  std::size_t support_right = 0;  ///< non-zero coefficients that w* has too
  std::size_t support_wrong = 0;
  double seconds = 0.0;  ///< of the fit, on one thread beside those of others
};

/// What all searches of a study share.
struct TuningOptions {
  std::size_t runs = 5;         ///< of each setting on each instance, in the search
  std::size_t finalists = 32;   ///< the best so many settings run again before one is chosen,
  std::size_t final_runs = 20;  ///< so often on each instance
  std::size_t fresh = 50;       ///< of the winner on each instance, with seeds of its own
  double epsilon = 1.0;
  std::optional<double> delta{};  ///< 1 / n^2
  // Of gcd in certified mode; automatic.
  std::optional<double> share{};
  std::optional<std::string> selection{};
  std::optional<std::string> release{};
  core::Progress progress{};  ///< may throw to stop
};

struct Tuned {
  std::vector<PaperSetting> settings;
  std::vector<ErrorSummary> searched;        ///< of each setting, over instances and runs
  std::size_t settings_run = 0;              ///< those that do not coincide with another
  std::size_t best = 0;                      ///< the setting with the least mean over all its runs
  std::vector<std::vector<FreshRun>> fresh;  ///< of the best, by instance

  const PaperSetting& winner() const { return settings[best]; }
  /// Over instances and runs.
  ErrorSummary fresh_error() const;
};

/// Seeds of a search are 1, 2, ...; those of finalists and of the winner's runs begin here.
inline constexpr std::uint64_t kFinalSeed = 500'000;
inline constexpr std::uint64_t kFreshSeed = 1'000'000;

/// Tunes a contender on a grid, over one or more instances of a problem: all settings are simulated
/// (lab/simulator) where that is possible and fitted where it is not. Of thousands of settings the
/// best in a few runs is the luckiest: the finalists run again before one is chosen, and the winner
/// on fresh seeds with the product's own fits. Reads records and seeds its noise: not private.
class Tuning {
 public:
  Tuning(std::span<const Instance> instances, Contender contender, const TuningOptions& options,
         core::ThreadPool& pool);

  /// Sees every model of the winner's runs; called from the pool's threads.
  using Look =
      std::function<void(std::size_t instance, std::size_t run, const model::LinearModel& model)>;
  Tuned run(std::vector<PaperSetting> settings, const Look& look = {}) const;

  /// The winner alone.
  PaperSetting best(std::vector<PaperSetting> settings) const;
  /// Runs of settings with one number of iterations on each instance, seeds from `first` on.
  std::vector<ErrorSummary> errors(
      std::span<const PaperSetting> settings, std::uint64_t first, std::size_t runs,
      const std::function<void()>& ran = [] {}) const;

  /// The plan of a setting, the paper's scales taken from the data unless nothing is tuned.
  fit::FitPlan plan(const PaperSetting& setting) const;
  /// The product's clip of the paper's C = 1.
  double clip_unit() const;
  /// The product's step of the grid's 1: gradient descent on all records has one step for all
  /// coordinates, on the grid of the coordinate solvers in units of 1 / max M_j.
  double step_unit() const;
  /// The product's own fit with seeded noise.
  model::LinearModel fit(const fit::FitPlan& plan, std::size_t instance, std::uint64_t seed) const;
  /// The same, judged. `look` sees the model.
  FreshRun fresh_run(const fit::FitPlan& plan, std::size_t instance, std::uint64_t seed,
                     const std::function<void(const model::LinearModel&)>& look = {}) const;

 private:
  /// Budget, objective and solver: what plans of all settings share.
  fit::FitSpec asked() const;
  fit::FitPlan untuned_plan() const;
  /// Errors of all settings of a batch in the run with this seed.
  using ErrorsOf = std::function<std::vector<double>(std::uint64_t seed)>;

  Tuned chosen(std::vector<PaperSetting> settings) const;
  void search(Tuned& out) const;
  void choose(Tuned& out) const;
  ErrorsOf simulated(std::span<const PaperSetting> settings, std::size_t instance) const;
  ErrorsOf fitted(std::span<const PaperSetting> settings, std::size_t instance) const;
  FreshRun judged(const model::LinearModel& model, std::size_t instance) const;

  std::span<const Instance> instances_;
  Contender contender_;
  const TuningOptions& options_;
  core::ThreadPool& pool_;
};

}  // namespace southwell::lab
