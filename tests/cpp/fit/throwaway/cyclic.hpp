#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/fit/algorithm.hpp"
#include "southwell/problem/coordinate_problem.hpp"
#include "southwell/solvers/coordinate_release.hpp"

namespace southwell::fit {

/// Coordinates in turn, each with a Gaussian release: a solver to throw away, which shows what a
/// new one takes (docs/add_a_solver.md).
class Cyclic {
 public:
  static constexpr std::string_view kSolver = "cyclic";
  static constexpr std::string_view kHelp = "coordinates in turn";
  static constexpr std::string_view kInThePaper = "the paper does not have it";
  static constexpr bool kIsRefined = false;

  void read(Draft&) {}
  Defaults automatic(const PublicFacts& of) const { return cd_defaults(of); }
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults&) {
    cost_ = draft
                .calibrated(privacy::cd_schedule(
                    {.iterations = iterations,
                     .relation = draft.relation,
                     .release = privacy::Release::gaussian,
                     .bound = static_cast<std::uint64_t>(problem::ProductClip::kBound)}))
                .costs[0];
    draft.statement.mechanisms.push_back(
        {"release", "discrete_gaussian_release", cost_, iterations});
  }
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const {
    const double gradient = static_cast<double>(cost_.scale) * all.gradient_unit(c);
    return {gradient, gradient * (step / all.smoothness(c))};
  }
  Extent extent(const problem::Coordinates& all, std::uint64_t iterations) const {
    return extent_along(all, iterations);
  }
  Solved solve(const Work& work) const {
    return std::visit(
        [&]<class Design>(const Design& design) {
          problem::CoordinateProblem<Design> problem(gradient_parts(design, work), work.penalty,
                                                     work.start, work.pool);
          solvers::CertifiedRelease release(
              privacy::DiscreteGaussianRelease(cost_.shift, cost_.scale), work.iterations,
              work.bits);
          std::vector<solvers::PathStep> path;
          for (std::uint64_t t = 0; t < work.iterations; ++t) {
            const std::size_t c = t % work.coordinates.size();
            problem.refresh_gradient(c);
            path.push_back(solvers::take_step(problem, c, release.measure(problem, c), work.step));
          }
          return solved_along(problem.coef(), std::move(path));
        },
        work.dataset.design);
  }

 private:
  privacy::Cost cost_{};
};
static_assert(Algorithm<Cyclic>);

}  // namespace southwell::fit
