#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "southwell/privacy/calibrate.hpp"

namespace southwell::cli {

/// What `calibrate` and `account` share: which mechanisms are used how often.
struct MechanismOptions {
  std::string solver = "gcd";
  std::uint64_t iterations = 0;
  double delta = 0.0;
  std::string relation = "replace_one";
  std::string selection = "exponential";
  std::string release = "laplace";
  std::uint64_t records = 0;
  double batch_size = 0.0;
  bool json = false;

  void add_to(CLI::App& command);
  /// Throws InvalidArgument for what does not apply to the solver.
  void check(const CLI::App& command) const;
  bool selects() const { return solver == "gcd"; }
  privacy::Plan plan(double share) const;
};

/// shift / scale of a cost, rounded up: asked for again it gives the same scale.
double level_of(const privacy::Cost& cost);
/// 2^32 times the rate, rounded up.
std::uint64_t sampled_of(double batch_size, std::uint64_t records);
/// Throws InvalidArgument unless the number is positive and finite.
void check_positive(const char* option, double number);

}  // namespace southwell::cli
