#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"
#include "lab/simulator_penalty_lanes.hpp"

namespace southwell::lab {

/// The objective of lane k from tables of margins and of those coefficients that are not zero in
/// all lanes, in multiples of `unit`; infinite where it is not a number, or where a coefficient has
/// come to kMostCoefficient.
template <class Coefs>
double lane_objective(const Simulator::Shared& shared, const std::vector<float>& margins,
                      const Coefs& coef, std::size_t k, double unit = 1.0) {
  const auto lane = [&](const auto& table) {
    std::vector<double> out(table.size() / kLanes);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = unit * static_cast<double>(table[i * kLanes + k]);
    }
    return out;
  };
  const std::vector<double> own = lane(coef);
  const double objective = problem::mean_value(shared.loss, lane(margins), shared.target) +
                           problem::value(shared.penalty, own);
  const bool is_lost =
      std::ranges::any_of(own, [](double w) { return std::fabs(w) >= 0.5 * kMostCoefficient; });
  return std::isfinite(objective) && !is_lost ? objective : std::numeric_limits<double>::infinity();
}

}  // namespace southwell::lab
