#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"
#include "lab/simulator_outcome.hpp"
#include "lab/simulator_penalty_lanes.hpp"

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
      inverse_clip_[k] = static_cast<float>(1.0 / setting.clip);
      unit_[k] = setting.clip / shared.records;
    }
  }

  /// Coordinate j will have its turn soon: of many features, none is in a near cache by chance.
  void expect(std::size_t j) const {
    __builtin_prefetch(coef_.data() + j * kLanes);
    const auto own = column(j);
    if constexpr (requires { own.indices(); }) {
      __builtin_prefetch(own.indices().data());
      __builtin_prefetch(own.values().data());
    }
  }

  void step(std::size_t j, double noise) {
    const LaneTurn turn{.loss = shared_.loss,
                        .target = shared_.float_target,
                        .factor = inverse_clip_,
                        .change = change_,
                        .bound = static_cast<float>(shared_.bound[j])};
    FloatLanes sums;
    lane_turn(turn, column(before_), column(j), margins_.data(), sums);
    float* const coef = coef_.data() + j * kLanes;
    Lanes gradient;
    const double spread = noise * shared_.release_scale * shared_.bound[j];
    for (std::size_t k = 0; k < kLanes; ++k) {
      gradient[k] = (static_cast<double>(sums[k]) + spread) * unit_[k] +
                    shared_.l2 * static_cast<double>(coef[k]);
    }
    lane_step(shared_.penalty, shared_.smoothness[j], gamma_, gradient, coef, change_);
    before_ = j;
    if (!first_) first_ = j;
  }

  /// Of the first `count` lanes.
  std::vector<Simulated> outcomes(std::size_t count) {
    settle();
    std::vector<Simulated> out(count);
    for (std::size_t k = 0; k < count; ++k) {
      out[k] = {lane_objective(shared_, margins_, coef_, k), first_.value_or(0)};
    }
    return out;
  }

 private:
  auto column(std::size_t j) const { return design_.block({j, j + 1}).column(0); }

  /// Moves the margins by what the last step changed.
  void settle() {
    column(before_).for_each([&](std::size_t i, double x) {
      const auto entry = static_cast<float>(x);
      for (std::size_t k = 0; k < kLanes; ++k) margins_[i * kLanes + k] += change_[k] * entry;
    });
    change_.fill(0.0F);
  }

  const Design& design_;
  const Simulator::Shared& shared_;
  Lanes gamma_{};
  FloatLanes inverse_clip_{};
  Lanes unit_{};
  data::LargeVector<float> coef_;
  std::vector<float> margins_;  ///< without the last step
  FloatLanes change_{};
  std::size_t before_ = 0;
  std::optional<std::size_t> first_;
};

}  // namespace southwell::lab
