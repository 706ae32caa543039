// DP-CD and DP-SGD in the limit without noise: they are ordinary solvers then.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "solvers/small_table.hpp"
#include "southwell/solvers/cd.hpp"
#include "southwell/solvers/reference/reference.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::solvers {
namespace {

using problem::AnyLoss;
using problem::AnyPenalty;
using problem::Intercept;

problem::Coordinates coordinates_of(const Table& t, const AnyLoss& loss,
                                    const AnyPenalty& penalty) {
  return problem::Coordinates({.features = t.p,
                               .intercept = Intercept::free,
                               .curvature = problem::curvature_bound(loss),
                               .l2 = problem::curvature(penalty),
                               .clip = 100.0,  // above every gradient
                               .records = static_cast<double>(t.n)});
}

/// The coefficients that `solve(parts, coordinates, pool)` finds on this design, and what they
/// cost.
template <class Design, class Solve>
double objective_after(const Design& design, const Table& t, const AnyLoss& loss,
                       const AnyPenalty& penalty, Solve&& solve) {
  core::ThreadPool pool(1);
  const problem::Coordinates coordinates = coordinates_of(t, loss, penalty);
  const std::vector<double> labels = labels_of(loss);
  const problem::RecordWeights weights;
  const problem::RecordFactors factors;
  const problem::GradientParts<Design> parts{.design = design,
                                             .target = t.target,
                                             .classes = labels,
                                             .loss = loss,
                                             .coordinates = coordinates,
                                             .weights = weights,
                                             .factors = factors};
  std::vector<double> coef = solve(parts, coordinates, pool);
  problem::Coefficients at{coef, coef.back()};
  at.coef.pop_back();
  const problem::Objective objective(design, std::span<const double>(t.target), loss, penalty,
                                     Intercept::free);
  return objective.loss_value(objective.margins(at)) + objective.penalty_value(at);
}

double best_of(const Table& t, const AnyLoss& loss, const AnyPenalty& penalty) {
  core::ThreadPool pool(1);
  const data::DenseDesign<double> design = dense(t);
  const problem::Objective objective(design, std::span<const double>(t.target), loss, penalty,
                                     Intercept::free);
  return reference(objective, {.gap = 1e-10}, pool).objective;
}

/// For every loss and penalty, dense and sparse.
template <class Solve>
void expect_the_optimum_everywhere(const Solve& solve) {
  core::ThreadPool pool(1);
  for (const AnyLoss& loss : all_losses()) {
    const Table t = table(80, 6, !labels_of(loss).empty());
    for (const AnyPenalty& penalty : all_penalties()) {
      const auto run = [&](const auto& design) {
        return objective_after(design, t, loss, penalty,
                               [&](const auto& parts, const auto& coordinates, auto& threads) {
                                 return solve(parts, penalty, coordinates, threads);
                               });
      };
      const std::string what = std::string(name_of(loss)) + " " + std::string(name_of(penalty));
      const double by_dense = run(dense(t));
      EXPECT_LE(by_dense, best_of(t, loss, penalty) * (1.0 + 1e-6)) << what;
      EXPECT_EQ(by_dense, run(sparse(t))) << what;
    }
  }
}

TEST(Cd, WithoutNoiseReachesTheOptimumOfEveryLossAndPenaltyDenseAndSparse) {
  expect_the_optimum_everywhere(
      []<class Design>(const problem::GradientParts<Design>& parts, const AnyPenalty& penalty,
                       const problem::Coordinates& coordinates, core::ThreadPool& pool) {
        problem::CoordinateProblem<Design> problem(parts, penalty,
                                                   std::vector<double>(coordinates.size()), pool);
        privacy::SeededRandomBits bits(5);
        constexpr std::uint64_t kIterations = 3000;
        UniformCoordinates choose(coordinates.size(), bits);
        CertifiedRelease release(privacy::DiscreteLaplaceRelease(1, 1), kIterations, bits);
        const auto path = cd(problem, choose, release, {.iterations = kIterations});
        EXPECT_EQ(path.size(), kIterations);
        return problem.coef();
      });
}

TEST(Sgd, OnAllRecordsWithoutNoiseReachesTheOptimumOfEveryLossAndPenaltyDenseAndSparse) {
  for (const Iterate iterate : {Iterate::last, Iterate::average}) {
    expect_the_optimum_everywhere([&]<class Design>(const problem::GradientParts<Design>& parts,
                                                    const AnyPenalty& penalty,
                                                    const problem::Coordinates& coordinates,
                                                    core::ThreadPool& pool) {
      std::vector<double> clips(coordinates.size());
      for (std::size_t c = 0; c < clips.size(); ++c) clips[c] = coordinates.clip(c);
      problem::BatchProblem<Design> problem(parts, penalty, {.clip_units = clips, .batch = 80.0},
                                            std::vector<double>(coordinates.size()), pool);
      privacy::SeededRandomBits bits(5);
      CertifiedSgd mechanism(privacy::DiscreteGaussianRelease(1, 1), std::uint64_t{1} << 32, bits);
      // Standardised columns: the trace bounds the curvature in every direction.
      const double curvature = 0.5 * static_cast<double>(coordinates.size());
      FixedStep step{1.0 / (curvature * coordinates.smoothness(coordinates.size() - 1) +
                            problem::curvature(penalty))};
      return sgd(problem, mechanism, step, {.iterations = 4000, .iterate = iterate});
    });
  }
}

TEST(Sgd, OnBatchesComesNearTheOptimumWithoutNoise) {
  const Table t = table(400, 3, false);
  const AnyLoss loss = problem::Squared{};
  const AnyPenalty penalty = problem::L1(0.05);
  const auto solve = [&]<class Design>(const problem::GradientParts<Design>& parts,
                                       const problem::Coordinates& coordinates,
                                       core::ThreadPool& pool) {
    problem::BatchProblem<Design> problem(
        parts, penalty,
        {.clip_units = std::vector<double>(coordinates.size(), 100.0), .batch = 40.0},
        std::vector<double>(coordinates.size()), pool);
    privacy::SeededRandomBits bits(8);
    CertifiedSgd mechanism(privacy::DiscreteGaussianRelease(1, 1), (std::uint64_t{1} << 32) / 10,
                           bits);
    FixedStep step{0.01};
    return sgd(problem, mechanism, step, {.iterations = 4000, .iterate = Iterate::average});
  };
  const double best = best_of(t, loss, penalty);
  EXPECT_LE(objective_after(dense(t), t, loss, penalty, solve), best * 1.001);
}

TEST(Sgd, AveragesItsIteratesFromOneOn) {
  AverageIterate average(1, 2);
  const std::vector<double> iterates{100.0, 50.0, 1.0, 2.0, 6.0};
  for (std::uint64_t t = 0; t < 5; ++t) average.add(t, {&iterates[t], 1});
  EXPECT_DOUBLE_EQ(average.mean()[0], 3.0);
}

}  // namespace
}  // namespace southwell::solvers
