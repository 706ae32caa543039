#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "lab/simulator_noise.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit_plan.hpp"

namespace southwell::lab {

/// What differs between the fits of a batch; `clip` in the product's own units.
struct SimulatedSetting {
  double clip = 1.0;
  double step = 1.0;
};

struct Simulated {
  double objective = 0.0;  ///< at the last iterate; infinite where it is not a number
  std::size_t first = 0;   ///< the coordinate that had the first step; sgd moves all
};

struct RecordTable;

/// A dense table is taken in floats.
using LaneDesign = std::variant<data::DenseDesign<float>, data::SparseDesign>;

/// Many fits of one plan at once, at clips and steps of their own: settings in vector lanes, so
/// that one read of the design serves all of them, with common random numbers across settings and
/// independent ones across seeds. Prox, rule and step are the product's templates, loss and clip
/// follow them in floats, and the noise has the plan's scales.
///
/// The laws of the fits are the product's, but for what no grid search can see: the integer grid is
/// not rounded to (2^-21 of a clip, where noise is of the size of a clip), so discrete noise is
/// continuous; the exponential mechanism draws by Gumbel noise; margins, slopes and coefficients
/// are floats, good to 1e-7, and sums of n of them to n 1e-7 at most;
/// DP-SGD has its noise out of a pool and may take steps of next to no shrinkage together, as the
/// settings beside it allow. Seeded noise in floating point: research only, not private.
class Simulator {
 public:
  /// `plan` says everything but clip and step. Throws InvalidArgument for what is not simulated: an
  /// intercept, more than two classes, a start other than zero, other mechanisms than the standard
  /// ones, certified or averaged sgd or sgd in a box; DataError for records with values that are
  /// no finite floats.
  Simulator(const data::Dataset& dataset, const fit::FitPlan& plan, core::ThreadPool& pool);

  /// One run of each setting with the noise of `seed`.
  std::vector<Simulated> run(std::span<const SimulatedSetting> settings, std::uint64_t seed) const;

  /// Of sgd, whose fits keep no path: the objective after so many iterations each (ascending) of
  /// one run.
  std::vector<double> trajectory(const SimulatedSetting& setting, std::uint64_t seed,
                                 std::span<const std::uint64_t> iterations) const;

  /// What all fits of the batch have in common.
  struct Shared {
    LaneDesign design;
    problem::AnyLoss loss = {};
    problem::AnyPenalty penalty = {};
    std::vector<double> target = {};  ///< as the loss takes it
    std::vector<float> float_target = {};
    std::vector<double> smoothness = {};  ///< M_j
    std::vector<double> bound = {};       ///< C_j at clip 1: sqrt(M_j / beta)
    double curvature = 1.0;               ///< beta
    double l2 = 0.0;
    double records = 1.0;  ///< the public divisor
    std::uint64_t iterations = 1;
    enum class Algorithm { gcd, cd, sgd } algorithm = Algorithm::gcd;
    bool certified = true;
    problem::GreedyRule rule{};
    GreedyNoise::Law selection = GreedyNoise::Law::laplace;
    GreedyNoise::Law release = GreedyNoise::Law::laplace;
    double select_scale = 0.0;   ///< of the selections, in grid bounds K
    double release_scale = 0.0;  ///< of the releases, in units of C_j / n; sgd: of the clip
  };

 private:
  void read_greedy(const fit::FitPlan& plan);
  void read_coordinate(const fit::FitPlan& plan);
  void read_gradient(const fit::FitPlan& plan);
  std::vector<Simulated> run_gradient(std::span<const SimulatedSetting> settings,
                                      std::uint64_t seed) const;
  template <class RunLanes>
  std::vector<Simulated> run_groups(std::span<const SimulatedSetting> settings,
                                    const RunLanes& run_lanes) const;

  Shared shared_;
  std::shared_ptr<const RecordTable> records_;  ///< sgd alone
  core::ThreadPool& pool_;
};

}  // namespace southwell::lab
