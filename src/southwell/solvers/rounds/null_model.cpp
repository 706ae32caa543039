#include "southwell/solvers/rounds/null_model.hpp"

#include <cmath>
#include <utility>

namespace southwell::solvers {

void NullModel::note(const problem::Coordinates& all, const std::vector<double>& coef,
                     PrivacyNoise noise) {
  intercepts_.assign(all.heads(), 0.0);
  noise_ = std::move(noise);
  if (all.intercept() != problem::Intercept::free) return;
  for (std::size_t head = 0; head < all.heads(); ++head) {
    intercepts_[head] = coef[head * all.width() + all.features()];
  }
}

std::vector<double> NullModel::on(const problem::Coordinates& some) const {
  std::vector<double> coef(some.size());
  for (std::size_t c = 0; c < coef.size(); ++c) {
    if (some.is_intercept(c)) coef[c] = intercepts_[some.head(c)];
  }
  return coef;
}

void NullModel::add_noise(PrivacyNoise& noise, const problem::Coordinates& all, double part) const {
  if (part == 1.0) return;
  const PrivacyNoise own = noise_.at(noise.coordinates);
  for (std::size_t k = 0; k < noise.coordinates.size(); ++k) {
    if (!all.is_intercept(noise.coordinates[k])) continue;
    const double added = std::pow((1.0 - part) * own.sd(k), 2);
    if (!std::isfinite(added)) {
      noise.is_determined[k] = 0;
      continue;
    }
    noise.variance[k] += added;
    if (!noise.covariance.empty()) noise.covariance[k * noise.coordinates.size() + k] += added;
  }
}

}  // namespace southwell::solvers
