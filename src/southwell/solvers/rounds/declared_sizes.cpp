#include "southwell/solvers/rounds/declared_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace southwell::solvers {
namespace {

constexpr double kDoubts = 4.0;        ///< sds of noise that a release is believed beyond
constexpr double kLargeSquare = 2.25;  ///< of the declared one
constexpr double kLittleLeft = 0.25;   ///< of an intercept's square

}  // namespace

void DeclaredSizes::observe(std::span<const std::size_t> features,
                            std::span<const double> mean_squares, double noise) {
  for (std::size_t k = 0; k < features.size(); ++k) {
    const double least = mean_squares[k] - kDoubts * noise;
    if (!(least > kLargeSquare)) continue;
    const double times = std::sqrt(least);
    const auto known = std::find_if(larger_.begin(), larger_.end(), [&](const LargerFeature& each) {
      return each.feature == features[k];
    });
    if (known == larger_.end()) {
      larger_.push_back({features[k], times});
    } else {
      known->times = std::max(known->times, times);
    }
  }
}

void DeclaredSizes::observe(std::span<const std::size_t> features, const ReleasedMoments& moments) {
  std::vector<double> squares(moments.dims);
  for (std::size_t k = 0; k < squares.size(); ++k)
    squares[k] = moments.values[k * moments.dims + k];
  observe(features, std::span(squares).first(features.size()), moments.noise_sd);
  if (moments.dims == features.size()) return;
  const double most = squares.back() + kDoubts * moments.noise_sd;
  if (most < kLittleLeft) longer_ = std::max(longer_, 1.0 / std::sqrt(std::max(most, 1e-12)));
}

std::vector<LargerFeature> DeclaredSizes::larger() const {
  std::vector<LargerFeature> out = larger_;
  std::sort(out.begin(), out.end(), [](const LargerFeature& a, const LargerFeature& b) {
    return a.times != b.times ? a.times > b.times : a.feature < b.feature;
  });
  return out;
}

}  // namespace southwell::solvers
