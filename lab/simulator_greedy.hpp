#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "lab/simulator.hpp"
#include "lab/simulator_lanes.hpp"
#include "lab/simulator_outcome.hpp"
#include "lab/simulator_penalty_lanes.hpp"
#include "southwell/solvers/path.hpp"

namespace southwell::lab {

/// Coefficients by lane of the columns that have moved in one of them. In doubles: scores ask
/// whether a coefficient is at its bound.
class LaneCoefficients {
 public:
  explicit LaneCoefficients(std::size_t features) : places_(features, nullptr) {}

  const double* column(std::size_t j) const {
    return places_[j] == nullptr ? kZeros.data() : places_[j]->data();
  }
  double& at(std::size_t j, std::size_t k) {
    if (places_[j] == nullptr) places_[j] = &moved_.emplace_back();
    return (*places_[j])[k];
  }
  const std::deque<Lanes>& moved() const { return moved_; }

 private:
  static constexpr Lanes kZeros{};
  std::vector<Lanes*> places_;
  std::deque<Lanes> moved_;
};

/// kLanes fits of DP-GCD.
template <class Design>
class GreedyLanes {
 public:
  GreedyLanes(const Design& design, const Simulator::Shared& shared,
              std::span<const SimulatedSetting> settings)
      : design_(design),
        shared_(shared),
        coef_(design.features()),
        margins_(design.records() * kLanes),
        slopes_(design.records() * kLanes) {
    const double n = shared.records;
    rule_.rule = shared.rule;
    rule_.penalty = shared.penalty;
    rule_.noise = shared.certified ? LaneRule::Noise::on_score : LaneRule::Noise::on_gradient;
    rule_.l2 = shared.l2;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const SimulatedSetting& setting = settings[std::min(k, settings.size() - 1)];
      step_[k] = setting.step;
      inverse_clip_[k] = static_cast<float>(1.0 / setting.clip);
      rule_.unit[k] = setting.clip / n;
      // A score of one grid unit is clip / (sqrt(beta) K n).
      rule_.sharpness[k] = std::sqrt(shared.curvature) * n / (setting.clip * shared.select_scale);
      rule_.spread[k] = shared.release_scale * setting.clip / n;
    }
  }

  void step(std::span<const double> selection, double release) {
    const LaneChoice choice = choose(selection);
    for (std::size_t k = 0; k < kLanes; ++k) {
      const auto j = static_cast<std::size_t>(choice.column[k]);
      const double noise = release * rule_.spread[k] * shared_.bound[j];
      LaneProblem lane{*this, k};
      solvers::take_step(lane, j, choice.gradient[k] + noise, step_[k]);
      if (!has_moved_) first_[k] = j;
    }
    has_moved_ = true;
  }

  /// Of the first `count` lanes.
  std::vector<Simulated> outcomes(std::size_t count) const {
    std::vector<double> coef;
    for (const Lanes& moved : coef_.moved()) {
      coef.insert(coef.end(), moved.begin(), moved.end());
    }
    std::vector<Simulated> out(count);
    for (std::size_t k = 0; k < count; ++k) {
      out[k] = {lane_objective(shared_, margins_, coef, k), first_[k]};
    }
    return out;
  }

 private:
  /// One lane as take_step wants it.
  struct LaneProblem {
    GreedyLanes& all;
    std::size_t lane;

    struct Coefs {
      const LaneCoefficients& all;
      std::size_t lane;
      double operator[](std::size_t j) const { return all.column(j)[lane]; }
    };
    Coefs coef() const { return {all.coef_, lane}; }
    double smoothness(std::size_t j) const { return all.shared_.smoothness[j]; }
    double prox(std::size_t, double w, double step) const {
      const double finite = std::clamp(w, -kMostCoefficient, kMostCoefficient);
      return std::visit([&](const auto& penalty) { return penalty.kinked().prox(finite, step); },
                        all.shared_.penalty);
    }
    void move(std::size_t j, double value) {
      double& at = all.coef_.at(j, lane);
      const auto change = static_cast<float>(value - at);
      at = value;
      if (change == 0.0F) return;
      float* const margins = all.margins_.data() + lane;
      all.design_.block({j, j + 1}).column(0).for_each([&](std::size_t i, double x) {
        margins[i * kLanes] += change * static_cast<float>(x);
      });
    }
  };

  LaneChoice choose(std::span<const double> noise) {
    lane_slopes(shared_.loss, shared_.float_target, inverse_clip_, margins_.data(), slopes_.data());
    LaneChoice choice{};
    choice.score.fill(-std::numeric_limits<double>::infinity());
    constexpr std::size_t kColumns = 64;  // their sums stay in the nearest cache
    std::array<float, kColumns * kLanes> sums;
    std::array<const double*, kColumns> coef;
    for (std::size_t first = 0; first < design_.features(); first += kColumns) {
      const std::size_t size = std::min(kColumns, design_.features() - first);
      const auto bound = std::span(shared_.bound).subspan(first, size);
      lane_clipped_sums(design_.block({first, first + size}), bound, slopes_.data(), sums.data());
      for (std::size_t c = 0; c < size; ++c) coef[c] = coef_.column(first + c);
      lane_choose(rule_,
                  {.first = first,
                   .smoothness = std::span(shared_.smoothness).subspan(first, size),
                   .bound = bound,
                   .noise = noise.subspan(first, size),
                   .coef = std::span(coef).first(size),
                   .sums = sums.data()},
                  choice);
    }
    return choice;
  }

  const Design& design_;
  const Simulator::Shared& shared_;
  LaneRule rule_;
  Lanes step_{};
  FloatLanes inverse_clip_{};
  LaneCoefficients coef_;
  std::vector<float> margins_;
  std::vector<float> slopes_;  ///< in units of each lane's clip
  std::array<std::size_t, kLanes> first_{};
  bool has_moved_ = false;
};

}  // namespace southwell::lab
