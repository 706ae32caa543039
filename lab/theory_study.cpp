#include "lab/theory_study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "lab/constants.hpp"
#include "lab/csv_text.hpp"
#include "lab/statistics.hpp"
#include "southwell/core/error.hpp"
#include "southwell/solvers/theory.hpp"

namespace southwell::lab {
namespace {

struct Truth {
  const char* name;
  const char* problem;  ///< of the paper: its truth, loss and penalty, at another size
};
constexpr std::array kTruths{Truth{"log_normal", "log2"}, Truth{"sparse", "square"}};

// Of the instances for tuning; the others count from 1.
constexpr std::uint64_t kTuningSeed = 1000;
/// Above it the constants of the theorems, which need an eigenvalue, are not computed.
constexpr std::size_t kMostFeaturesForBounds = 1000;

class Studying {
 public:
  Studying(const TheoryStudyOptions& options, core::ThreadPool& pool)
      : options_(options), pool_(pool) {
    tuning_.runs = 2;
    tuning_.finalists = 8;
    tuning_.final_runs = 4;
    tuning_.fresh = 1;
    tuning_.epsilon = options.epsilon;
  }

  /// A table per thread, from the largest on: few enough of them to fit into memory.
  TheoryStudy run() {
    const std::vector<Contender> all = contenders(options_.algorithms, std::vector{options_.mode},
                                                  std::vector<std::string>{"gs_s"});
    std::vector<Cell> cells;
    for (const Truth& truth : kTruths) {
      for (const std::size_t features : options_.features) {
        cells.push_back({&truth, features, std::vector<PaperSetting>(all.size()),
                         std::vector<Measured>(options_.seeds)});
      }
    }
    std::vector<Cell*> largest_first;
    largest_first.reserve(cells.size());
    for (Cell& cell : cells) largest_first.push_back(&cell);
    std::ranges::sort(largest_first, [](const Cell* a, const Cell* b) {
      return a->features != b->features ? a->features > b->features : a < b;
    });
    ends_ = cells.size() * (all.size() + options_.seeds);

    pool_.run(cells.size() * all.size(), [&](std::size_t task) {
      Cell& cell = *largest_first[task / all.size()];
      cell.winners[task % all.size()] = tune(cell, all[task % all.size()]);
      ran();
    });
    pool_.run(cells.size() * options_.seeds, [&](std::size_t task) {
      Cell& cell = *largest_first[task / options_.seeds];
      cell.measured[task % options_.seeds] = measure(cell, all, 1 + task % options_.seeds);
      ran();
    });
    for (Cell& cell : cells) {
      for (Measured& each : cell.measured) {
        std::ranges::move(each.runs, std::back_inserter(study_.runs));
        std::ranges::move(each.bounds, std::back_inserter(study_.bounds));
      }
    }
    for (const Truth& truth : kTruths) {
      for (const std::string& algorithm : options_.algorithms) fit_slope(truth.name, algorithm);
    }
    return std::move(study_);
  }

 private:
  /// On one instance.
  struct Measured {
    std::vector<TheoryRun> runs;
    std::vector<TheoryBound> bounds;
  };
  struct Cell {
    const Truth* truth;
    std::size_t features;
    std::vector<PaperSetting> winners;  ///< of each contender
    std::vector<Measured> measured;     ///< by seed
  };

  void ran() {
    const std::scoped_lock lock(reporting_);
    core::report(options_.progress, ++done_, ends_);
  }

  std::vector<Instance> instance(const Cell& cell, std::uint64_t seed) const {
    std::vector<Instance> out;
    out.emplace_back(
        generated(paper_problem(cell.truth->problem),
                  {.records = options_.records, .features = cell.features, .seed = seed}, pool_),
        pool_);
    return out;
  }

  PaperSetting tune(const Cell& cell, const Contender& of) const {
    const std::vector<Instance> on = instance(cell, kTuningSeed);
    return Tuning(on, of, tuning_, pool_)
        .best(settings_of(of, on.front(), {.part = PaperExtent::Part::sub}));
  }

  Measured measure(const Cell& cell, const std::vector<Contender>& all, std::uint64_t seed) const {
    const std::vector<Instance> on = instance(cell, seed);
    Measured out;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Tuning tuning(on, all[k], tuning_, pool_);
      const double error = tuning.fresh_run(tuning.plan(cell.winners[k]), 0, seed).error;
      out.runs.push_back({cell.truth->name, cell.features, all[k].solver, seed, error,
                          error / on.front().error_at_zero()});
    }
    if (seed == 1) out.bounds = bounds(*cell.truth, on.front());
    return out;
  }

