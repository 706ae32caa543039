#pragma once

#include <cstdint>
#include <functional>

namespace southwell::audit {

// What one run tells of a promise: each of many records was in the data or not by a fair coin of
// its own, and for some, chosen by the output, a guess was made from it. Statement and proof in
// one_run.md.

/// Of two data sets that differ in one record: the least probability that an event can have on one
/// of them if it has `likely` on the other. Increasing, convex, at most `likely`.
using LeastChance = std::function<double(double likely)>;

/// Of Gaussian differential privacy with this mu, and of (epsilon, delta).
LeastChance gaussian_promise(double mu);
LeastChance approximate_promise(double epsilon, double delta);

struct Guesses {
  std::uint64_t right;
  std::uint64_t made;     ///< fixed beforehand: on which records is for the output to say
  std::uint64_t records;  ///< of which each had a coin
};

/// Whether that many right guesses have a probability below `error` if the promise is kept.
bool is_refuted(const LeastChance& promise, const Guesses& guesses, double error);

/// The largest mu that is refuted, 0 for none; and the largest epsilon at this delta.
double mu_found(const Guesses& guesses, double error);
double epsilon_found(const Guesses& guesses, double delta, double error);

/// The least epsilon at this delta of Gaussian differential privacy with this mu.
double epsilon_of_mu(double mu, double delta);
/// The mu with that epsilon.
double mu_of_epsilon(double epsilon, double delta);

}  // namespace southwell::audit
