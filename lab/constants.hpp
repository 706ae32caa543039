#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/objectives.hpp"

namespace southwell::lab {

/// What a printed constant is worth.
enum class Worth { exact, lower_bound, upper_bound };

struct Constant {
  std::string name;    ///< as in JSON
  std::string symbol;  ///< as in the paper
  double value = 0.0;
  Worth worth = Worth::exact;
  std::string how;  ///< where the value comes from, in a few words
};

/// w* is (alpha, tau)-quasi-sparse: at most tau entries are strictly greater than alpha.
struct QuasiSparsity {
  std::size_t tau = 0;
  double alpha = 0.0;  ///< the smallest one
};

/// What the paper's theorems take as input. f is the smooth part, mean loss + l2 term; M_j and L_j
/// are by feature.
struct Constants {
  std::vector<double> smoothness;  ///< M_j
  Worth smoothness_worth = Worth::exact;
  std::vector<double> lipschitz;  ///< L_j
  Worth lipschitz_worth = Worth::exact;
  std::vector<Constant> scalars;
  std::vector<QuasiSparsity> quasi_sparsity;
  solvers::Optimum optimum;
};

/// Solves for w* and computes the constants there. Intercepts are refused: the theorems have none.
Constants constants(const data::Dataset& dataset, const ObjectiveSpec& spec,
                    core::ThreadPool& pool);

/// The smallest alpha for which `coef` is (alpha, tau)-quasi-sparse.
double quasi_sparsity_alpha(const std::vector<double>& coef, std::size_t tau);

}  // namespace southwell::lab
