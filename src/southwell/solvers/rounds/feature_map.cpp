#include "southwell/solvers/rounds/feature_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "southwell/problem/penalties/metric_prox.hpp"

namespace southwell::solvers {
namespace {

/// A coefficient that the way there and back has moved off a bound is at the bound.
double at_bounds(double coef, const problem::Interval& box) {
  constexpr double kRounding = 1e-12;
  if (coef >= box.hi - kRounding * std::fabs(box.hi)) return box.hi;
  if (coef <= box.lo + kRounding * std::fabs(box.lo)) return box.lo;
  return coef;
}

}  // namespace

FeatureMap::FeatureMap(const Whitening& whitening, const problem::Coordinates& features,
                       const problem::AnyPenalty& penalty)
    : whitening_(whitening),
      features_(features),
      penalty_(penalty),
      metric_(whitening.metric().begin(), whitening.metric().end()) {
  const std::size_t dims = whitening.dims();
  for (std::size_t a = 0; a < dims; ++a) {
    for (std::size_t b = 0; b < dims; ++b)
      metric_[a * dims + b] *= features.unit(a) * features.unit(b);
  }
}

problem::Coordinates FeatureMap::coordinates() const {
  problem::Coordinates::Options options = features_.options();
  options.features = whitening_.dims();
  options.intercept = problem::Intercept::none;
  options.l2 = 0.0;
  options.feature_scale = {1.0};
  options.smoothness_from_data.clear();
  return problem::Coordinates(std::move(options));
}

MappedSpace FeatureMap::space() const {
  const double dims = std::max(1.0, std::round(whitening_.effective_dims()));
  MappedSpace space{.dims = features_.heads() * static_cast<std::size_t>(dims), .joint_prox = {}};
  const problem::KinkedPart kinked = problem::kinked_part(penalty_);
  const bool is_free = kinked.l1 == 0.0 && std::isinf(kinked.box.lo) && std::isinf(kinked.box.hi) &&
                       problem::curvature(penalty_) == 0.0;
  if (is_free) return space;
  space.joint_prox = [this](std::vector<double>& mapped, double step) {
    std::vector<double> coef;
    for (std::size_t head = 0; head < features_.heads(); ++head) {
      const std::vector<double> own =
          problem::metric_prox(penalty_, features_, metric_, features_of(mapped, head), step);
      coef.insert(coef.end(), own.begin(), own.end());
    }
    mapped = there(coef);
  };
  return space;
}

std::vector<double> FeatureMap::features_of(const std::vector<double>& mapped,
                                            std::size_t head) const {
  const std::size_t dims = whitening_.dims();
  std::vector<double> out = whitening_.to_features(std::span(mapped).subspan(head * dims, dims));
  for (std::size_t c = 0; c < dims; ++c) out[c] /= features_.unit(c);
  return out;
}

std::vector<double> FeatureMap::there(const std::vector<double>& coef) const {
  const std::size_t dims = whitening_.dims();
  std::vector<double> out;
  std::vector<double> own(dims);
  for (std::size_t head = 0; head < features_.heads(); ++head) {
    for (std::size_t c = 0; c < dims; ++c) own[c] = coef[head * dims + c] * features_.unit(c);
    const std::vector<double> mapped = whitening_.to_mapped(own);
    out.insert(out.end(), mapped.begin(), mapped.end());
  }
  return out;
}

Descended FeatureMap::back(const Descended& mapped) const {
  const std::size_t dims = whitening_.dims();
  const problem::Interval box = problem::kinked_part(penalty_).box;
  Descended out;
  for (std::size_t head = 0; head < features_.heads(); ++head) {
    const auto part = [&](const std::vector<double>& all) {
      return std::span(all).subspan(head * dims, dims);
    };
    const std::vector<double> coef = features_of(mapped.coef, head);
    const std::vector<double> gradient = whitening_.to_mapped(part(mapped.gradient));
    const std::vector<double> noise = whitening_.noise_sd(part(mapped.noise_sd));
    for (std::size_t c = 0; c < dims; ++c) {
      const double unit = features_.unit(c);
      out.coef.push_back(features_.is_intercept(c) ? coef[c] : at_bounds(coef[c], box));
      out.gradient.push_back(gradient[c] * unit + features_.l2(c) * out.coef.back());
      out.noise_sd.push_back(noise[c] / unit);
    }
  }
  return out;
}

}  // namespace southwell::solvers
