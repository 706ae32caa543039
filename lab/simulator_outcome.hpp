#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"

namespace southwell::lab {

/// The objective of lane k from tables of margins and of those coefficients that are not zero in
/// all lanes; infinite where it is not a number.
inline double lane_objective(const Simulator::Shared& shared, std::span<const double> margins,
                             std::span<const double> coef, std::size_t k) {
  const auto lane = [&](std::span<const double> table) {
    std::vector<double> out(table.size() / kLanes);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = table[i * kLanes + k];
    return out;
  };
  const double objective = problem::mean_value(shared.loss, lane(margins), shared.target) +
                           problem::value(shared.penalty, lane(coef));
  return std::isfinite(objective) ? objective : std::numeric_limits<double>::infinity();
}

}  // namespace southwell::lab
