#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "southwell/fit/algorithm.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::fit {

/// DP-SGD as printed. The whole data as the batch is private gradient descent, without sampling.
/// Its path is not kept: it has as many numbers per step as there are coordinates.
class Sgd {
 public:
  static constexpr std::string_view kSolver = "sgd";
  static constexpr std::string_view kHelp = "gradient descent on batches or on all records";
  static constexpr std::string_view kInThePaper = "the paper takes one uniform record per step";
  static constexpr bool kIsRefined = false;

  void read(Draft& draft);
  Defaults automatic(const PublicFacts& of) const { return sgd_defaults(of); }
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic);
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const;
  /// Every coordinate moves; there is no path.
  Extent extent(const problem::Coordinates& all, std::uint64_t) const {
    return {.moved = all.size(), .steps = 0};
  }
  Solved solve(const Work& work) const;

 private:
  void calibrate_as_published(Draft& draft, std::uint64_t iterations);
  /// Certified: the norm of (g_c / sqrt(M_c / beta))_c is clipped at `clip`; paper: that of g.
  double clip_of(const problem::Coordinates& all, std::size_t c) const;

  solvers::Iterate iterate_{};
  std::uint64_t sampled_ = 0;  ///< rate of a batch, over 2^32
  double batch_ = 1.0;         ///< its expected size, the public divisor
  std::uint64_t sensitivity_ = 0;
  std::uint64_t scale_ = 0;   ///< sigma in grid units; 0 in paper mode
  double paper_sigma_ = 0.0;  ///< in units of the clip; paper mode only
};
static_assert(Algorithm<Sgd>);

}  // namespace southwell::fit
