#include "southwell/solvers/gcd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "solvers/small_table.hpp"
#include "southwell/solvers/reference/reference.hpp"
#include "southwell/solvers/theory.hpp"

namespace southwell::solvers {
namespace {

using problem::AnyLoss;
using problem::AnyPenalty;
using problem::Intercept;

/// The smallest noise there is: one grid unit, K = 2^20 of which are a clip.
CertifiedGreedy quiet(std::uint64_t iterations, privacy::RandomBits& bits) {
  return {privacy::ExponentialMechanism(1, 1),
          {privacy::DiscreteLaplaceRelease(1, 1), iterations, bits},
          bits};
}

template <class Design>
double reached(const Design& design, const Table& t, const AnyLoss& loss, const AnyPenalty& penalty,
               problem::GreedyRule rule, double* best) {
  core::ThreadPool pool(1);
  const problem::Objective objective(design, std::span<const double>(t.target), loss, penalty,
                                     Intercept::free);
  if (std::isnan(*best)) *best = reference(objective, {.gap = 1e-10}, pool).objective;
  const problem::Coordinates coordinates({.features = t.p,
                                          .intercept = Intercept::free,
                                          .curvature = problem::curvature_bound(loss),
                                          .l2 = problem::curvature(penalty),
                                          .clip = 100.0,  // above every product
                                          .records = static_cast<double>(t.n)});
  const std::vector<double> labels = labels_of(loss);
  const problem::RecordWeights weights;
  const problem::RecordFactors factors;
  problem::GreedyProblem<Design> greedy({.design = design,
                                         .target = t.target,
                                         .classes = labels,
                                         .loss = loss,
                                         .coordinates = coordinates,
                                         .weights = weights,
                                         .factors = factors},
                                        penalty, rule, std::vector<double>(t.p + 1), pool);
  privacy::SeededRandomBits bits(5);
  constexpr std::uint64_t kIterations = 600;
  CertifiedGreedy mechanisms = quiet(kIterations, bits);
  const auto path = gcd(greedy, mechanisms, {.iterations = kIterations});
  EXPECT_EQ(path.size(), kIterations);
  problem::Coefficients at{greedy.coef(), greedy.coef().back()};
  at.coef.pop_back();
  return objective.loss_value(objective.margins(at)) + objective.penalty_value(at);
}

TEST(Gcd, WithoutNoiseReachesTheOptimumOfEveryLossPenaltyAndRuleDenseAndSparse) {
  core::ThreadPool pool(1);
  for (const AnyLoss& loss : all_losses()) {
    const Table t = table(80, 6, !labels_of(loss).empty());
    for (const AnyPenalty& penalty : all_penalties()) {
      double best = std::nan("");
      for (const auto rule :
           {problem::GreedyRule::gs_s, problem::GreedyRule::gs_r, problem::GreedyRule::gs_q}) {
        const double by_dense = reached(dense(t), t, loss, penalty, rule, &best);
        const double by_sparse = reached(sparse(t), t, loss, penalty, rule, &best);
        const std::string what = std::string(name_of(loss)) + " " + std::string(name_of(penalty)) +
                                 " " + std::string(name_of(rule));
        EXPECT_LE(by_dense, best * (1.0 + 1e-6)) << what;
        EXPECT_EQ(by_dense, by_sparse) << what;
      }
    }
  }
}

/// f and its gradient from the table alone; no intercept.
struct Exact {
  const Table& t;
  const AnyLoss& loss;
  double l2;

