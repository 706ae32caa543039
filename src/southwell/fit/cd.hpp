#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "southwell/fit/algorithm.hpp"

namespace southwell::fit {

/// DP-CD: a release of a uniformly random coordinate an iteration.
class Cd {
 public:
  static constexpr std::string_view kSolver = "cd";
  static constexpr std::string_view kHelp = "random coordinates";
  static constexpr std::string_view kInThePaper = "the paper has one Gaussian release";
  static constexpr bool kIsRefined = false;

  void read(Draft& draft);
  Defaults automatic(const PublicFacts& of) const { return cd_defaults(of); }
  void calibrate(Draft& draft, std::uint64_t iterations, const Defaults& automatic);
  NoiseSd noise(const problem::Coordinates& all, std::size_t c, double step) const;
  Extent extent(const problem::Coordinates& all, std::uint64_t iterations) const {
    return extent_along(all, iterations);
  }
  Solved solve(const Work& work) const;

 private:
  privacy::Release release_{};
  std::optional<privacy::Calibrated> certified_;  ///< absent in paper mode
  double paper_sigma_ = 0.0;                      ///< in units of C_j / n; paper mode only
};
static_assert(Algorithm<Cd>);

}  // namespace southwell::fit
