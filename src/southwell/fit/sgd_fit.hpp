#pragma once

#include <optional>
#include <string_view>

#include "southwell/fit/defaults.hpp"
#include "southwell/fit/solver_fit.hpp"
#include "southwell/solvers/rounds/descent.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::fit {

/// What refined descent on all records does besides; of public inputs alone.
struct RefinedSgd {
  bool tracks = true;
  bool corrects_margins = false;
  bool centres = false;  ///< a first descent for the intercept alone
  solvers::ClipRule clip_rule{};
  RefinedDescentRule rule{};
  privacy::Cost centre_cost{};
};

/// DP-SGD's part of a fit (solver_fit.hpp): `batch_size`, `sampling` and `iterate` are its own. The
/// whole data as the batch is private gradient descent, without sampling. Its path is not kept: it
/// has as many numbers per step as there are coordinates.
class SgdFit {
 public:
  static constexpr std::string_view kName = "sgd";

  void read(Planning& planning);
  Defaults automatic(const DefaultsOf& of);
  void calibrate(Planning& planning, std::uint64_t iterations, const Defaults& automatic);
  /// Absolute, the same for all coordinates; refined: that of a mean over all releases.
  double step_length(const problem::Coordinates& coordinates, std::size_t c, double step) const;
  double gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const;
  /// Every coordinate moves; there is no path.
  Extent extent(const problem::Coordinates& all, std::uint64_t) const {
    return {.moved = all.size(), .steps = 0};
  }
  Solved solve(const SolverWork& work) const;

 private:
  /// Certified: the norm of (g_c / sqrt(M_c / beta))_c is clipped at `clip`; paper: that of g.
  double clip_of(const problem::Coordinates& coordinates, std::size_t c) const;

  void calibrate_refined(Planning& planning, std::uint64_t charged);
  Solved solve_refined(const SolverWork& work) const;

  std::optional<RefinedSgd> refined_;
  std::uint64_t iterations_ = 0;
  solvers::Iterate iterate_{};
  std::uint64_t sampled_ = 0;  ///< rate of a batch, over 2^32
  double batch_ = 1.0;         ///< its expected size, the public divisor
  std::uint64_t sensitivity_ = 0;
  std::uint64_t scale_ = 0;   ///< sigma in grid units; 0 in paper mode
  double paper_sigma_ = 0.0;  ///< in units of the clip; paper mode only
};

}  // namespace southwell::fit