  double gradient(const std::vector<double>& w, std::vector<double>& g) const {
    std::vector<double> margins(t.n);
    std::vector<double> slopes(t.n);
    for (std::size_t j = 0; j < t.p; ++j) {
      for (std::size_t i = 0; i < t.n; ++i) margins[i] += w[j] * t.columns[j * t.n + i];
    }
    problem::derivatives(loss, margins, t.target, slopes);
    double value = 0.0;
    for (std::size_t i = 0; i < t.n; ++i) {
      value += std::visit([&](const auto& l) { return l.value(margins[i], t.target[i]); }, loss);
    }
    value /= static_cast<double>(t.n);
    g.assign(t.p, 0.0);
    for (std::size_t j = 0; j < t.p; ++j) {
      for (std::size_t i = 0; i < t.n; ++i) g[j] += slopes[i] * t.columns[j * t.n + i];
      g[j] = g[j] / static_cast<double>(t.n) + l2 * w[j];
      value += 0.5 * l2 * w[j] * w[j];
    }
    return value;
  }
};

TEST(DescentLemma, HoldsOnEveryStepOfFitsWithNoise) {
  core::ThreadPool pool(1);
  int steps_that_grew = 0;
  for (const AnyLoss& loss : std::vector<AnyLoss>{problem::Squared{}, problem::Logistic{},
                                                  problem::Huber(1.0), problem::SquaredHinge{}}) {
    const bool classes = std::visit([](const auto& l) { return !l.accepts(0.5); }, loss);
    const Table t = table(80, 12, classes);
    const data::DenseDesign<double> design = dense(t);
    const std::vector<double> labels =
        classes ? std::vector<double>{-1.0, 1.0} : std::vector<double>();
    for (const double l2 : {0.0, 0.2}) {
      const AnyPenalty penalty = l2 > 0.0 ? AnyPenalty(problem::L2(l2)) : problem::None{};
      const problem::Coordinates coordinates(
          {.features = t.p,
           .curvature = problem::curvature_bound(loss),
           .l2 = l2,
           .clip = 100.0,  // above every product: the lemma knows no clip
           .records = static_cast<double>(t.n)});
      const Exact exact{t, loss, l2};
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const problem::RecordWeights weights;
        const problem::RecordFactors factors;
        problem::GreedyProblem<data::DenseDesign<double>> greedy({.design = design,
                                                                  .target = t.target,
                                                                  .classes = labels,
                                                                  .loss = loss,
                                                                  .coordinates = coordinates,
                                                                  .weights = weights,
                                                                  .factors = factors},
                                                                 penalty, problem::GreedyRule::gs_s,
                                                                 std::vector<double>(t.p), pool);
        privacy::SeededRandomBits bits(seed);
        const std::uint64_t scale = std::uint64_t{1} << (12 + seed);
        CertifiedGreedy mechanisms(privacy::ExponentialMechanism(1, scale),
                                   {privacy::DiscreteLaplaceRelease(1, scale), 40, bits}, bits);
        std::vector<double> w(t.p);
        std::vector<double> g;
        double before = exact.gradient(w, g);
        for (const PathStep& step : gcd(greedy, mechanisms, {.iterations = 40})) {
          const auto score = [&](std::size_t j) {
            return std::abs(g[j]) / std::sqrt(coordinates.smoothness(j));
          };
          std::size_t best = 0;
          for (std::size_t j = 1; j < t.p; ++j) best = score(j) > score(best) ? j : best;
          // An exponential mechanism draws no chi: the least that would have made its choice.
          const double m = coordinates.smoothness(step.coordinate);
          const double chi = std::sqrt(m) * (score(best) - score(step.coordinate));
          const double bound = descent_bound({score(best), m, coordinates.smoothness(best),
                                              step.gradient - g[step.coordinate], chi, 0.0});
          w[step.coordinate] = step.value;
          const double after = exact.gradient(w, g);
          ASSERT_LE(after - before, bound + 1e-12 * (1.0 + before)) << name_of(loss) << " " << l2;
          steps_that_grew += after > before ? 1 : 0;
          before = after;
        }
      }
    }
  }
  EXPECT_GT(steps_that_grew, 0);  // without the noise terms the bound would not hold
}

TEST(Gcd, HasAtMostAsManyCoefficientsAsIterations) {
  const Table t = table(50, 40, false);
  core::ThreadPool pool(1);
  const data::DenseDesign<double> design = dense(t);
  const AnyLoss loss = problem::Squared{};
  const AnyPenalty penalty = problem::None{};
  const problem::Coordinates coordinates({.features = t.p, .clip = 1.0, .records = 50.0});
  for (const std::uint64_t iterations : {1u, 3u, 10u}) {
    const problem::RecordWeights weights;
    const problem::RecordFactors factors;
    problem::GreedyProblem<data::DenseDesign<double>> greedy({.design = design,
                                                              .target = t.target,
                                                              .classes = {},
                                                              .loss = loss,
                                                              .coordinates = coordinates,
                                                              .weights = weights,
                                                              .factors = factors},
                                                             penalty, problem::GreedyRule::gs_s,
                                                             std::vector<double>(t.p), pool);
    privacy::SeededRandomBits bits(iterations);
    CertifiedGreedy mechanisms(
        privacy::ExponentialMechanism(2u << 20, 20u << 20),
        {privacy::DiscreteLaplaceRelease(2u << 20, 20u << 20), iterations, bits}, bits);
    gcd(greedy, mechanisms, {.iterations = iterations});
    std::set<std::size_t> support;
    for (std::size_t j = 0; j < t.p; ++j) {
      if (greedy.coef()[j] != 0.0) support.insert(j);
    }
    EXPECT_LE(support.size(), iterations);
  }
}

}  // namespace
}  // namespace southwell::solvers
