#pragma once

#include <span>
#include <vector>

namespace southwell::solvers {

/// Whose way is shortened: that of all features, or of a few that were chosen from many, whose
/// noise helped to choose them.
enum class Shortening { none, of_all, of_chosen };

/// What is to be shortened: where a descent ended, away from where there are no effects.
struct Way {
  std::span<const double> from;
  std::span<const double> to;
  std::span<const double> units;  ///< of the coordinates, in which noise is alike; 0: not counted
  double squared_noise = 0.0;     ///< of all that are counted together, expected
  double arrived = 1.0;           ///< the part of the effects that there was time for
  Shortening shortening = Shortening::of_all;
};

/// What is kept of a way in the end, a function of it.
struct KeptWay {
  std::vector<double> way{};  ///< in units; empty: all of it was kept
  double noise = 0.0;         ///< what is taken off its squared length
  double arrived = 1.0;

  double part() const;
};

/// By the rule of James and Stein: of k coordinates noise explains an expected part of the squared
/// length, and (k - 2) / k of that is taken off; all of it where they were chosen. Where effects e
/// have arrived in part only, at s e with noise of squared length N, the best multiple of that is s
/// e^2 / (s^2 e^2 + N): 1 / s of the part that noise does not explain, and no more than all of it.
/// Where there are no effects next to nothing is left. Post-processing of what was released.
KeptWay kept_way(const Way& of);

}  // namespace southwell::solvers
