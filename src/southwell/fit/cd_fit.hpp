#pragma once

#include <optional>
#include <string_view>

#include "southwell/fit/defaults.hpp"
#include "southwell/fit/solver_fit.hpp"

namespace southwell::fit {

/// DP-CD's part of a fit (solver_fit.hpp): `release` is its own.
class CdFit {
 public:
  static constexpr std::string_view kName = "cd";

  void read(Planning& planning);
  Defaults automatic(const DefaultsOf& of) const { return cd_defaults(of); }
  void calibrate(Planning& planning, std::uint64_t iterations, const Defaults& automatic);
  double step_length(const problem::Coordinates& coordinates, std::size_t c, double step) const {
    return step / coordinates.smoothness(c);
  }
  double gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const;
  Extent extent(const problem::Coordinates& all, std::uint64_t iterations) const {
    return extent_along(all, iterations);
  }
  Solved solve(const SolverWork& work) const;

 private:
  privacy::Release release_{};
  std::optional<privacy::Calibrated> certified_;  ///< absent in paper mode
  double paper_sigma_ = 0.0;                      ///< in units of C_j / n; paper mode only
};

}  // namespace southwell::fit
