#include "southwell/fit/margin_factor.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "southwell/problem/gradient/margin_gradient.hpp"
#include "southwell/solvers/sgd.hpp"

namespace southwell::fit {
namespace {

constexpr double kLargest = 4.0;        ///< factor
constexpr double kAveragedTime = 0.75;  ///< of a descent whose last half is averaged
constexpr std::uint32_t kNumber = 1;    ///< of its noise: that of the descent is 0

/// Of coefficients times a factor, and intercepts with noise of their own of this sd.
void scale_covariance(Solved& solved, const problem::Coordinates& all, double factor, double own) {
  const std::size_t size = solved.noisy.size();
  const auto times = [&](std::size_t k) {
    return all.is_intercept(solved.noisy[k]) ? 1.0 : factor;
  };
  for (std::size_t k = 0; k < solved.covariance.size(); ++k) {
    solved.covariance[k] *= times(k / size) * times(k % size);
    if (k / size == k % size && all.is_intercept(solved.noisy[k / size])) {
      solved.covariance[k] += own * own;
    }
  }
}

}  // namespace

MarginFactor::MarginFactor(const PublicFacts& of)
    : rule_(margin_factor_rule(of)),
      classifies_(of.slopes.are_limited()),
      records_(of.records),
      l2_(of.l2) {}

bool MarginFactor::pays(const PublicFacts& of) { return margin_factor_rule(of).pays; }

privacy::RoundsScheduleOptions::Releases MarginFactor::releases() const {
  return {rule_.releases, rule_.part};
}

double MarginFactor::own_part(const Descended& before, const problem::Coordinates& all) const {
  // A short descent has taken the record as far as its time. One that has arrived is bound by the
  // leverage of a record, which is min(n, p) / n on average, over the curvature 1/4 of the loss.
  const double leverage = std::min(1.0, static_cast<double>(all.features()) / records_);
  const double curvature = all.options().curvature;
  return std::min(kAveragedTime * before.time / records_,
                  leverage / (curvature * before.norm * before.norm));
}

double MarginFactor::step(const Descended& before) const {
  // What noise moves a regression's predictions by is in units of the residuals.
  const double size = classifies_ ? 1.0 : std::min(1.0, before.unit / before.slope_scale);
  return std::min(rule_.longest, rule_.noisy * size) / static_cast<double>(rule_.releases);
}

std::vector<double> MarginFactor::descend(const Solved& solved, const Work& work,
                                          const Descended& before) const {
  const problem::Coordinates& all = work.coordinates;
  const problem::MarginOptions options{.coef = solved.coef,
                                       .norm_units = before.norm_units,
                                       .own_part = own_part(before, all),
                                       .slope_limit = before.slope_limit,
                                       .unit = before.unit,
                                       .intercept_size = rule_.intercept_size,
                                       .clip = rule_.clip * before.slope_scale};
  const double along = step(before);
  std::vector<double> point{before.unit};
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all.is_intercept(c)) point.push_back(solved.coef[c]);
  }
  return std::visit(
      [&]<class Design>(const Design& design) {
        problem::MarginGradient<Design> margins(gradient_parts(design, work), options, work.pool);
        solvers::CertifiedSgd mechanism({cost_.shift, cost_.scale}, solvers::CertifiedSgd::kAll,
                                        work.bits, kNumber);
        solvers::AverageIterate average(point.size(), rule_.releases / 2);
        for (std::uint64_t t = 0; t < rule_.releases; ++t) {
          margins.set_point(point);
          mechanism.measure(margins);
          for (std::size_t c = 0; c < point.size(); ++c) {
            const double size = c == 0 ? 1.0 : rule_.intercept_size;
            point[c] -= along * size * size * margins.gradient_unit(c, records_) *
                        static_cast<double>(mechanism.released()[c]);
          }
          average.add(t, point);
        }
        return average.mean();
      },
      work.dataset.design);
}

void MarginFactor::apply(Solved& solved, const Work& work, const Descended& before) const {
  const std::vector<double> found = descend(solved, work, before);
  // Where a penalty held the model back, the factor does not undo it.
  const double free = std::exp(-before.time * l2_);
  const double factor = std::clamp(found[0] / before.unit, 0.0, 1.0 + (kLargest - 1.0) * free);
  const problem::Coordinates& all = work.coordinates;
  const problem::Interval box = problem::kinked_part(work.penalty).box;
  const double time = step(before) * static_cast<double>(rule_.releases);
  const double released = rule_.clip * before.slope_scale * static_cast<double>(cost_.scale) /
                          (static_cast<double>(problem::ProductClip::kBound) * records_ *
                           std::sqrt(static_cast<double>(rule_.releases)));
  const double own = kAveragedTime * time * rule_.intercept_size * released;  // an intercept's
  scale_covariance(solved, all, factor, own);
  std::size_t intercepts = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all.is_intercept(c)) {
      solved.null_coef[c] = solved.coef[c] = found[++intercepts];
      solved.null_noise_sd[c] = solved.noise_sd[c] = std::hypot(solved.noise_sd[c], own);
    } else {
      solved.coef[c] = std::clamp(factor * solved.coef[c], box.lo, box.hi);
      solved.noise_sd[c] *= factor;
    }
  }
}

}  // namespace southwell::fit
