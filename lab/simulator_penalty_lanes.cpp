#include "lab/simulator_penalty_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/simulator_penalty_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "southwell/problem/rule.hpp"

HWY_BEFORE_NAMESPACE();
namespace southwell::lab::HWY_NAMESPACE {

using problem::AnyPenalty;

// std::get_if of each penalty where std::visit would do: a visitor is compiled for the plain
// instruction set. The penalties are those of the variant, so that none is forgotten.

template <LaneRule::Noise Noise, class Rule, class Kinked>
void choose_among(const LaneRule& lanes, const Kinked& kinked, const LaneColumns& columns,
                  LaneChoice& choice) {
  const Rule rule{};
  for (std::size_t c = 0; c < columns.noise.size(); ++c) {
    const double smoothness = columns.smoothness[c];
    const double noise = columns.noise[c];
    const double inside = noise * columns.bound[c];
    const auto number = static_cast<double>(columns.first + c);
    const float* const sums = columns.sums + c * kLanes;
    const double* const coef = columns.coef[c];
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double gradient = static_cast<double>(sums[k]) * lanes.unit[k] + lanes.l2 * coef[k];
      double score = 0.0;
      if constexpr (Noise == LaneRule::Noise::on_score) {
        score = rule.score(kinked, coef[k], gradient, smoothness) * lanes.sharpness[k] + noise;
      } else {
        // The published scores are those of the templates where a step is possible, 0 elsewhere.
        score = rule.score(kinked, coef[k], gradient + inside * lanes.spread[k], smoothness);
        score = score > 0.0 ? score : 0.0;
      }
      const bool better = score > choice.score[k];
      choice.score[k] = better ? score : choice.score[k];
      choice.gradient[k] = better ? gradient : choice.gradient[k];
      choice.column[k] = better ? number : choice.column[k];
    }
  }
}

template <class Rule, class Kinked>
void choose_by(const LaneRule& lanes, const Kinked& kinked, const LaneColumns& columns,
               LaneChoice& choice) {
  if (lanes.noise == LaneRule::Noise::on_score) {
    choose_among<LaneRule::Noise::on_score, Rule>(lanes, kinked, columns, choice);
  } else {
    choose_among<LaneRule::Noise::on_gradient, Rule>(lanes, kinked, columns, choice);
  }
}

template <class Penalty>
void choose_if(const LaneRule& lanes, const LaneColumns& columns, LaneChoice& choice) {
  const Penalty* const penalty = std::get_if<Penalty>(&lanes.penalty);
  if (penalty == nullptr) return;
  const auto kinked = penalty->kinked();
  switch (lanes.rule) {
    case problem::GreedyRule::gs_s:
      return choose_by<problem::GsS>(lanes, kinked, columns, choice);
    case problem::GreedyRule::gs_r:
      return choose_by<problem::GsR>(lanes, kinked, columns, choice);
    case problem::GreedyRule::gs_q:
      return choose_by<problem::GsQ>(lanes, kinked, columns, choice);
  }
}

template <class... Each>
void choose_with(const std::variant<Each...>&, const LaneRule& lanes, const LaneColumns& columns,
                 LaneChoice& choice) {
  (choose_if<Each>(lanes, columns, choice), ...);
}

void choose(const LaneRule& lanes, const LaneColumns& columns, LaneChoice& choice) {
  choose_with(lanes.penalty, lanes, columns, choice);
}

template <class Penalty>
void step_if(const AnyPenalty& any, double smoothness, const double* gamma, const double* gradient,
             float* coef, float* change) {
  const Penalty* const penalty = std::get_if<Penalty>(&any);
  if (penalty == nullptr) return;
  const auto kinked = penalty->kinked();
  for (std::size_t k = 0; k < kLanes; ++k) {
    const double step = gamma[k] / smoothness;
    double to = static_cast<double>(coef[k]) - step * gradient[k];
    to = to < kMostCoefficient ? to : kMostCoefficient;
    to = to > -kMostCoefficient ? to : -kMostCoefficient;
    const auto moved = static_cast<float>(kinked.prox(to, step));
    change[k] = moved - coef[k];
    coef[k] = moved;
  }
}

template <class... Each>
void step_with(const std::variant<Each...>& penalty, double smoothness, const double* gamma,
               const double* gradient, float* coef, float* change) {
  (step_if<Each>(penalty, smoothness, gamma, gradient, coef, change), ...);
}

void step(const AnyPenalty& penalty, double smoothness, const double* gamma, const double* gradient,
          float* coef, float* change) {
  step_with(penalty, smoothness, gamma, gradient, coef, change);
}

}  // namespace southwell::lab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::lab {
HWY_EXPORT(choose);
HWY_EXPORT(step);

void lane_choose(const LaneRule& rule, const LaneColumns& columns, LaneChoice& choice) {
  HWY_DYNAMIC_DISPATCH(choose)(rule, columns, choice);
}

void lane_step(const problem::AnyPenalty& penalty, double smoothness, const Lanes& gamma,
               const Lanes& gradient, float* coef, FloatLanes& change) {
  HWY_DYNAMIC_DISPATCH(step)(penalty, smoothness, gamma.data(), gradient.data(), coef,
                             change.data());
}

}  // namespace southwell::lab
#endif
