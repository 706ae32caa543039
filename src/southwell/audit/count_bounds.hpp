#pragma once

#include <cstdint>

namespace southwell::audit {

/// What a level may be wrong about a sound build: at most this often, over all that it checks.
inline constexpr double kFalseAlarm = 1e-6;

/// How often something happened in so many independent runs.
struct Count {
  std::uint64_t happened;
  std::uint64_t runs;
};

/// Bounds on its probability, each wrong with probability at most `error` (Clopper and Pearson).
double least_chance(const Count& count, double error);
double largest_chance(const Count& count, double error);

/// A lower bound on epsilon: an event that happened `here` on one data set and `there` on its
/// neighbour, at this delta. Minus infinity or less than 0 where nothing was found. Wrong with
/// probability at most `error`.
double epsilon_found(const Count& here, const Count& there, double delta, double error);

/// A lower bound on the range of log-ratios: those of the event and of its complement together.
double range_found(const Count& here, const Count& there, double error);

}  // namespace southwell::audit
