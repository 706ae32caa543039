#include "southwell/solvers/rounds/privacy_noise.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace southwell::solvers {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Noise is determined if its sd varies by no more than this over what curvatures may well be.
/// Where these were released, what is stated is an estimate, and both ends are a doubt of one
/// standard deviation in all directions at once; where not, it is the middle, and off by up to the
/// root.
constexpr double kMostReleased = 2.0;
constexpr double kMostUnknown = 2.0;

bool in_range(double a, double b, double most) {
  return std::max(a, b) <= most * most * std::min(a, b);
}

Matrix matrix_of(std::span<const double> values, Eigen::Index size) {
  return Eigen::Map<const Matrix>(values.data(), size, size);
}

Matrix covariance_of(const PrivacyNoise& noise) {
  const auto size = static_cast<Eigen::Index>(noise.variance.size());
  if (!noise.covariance.empty()) return matrix_of(noise.covariance, size);
  return Eigen::Map<const Vector>(noise.variance.data(), size).asDiagonal();
}

void set_covariance(PrivacyNoise& noise, const Matrix& covariance) {
  noise.covariance.assign(covariance.data(), covariance.data() + covariance.size());
  noise.variance.resize(static_cast<std::size_t>(covariance.rows()));
  Eigen::Map<Vector>(noise.variance.data(), covariance.rows()) = covariance.diagonal();
}

/// How what is kept of a way moves with the way.
Matrix slope_of(const KeptWay& kept, Eigen::Index size) {
  if (kept.way.empty() || kept.noise <= 0.0) return Matrix::Identity(size, size);
  const Eigen::Map<const Vector> way(kept.way.data(), size);
  const double length = way.squaredNorm();
  if (!(length > kept.noise)) return Matrix::Zero(size, size);
  return (1.0 - kept.noise / length) * Matrix::Identity(size, size) +
         2.0 * kept.noise / (length * length) * way * way.transpose();
}

/// Between a descent's directions and coefficients.
class Directions {
 public:
  Directions(const Whitening& whitening, const problem::Coordinates& all,
             const MarginCurvature& margins)
      : whitening_(whitening),
        size_(static_cast<Eigen::Index>(whitening.dims())),
        vectors_(matrix_of(whitening.directions(), size_)),
        map_(matrix_of(whitening.map(), size_)),
        inverse_(matrix_of(whitening.inverse(), size_)),
        units_(size_),
        penalties_(size_),
        slopes_(Vector::Constant(size_, margins.beside)) {
    Vector l2(size_);
    for (Eigen::Index c = 0; c < size_; ++c) {
      units_[c] = all.unit(static_cast<std::size_t>(c));
      l2[c] = all.l2(static_cast<std::size_t>(c)) / (units_[c] * units_[c]);
    }
    // The penalty's quadratic part along each, in the metric of a step.
    penalties_ = (map_ * vectors_).array().square().matrix().transpose() * l2;
    penalties_ /= all.options().curvature;
    if (margins.way.empty()) return;
    const Eigen::Map<const Vector> way(margins.way.data(), size_);
    const double length = way.squaredNorm();
    if (!(length > 0.0)) return;
    slopes_ += (margins.along - margins.beside) / length *
               (vectors_.transpose() * way).array().square().matrix();
  }
  Eigen::Index size() const { return size_; }
  Matrix from_coefficients() const { return vectors_.transpose() * inverse_ * units_.asDiagonal(); }
  Matrix to_coefficients(const Matrix& mapped_slope) const {
    return units_.cwiseInverse().asDiagonal() * map_ * mapped_slope * vectors_;
  }
  /// Of the end, along all of them, where the start has this noise.
  Matrix covariance(const ImpulseResponse& response, const Matrix& start,
                    double WhitenedCurvature::* curvature) const {
    Vector released(size_);
    Vector kept(size_);
    for (Eigen::Index b = 0; b < size_; ++b) {
      const WhitenedCurvature& of = whitening_.curvatures()[static_cast<std::size_t>(b)];
      const ImpulseResponse::Response along =
          response.along({.loss = slopes_[b] * of.*curvature, .penalty = penalties_[b]});
      released[b] = along.variance;
      kept[b] = along.start;
    }
    Matrix out = kept.asDiagonal() * start * kept.asDiagonal();
    out.diagonal() += released;
    return out;
  }

 private:
  const Whitening& whitening_;
  Eigen::Index size_;
  Matrix vectors_;
  Matrix map_;
  Matrix inverse_;
  Vector units_;
  Vector penalties_;
  Vector slopes_;  ///< what margins leave of the loss's curvature along each
};

}  // namespace

double PrivacyNoise::sd(std::size_t place) const {
  return is_determined[place] != 0 ? std::sqrt(variance[place])
                                   : std::numeric_limits<double>::quiet_NaN();
}