  std::vector<TheoryBound> bounds(const Truth& truth, const Instance& on) const {
    constexpr double kFailure = 0.05;
    std::vector<TheoryBound> out;
    const double gap = on.optimum.objective_at_zero - on.optimum.objective;
    const auto add = [&](const char* theorem, const solvers::UtilityBound& bound) {
      TheoryBound row{truth.name, on.features(), theorem, {}, bound.failed};
      if (bound.applies()) row.error = bound.value->gap / on.optimum.objective;
      out.push_back(std::move(row));
    };
    if (on.problem.objective.penalty != "l2") {
      add("convex", {{}, "the theorems are for smooth objectives"});
      return out;
    }
    if (on.features() > kMostFeaturesForBounds) {
      add("convex", {{}, "the constants are not computed above 1000 features"});
      return out;
    }
    std::map<std::string, double> constant;
    for (const Constant& each :
         constants(on.problem.dataset, on.problem.objective, pool_).scalars) {
      constant[each.name] = each.value;
    }
    const auto n = static_cast<double>(on.records());
    const auto p = static_cast<double>(on.features());
    const solvers::TheoryProblem problem{.records = n,
                                         .features = p,
                                         .epsilon = options_.epsilon,
                                         .delta = 1.0 / (n * n),
                                         .lipschitz_max = constant.at("l_max"),
                                         .smoothness_min = constant.at("m_min"),
                                         .smoothness_max = constant.at("m_max"),
                                         .initial_gap = gap,
                                         .failure = kFailure};
    add("convex", solvers::convex_bound(problem, constant.at("r_m1")));
    add("strongly_convex", solvers::strongly_convex_bound(problem, constant.at("mu_m2") / p));
    return out;
  }

  /// One slope per seed, by least squares over the sizes.
  void fit_slope(const std::string& truth, const std::string& algorithm) {
    std::map<std::uint64_t, std::vector<std::pair<double, double>>> points;
    for (const TheoryRun& run : study_.runs) {
      if (run.truth != truth || run.algorithm != algorithm) continue;
      points[run.seed].emplace_back(std::log(static_cast<double>(run.features)),
                                    std::log(run.share));
    }
    std::vector<double> slopes;
    slopes.reserve(points.size());
    for (const auto& [seed, each] : points) slopes.push_back(least_squares_slope(each));
    const Interval95 found = interval95(slopes);
    study_.slopes.push_back({truth, algorithm, found.mean, found.half_width});
  }

  const TheoryStudyOptions& options_;
  core::ThreadPool& pool_;
  TuningOptions tuning_;
  TheoryStudy study_;
  std::mutex reporting_;
  std::size_t done_ = 0;
  std::size_t ends_ = 0;
};

}  // namespace

TheoryStudy theory_study(const TheoryStudyOptions& options, core::ThreadPool& pool) {
  if (options.features.size() < 2 || options.seeds < 2) {
    throw InvalidArgument("theory: a slope takes at least two sizes and two seeds");
  }
  return Studying(options, pool).run();
}

void write_theory_study(const TheoryStudy& study, const TheoryStudyOptions& options,
                        const std::filesystem::path& directory) {
  std::string runs = "truth,features,records,algorithm,mode,seed,error,share\n";
  for (const TheoryRun& run : study.runs) {
    runs += csv_text(run.truth, run.features, options.records, run.algorithm, options.mode,
                     run.seed, run.error, run.share);
  }
  std::string fits = "truth,algorithm,mode,slope,slope_low,slope_high\n";
  for (const TheorySlope& each : study.slopes) {
    fits += csv_text(each.truth, each.algorithm, options.mode, each.slope,
                     each.slope - each.half_width, each.slope + each.half_width);
  }
  std::string bounds = "truth,features,theorem,bound,failed\n";
  for (const TheoryBound& each : study.bounds) {
    bounds += csv_text(each.truth, each.features, each.theorem, each.error, each.failed);
  }
  make_directory(directory);
  write_text(directory / "theory.csv", runs);
  write_text(directory / "theory_fits.csv", fits);
  write_text(directory / "theory_bounds.csv", bounds);
}

}  // namespace southwell::lab
