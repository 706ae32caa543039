#include "southwell/solvers/rounds/step_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "southwell/solvers/sgd.hpp"

namespace southwell::solvers {

StepSchedule::StepSchedule(const StepScheduleOptions& options, std::size_t coordinates,
                           ResidualScale* scale, std::size_t heads)
    : options_(options),
      coordinates_(coordinates),
      scale_(scale),
      scale_at_first_(scale != nullptr ? scale->value() : options.scale),
      step_(time_step()) {
  if (options.corrects_margins) margins_.emplace(heads);
}

double StepSchedule::clip() const {
  const double scale = scale_ != nullptr ? scale_->value() : options_.scale;
  return options_.clip_of(coordinates_) * scale * std::sqrt(static_cast<double>(coordinates_));
}

double StepSchedule::settled() const {
  return std::min(1.0, step_ * static_cast<double>(options_.releases) / (1.0 - options_.momentum));
}

double StepScheduleOptions::kappa(std::size_t coordinates) const {
  return 1.3 * static_cast<double>(coordinates) * noise * std::pow(std::min(1.0, size), -rare);
}

double StepScheduleOptions::total_time(std::size_t coordinates, double shrunk) const {
  const double noisy = kappa(coordinates) * shrunk;
  return step * std::min(longest, time / (noisy + 2.0 * noisy * noisy));
}

double StepScheduleOptions::clip_of(std::size_t coordinates) const {
  constexpr double kLittle = 0.035;
  return clip * std::clamp(kLittle / kappa(coordinates), 1.0, widest);
}

double StepSchedule::time_step() const {
  double shrunk = 1.0;
  if (scale_ != nullptr && options_.follow > 0.0) {
    shrunk = std::pow(std::min(1.0, scale_->value() / scale_at_first_), options_.follow);
  }
  return options_.total_time(coordinates_, shrunk) * (1.0 - options_.momentum) * shortened_ /
         static_cast<double>(options_.releases);
}

double StepSchedule::release_noise_sd() const {
  return options_.noise * std::sqrt(static_cast<double>(options_.releases)) * clip();
}

namespace {

ImpulseResponse response_of(std::vector<ImpulseResponse::Release> releases, double momentum,
                            double averaged, double attenuation) {
  for (ImpulseResponse::Release& release : releases) release.noise_sd /= attenuation;
  const std::size_t first = first_averaged(releases.size(), averaged);
  return {std::move(releases), momentum, first};
}

}  // namespace

ImpulseResponse StepSchedule::response(double averaged, double attenuation) const {
  return response_of(used_, options_.momentum, averaged, attenuation);
}

ImpulseResponse StepSchedule::planned_response(double averaged, double attenuation) const {
  return response_of(
      std::vector<ImpulseResponse::Release>(options_.releases, {step_, release_noise_sd()}),
      options_.momentum, averaged, attenuation);
}

void StepSchedule::follow(const std::vector<std::int64_t>& released, std::size_t coordinates,
                          double noise_sd) {
  constexpr double kShorter = 0.6;
  if (!before_.empty()) {
    double product = 0.0;
    for (std::size_t c = 0; c < coordinates; ++c) {
      product += static_cast<double>(released[c]) / noise_sd *
                 (static_cast<double>(before_[c]) / noise_sd);
    }
    if (product < -3.0 * std::sqrt(static_cast<double>(coordinates))) shortened_ *= kShorter;
  }
  before_ = released;
  step_ = time_step();
}

}  // namespace southwell::solvers