PrivacyNoise PrivacyNoise::at(const std::vector<std::size_t>& of) const {
  PrivacyNoise out{.coordinates = of,
                   .variance = std::vector<double>(of.size()),
                   .covariance = {},
                   .is_determined = std::vector<char>(of.size(), 1)};
  if (coordinates.empty()) return out;
  std::vector<std::size_t> places;
  for (const std::size_t c : of) {
    const auto found = std::find(coordinates.begin(), coordinates.end(), c);
    places.push_back(static_cast<std::size_t>(found - coordinates.begin()));
    if (found == coordinates.end()) continue;
    out.variance[places.size() - 1] = variance[places.back()];
    out.is_determined[places.size() - 1] = is_determined[places.back()];
  }
  if (covariance.empty()) return out;
  out.covariance.resize(of.size() * of.size());
  for (std::size_t a = 0; a < of.size(); ++a) {
    for (std::size_t b = 0; b < of.size(); ++b) {
      if (std::max(places[a], places[b]) == coordinates.size()) continue;
      out.covariance[a * of.size() + b] = covariance[places[a] * coordinates.size() + places[b]];
    }
  }
  return out;
}

std::optional<double> steady_variance(const ImpulseResponse& response, double least, double most) {
  const double flat = response.along({.loss = least}).variance;
  const double curved = response.along({.loss = most}).variance;
  if (!in_range(flat, curved, kMostUnknown)) return std::nullopt;
  return std::sqrt(flat * curved);
}

PrivacyNoise noise_of_each(const NoisyDescent& descent, const CurvatureRange& range,
                           std::span<const double> growth) {
  const problem::Coordinates& all = descent.all;
  PrivacyNoise out{.coordinates = descent.start.coordinates};
  for (std::size_t c = 0; c < all.size(); ++c) {
    const double smoothness = all.smoothness(c);
    const double size = (growth.empty() ? 1.0 : growth[c]) * all.unit(c) / smoothness;
    const double penalty = all.l2(c) / smoothness;
    const auto variance = [&](double part) {
      const ImpulseResponse::Response of =
          descent.response.along({.loss = part * (1.0 - penalty) + penalty});
      return size * size * of.variance + of.start * of.start * descent.start.variance[c];
    };
    const double flat = variance(range.least);
    const double curved = variance(range.most);
    out.variance.push_back(std::sqrt(flat * curved));
    out.is_determined.push_back(in_range(flat, curved, kMostUnknown) ? 1 : 0);
  }
  return out;
}

PrivacyNoise noise_of_whitened(const NoisyDescent& descent, const Whitening& whitening,
                               const KeptWay& kept, const MarginCurvature& margins) {
  const Directions directions(whitening, descent.all, margins);
  const Matrix from = directions.from_coefficients();
  const Matrix to = directions.to_coefficients(slope_of(kept, directions.size()));
  const Matrix start = from * covariance_of(descent.start) * from.transpose();
  const auto covariance = [&](double WhitenedCurvature::* of) -> Matrix {
    return to * directions.covariance(descent.response, start, of) * to.transpose();
  };
  PrivacyNoise out{.coordinates = descent.start.coordinates};
  set_covariance(out, covariance(&WhitenedCurvature::about));
  const Vector flat = covariance(&WhitenedCurvature::least).diagonal();
  const Vector curved = covariance(&WhitenedCurvature::most).diagonal();
  for (Eigen::Index c = 0; c < flat.size(); ++c) {
    out.is_determined.push_back(in_range(curved[c], flat[c], kMostReleased) ? 1 : 0);
  }
  return out;
}

void recenter(PrivacyNoise& noise, const ImpulseResponse& response, std::span<const double> means) {
  const auto size = static_cast<Eigen::Index>(noise.variance.size());
  const ImpulseResponse::Response along = response.along({});
  if (static_cast<std::size_t>(size) != means.size() + 1) {
    noise.variance.back() = along.variance;
    noise.is_determined.back() = size == 1 ? 1 : 0;
    return;
  }
  Matrix moved = Matrix::Identity(size, size);
  moved.row(size - 1).head(size - 1) =
      -(1.0 - along.start) * Eigen::Map<const Vector>(means.data(), size - 1).transpose();
  moved(size - 1, size - 1) = along.start;
  Matrix covariance = moved * covariance_of(noise) * moved.transpose();
  covariance(size - 1, size - 1) += along.variance;
  set_covariance(noise, covariance);
  // It follows the features, of which some may not be known.
  const auto known = [](char determined) { return determined != 0; };
  noise.is_determined.back() =
      std::all_of(noise.is_determined.begin(), noise.is_determined.end() - 1, known) ? 1 : 0;
}

}  // namespace southwell::solvers
