#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"
#include "lab/simulator_outcome.hpp"

namespace southwell::lab {

/// kLanes fits of DP-CD: the coordinates' turns are the same in all of them.
template <class Design>
class CoordinateLanes {
 public:
  CoordinateLanes(const Design& design, const Simulator::Shared& shared,
                  std::span<const SimulatedSetting> settings)
      : design_(design),
        shared_(shared),
        coef_(design.features() * kLanes),
        margins_(design.records() * kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const SimulatedSetting& setting = settings[std::min(k, settings.size() - 1)];
      gamma_[k] = setting.step;
      inverse_clip_[k] = 1.0 / setting.clip;
      unit_[k] = setting.clip / shared.records;
    }
  }

  void step(std::size_t j, double noise) {
    const LaneTurn turn{.loss = shared_.loss,
                        .target = shared_.target,
                        .factor = inverse_clip_,
                        .change = change_,
                        .bound = shared_.bound[j]};
    Lanes sums;
    lane_turn(turn, column(before_), column(j), margins_.data(), sums);
    double* const coef = coef_.data() + j * kLanes;
    Lanes gradient;
    const double spread = noise * shared_.release_scale * shared_.bound[j];
    for (std::size_t k = 0; k < kLanes; ++k) {
      gradient[k] = (sums[k] + spread) * unit_[k] + shared_.l2 * coef[k];
    }
    lane_step(shared_.penalty, shared_.smoothness[j], gamma_, gradient, coef, change_);
    before_ = j;
    if (!first_) first_ = j;
  }

  Simulated outcome(std::size_t k) {
    settle();
    return {lane_objective(shared_, margins_, coef_, k), first_.value_or(0)};
  }

 private:
  auto column(std::size_t j) const { return design_.block({j, j + 1}).column(0); }

  /// Moves the margins by what the last step changed.
  void settle() {
    column(before_).for_each([&](std::size_t i, double x) {
      for (std::size_t k = 0; k < kLanes; ++k) margins_[i * kLanes + k] += change_[k] * x;
    });
    change_.fill(0.0);
  }

  const Design& design_;
  const Simulator::Shared& shared_;
  Lanes gamma_{};
  Lanes inverse_clip_{};
  Lanes unit_{};
  std::vector<double> coef_;
  std::vector<double> margins_;  ///< without the last step
  Lanes change_{};
  std::size_t before_ = 0;
  std::optional<std::size_t> first_;
};

}  // namespace southwell::lab
