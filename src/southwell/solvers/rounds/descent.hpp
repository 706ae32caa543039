#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/problem/batch_problem.hpp"
#include "southwell/solvers/rounds/clip_law.hpp"
#include "southwell/solvers/rounds/shortening.hpp"
#include "southwell/solvers/rounds/step_schedule.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::solvers {

/// How records are clipped in a refined fit.
struct ClipRule {
  double slope_limit = 0.0;  ///< of ProductClip; 0: none
  bool corrects_attenuation = true;

  double attenuation(double clip, std::size_t coordinates) const {
    return !corrects_attenuation ? 1.0
           : slope_limit > 0.0   ? feature_attenuation(clip, coordinates)
                                 : norm_attenuation(clip, coordinates);
  }
};

/// One descent of a fit, fixed before a record is used.
struct DescentOptions {
  privacy::DiscreteGaussianRelease release;
  StepScheduleOptions schedule;
  double averaged = 0.75;    ///< the part of the iterates, from the last back, that it ends at
  std::uint32_t number = 0;  ///< of this descent within the fit: its noise is its own
  Shortening shortening = Shortening::none;  ///< by what noise explains of the way it went
  core::Progress progress{};
};

/// Where a descent takes place that is not in the features themselves: in mapped ones.
struct MappedSpace {
  std::size_t dims = 0;  ///< how many directions count, for clips and times; 0: all coordinates
  std::function<void(std::vector<double>& coef, double step)> joint_prox{};
};

/// Where a descent ended.
struct Descended {
  std::vector<double> coef;
  std::vector<double> gradient;  ///< the last that was released, and the quadratic part at `coef`
  std::vector<double> noise_sd;  ///< of `coef`, were the loss as curved as declared: for rules
  ImpulseResponse response;      ///< to noise, for what is stated of it
  std::vector<double> noise_growth{};  ///< how much more of it each has for corrected margins
};

/// Averaged gradient descent on all records by releases of the whole gradient of `parts`. The clip
/// follows `scale`, which is learned on the way, if there is one.
template <class Design>
Descended descend(const problem::GradientParts<Design>& parts, const problem::AnyPenalty& penalty,
                  const ClipRule& rule, const DescentOptions& options, std::vector<double> start,
                  ResidualScale* scale, core::ThreadPool& pool, privacy::RandomBits& bits,
                  const MappedSpace& space = {}) {
  const problem::Coordinates& all = parts.coordinates;
  std::vector<double> units(all.size());
  for (std::size_t c = 0; c < units.size(); ++c) units[c] = all.unit(c);
  const std::size_t dims = space.dims > 0 ? space.dims : all.size();
  const double attenuation = rule.attenuation(options.schedule.clip_of(dims), dims);
  problem::BatchProblem<Design> batch(parts, penalty,
                                      {.clip_units = std::move(units),
                                       .clip = 1.0,
                                       .slope_limit = rule.slope_limit,
                                       .attenuation = attenuation,
                                       .batch = all.options().records,
                                       .room = scale != nullptr,
                                       .joint_prox = space.joint_prox},
                                      std::move(start), pool);
  CertifiedSgd mechanism(options.release, CertifiedSgd::kAll, bits, options.number);
  StepSchedule schedule(options.schedule, dims, scale, all.heads());
  Descended out;
  out.coef = sgd(batch, mechanism, schedule,
                 {.iterations = options.schedule.releases,
                  .iterate = Iterate::average,
                  .averaged = options.averaged,
                  .momentum = options.schedule.momentum,
                  .progress = options.progress});
  out.response = schedule.response(options.averaged, attenuation);
  for (std::size_t c = 0; c < all.size(); ++c) {
    out.noise_growth.push_back(schedule.noise_growth(batch, c));
    out.noise_sd.push_back(schedule.coef_noise_sd(all, c) * out.noise_growth.back() / attenuation);
    out.gradient.push_back(mechanism.gradient(batch, c) + all.l2(c) * out.coef[c]);
  }
  return out;
}

}  // namespace southwell::solvers
