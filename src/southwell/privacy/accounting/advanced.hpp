#pragma once

#include <cstdint>

#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// Oracle, not part of what certifies: advanced composition of the pure epsilons e_i,
/// sqrt(2 log(1/delta) sum e_i^2) + sum e_i (exp(e_i) - 1). Infinite where an event is not pure.
double advanced_epsilon(const Composition& composition, double delta);

// The paper's own accounting of DP-GCD (thm:greedy-cd-privacy and its proof): T selections and T
// releases, each charged `query_epsilon`. The premise on selections is wrong (paper_map.md), so
// these numbers are no guarantee for DP-GCD; they set the noise of paper mode.

/// sqrt(4 T log(1/delta)) e + 2 T e (exp(e) - 1), e = query_epsilon.
double paper_epsilon(double query_epsilon, std::uint64_t iterations, double delta);
/// The largest e for which that is at most epsilon. delta > 0.
double paper_query_epsilon(double epsilon, double delta, std::uint64_t iterations);
/// The closed form of the theorem, epsilon / (4 sqrt(T log(1/delta))). Throws InvalidArgument for
/// epsilon > 1, as the theorem does, and unless 0 < delta < 1.
double paper_closed_form(double epsilon, double delta, std::uint64_t iterations);

/// The noise of DP-CD in the paper's experiments: sigma over the sensitivity of one of T Gaussian
/// releases, from min over orders of T a / (2 m^2) + log(1/delta) / (a - 1) = epsilon (Mironov
/// 2017). 0 < delta < 1 and epsilon > 0, else InvalidArgument. In doubles, not rounded up: it sets
/// the noise of paper mode.
double paper_gaussian_multiplier(double epsilon, double delta, std::uint64_t iterations);

}  // namespace southwell::privacy
