#pragma once

#include "lab/simulator_gradient.hpp"

namespace southwell::lab {

/// These coefficients through steps from .. to of noise and prox.
void lane_drift(const GradientLanes::Motion& motion, const GradientNoise& noise,
                std::span<const std::uint32_t> coordinates, std::size_t from, std::size_t to,
                float* coef);
/// margins_k = sum_e values_e coef(indices_e, k).
void lane_margins(std::span<const std::uint32_t> indices, const float* values, const float* coef,
                  FloatLanes& margins);
/// One step t of the coefficients of a record, whose gradient moves them by values_e pull_k.
void lane_pull(const GradientLanes::Motion& motion, const GradientNoise& noise, std::size_t t,
               std::span<const std::uint32_t> indices, const float* values, const FloatLanes& pull,
               float* coef);

}  // namespace southwell::lab
