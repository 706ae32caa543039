#include "southwell/solvers/rounds/whitening.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace southwell::solvers {
namespace {

using Matrix = Eigen::MatrixXd;

// Of the noise's spectral norm: what the ridge is at least, and the least that is believed of the
// mean of what noise covers.
constexpr double kRidge = 0.3;
constexpr double kLeastBulk = 0.02;
/// Of a typical eigenvalue: directions that only a few records have are not blown up, however well
/// they are known.
constexpr double kFloor = 0.03;
constexpr double kNone = 1e-300;  ///< instead of dividing by 0
constexpr double kDoubts = 2.0;   ///< sds of the noise in a mean of eigenvalues

std::vector<double> flat(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};  // column after column
}

/// The lowest eigenvalues that noise cannot tell from their mean share it: their sum is known
/// better than any of them. Where all features are alike and noise is as large as they are, that is
/// all of them, however far noise has spread them. Returns how many.
Eigen::Index share_bulk(Eigen::VectorXd& values, double noise) {
  double sum = 0.0;
  double mean = 0.0;
  Eigen::Index count = 0;
  while (count < values.size() && values[count] < mean + noise) {
    sum += values[count++];
    mean = std::max(sum / static_cast<double>(count), kLeastBulk * noise);
  }
  values.head(count).setConstant(mean);
  return count;
}

/// A symmetric release of true moments and noise: its spectral noise e, and its eigenvalues.
struct Released {
  const Matrix& matrix;
  const Eigen::VectorXd& values;  // increasing
  double sd;                      // of an entry on the diagonal
  double e;
};

/// The true moments along released eigenvectors. Noise pushes eigenvalues apart, so the moment
/// along b is l_b - e^2 / 2 times the mean of 1 / (l_b - l_c), the rotationally invariant estimate
/// of a matrix with additive noise (Bun, Allez, Bouchaud, Potters 2016); the sum stays. Those below
/// the noise share their mean.
Eigen::VectorXd moments_along(const Released& of, Eigen::Index bulk) {
  const auto dims = static_cast<double>(of.values.size());
  const double near =
      of.e * of.e / dims;  // closer than that, eigenvalues say nothing of each other
  Eigen::VectorXd out = of.values;
  for (Eigen::Index b = 0; b < out.size(); ++b) {
    const Eigen::ArrayXd apart = of.values[b] - of.values.array();
    const double pushed = (apart / (apart.square() + std::max(near, kNone))).sum() / dims;
    out[b] -= 0.5 * of.e * of.e * pushed;
  }
  if (bulk > 0) out.head(bulk).setConstant(out.head(bulk).mean());
  return out.cwiseMax(0.0);
}

/// How far these may be off. A noise matrix alone has eigenvalues at a squared distance of
/// sd^2 chi^2 from their mean: what is beyond it is a spread of their own.
Eigen::VectorXd doubts_along(const Released& of, Eigen::Index bulk) {
  Eigen::VectorXd out = Eigen::VectorXd::Constant(of.values.size(), of.sd);
  if (bulk == 0) return out;
  const auto count = static_cast<double>(bulk);
  const auto values = of.values.head(bulk).array();
  const double squares = (values - values.mean()).square().sum();
  const double degrees = 0.5 * (count - 1.0) * (count + 2.0);
  const double own = std::max(0.0, squares - of.sd * of.sd * degrees) / count;
  const double unsure = of.sd * of.sd * (1.0 + std::sqrt(2.0 * degrees)) / count;
  out.head(bulk).setConstant(std::sqrt(own + unsure));
  return out;
}

/// What clipping records at norm 1 leaves of their second moments, were they normal: squared norms
/// then are `size` s / d, s chi-squared with d degrees (Wilson and Hilferty).
struct ClippedMoments {
  double along = 0.0;   ///< in the directions that make the norm
  double beside = 0.0;  ///< in one that adds nothing to it
};
ClippedMoments clipped_moments(double degrees, double size) {
  constexpr int kNodes = 200;
  constexpr double kFar = 5.0;
  const double spread = 2.0 / (9.0 * degrees);
  double weights = 0.0;
  ClippedMoments out;
  for (int k = 0; k <= kNodes; ++k) {
    const double z = kFar * (2.0 * k / kNodes - 1.0);
    const double weight = std::exp(-0.5 * z * z);
    const double root = std::max(1e-3, 1.0 - spread + z * std::sqrt(spread));
    const double square = size * root * root * root;
    weights += weight;
    out.along += weight * std::min(1.0, square) / size;
    out.beside += weight * std::min(1.0, 1.0 / square);
  }
  return {std::min(1.0, out.along / weights), out.beside / weights};
}

/// What clipping left of the moments along each direction: records are limited later, and wider.
/// How large they are follows from the trace, up to the size that was declared.
Eigen::VectorXd left_by_clipping(const Released& of, const Eigen::VectorXd& moments, double norm) {
  const auto dims = static_cast<double>(of.values.size());
  const double trace = std::max(of.matrix.trace(), kNone);
  const double noise = of.sd * of.sd * dims * (dims + 1.0) / 2.0;
  const double squares = std::max(of.matrix.squaredNorm() - noise, kNone);
  const double degrees = std::clamp(trace * trace / squares, 1.0, dims);
  const double mean = trace / (norm * norm);
  double low = 1e-6;
  double size = 1.0;
  if (clipped_moments(degrees, size).along * size > mean) {
    for (int halving = 0; halving < 40; ++halving) {
      const double middle = 0.5 * (low + size);
      (clipped_moments(degrees, middle).along * middle < mean ? low : size) = middle;
    }
  }
  const ClippedMoments left = clipped_moments(degrees, size);
  const Eigen::ArrayXd part = (moments.array() * degrees / trace).cwiseMax(0.0).cwiseMin(1.0);
  return left.beside + (left.along - left.beside) * part;
}

/// What a release says of the true moments.
struct Spectrum {
  explicit Spectrum(const ReleasedMoments& moments) {
    const auto size = static_cast<Eigen::Index>(moments.dims);
    const Matrix released = Eigen::Map<const Matrix>(moments.values.data(), size, size);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(released);
    vectors = solver.eigenvectors();
    values = solver.eigenvalues();  // increasing
    noise = moments.noise_sd * std::sqrt(2.0 * static_cast<double>(moments.dims));
    bulk = share_bulk(values, noise);
    const Released release{released, solver.eigenvalues(), moments.noise_sd, noise};
    about = moments_along(release, bulk);
    doubt = doubts_along(release, bulk);
    left = left_by_clipping(release, about, moments.norm);
  }
  /// Of records that no clip shortens, that many doubts off.
  double along(Eigen::Index b, double doubts) const {
    return std::max(0.0, about[b] + doubts * doubt[b]) / left[b];
  }

  Matrix vectors;
  Eigen::VectorXd values;  ///< as released, those of the bulk shared
  double noise = 0.0;      ///< its spectral norm
  Eigen::Index bulk = 0;
  Eigen::VectorXd about;
  Eigen::VectorXd doubt;
  Eigen::VectorXd left;
};

}  // namespace

Whitening::Whitening(const ReleasedMoments& moments) : dims_(moments.dims) {
  const auto size = static_cast<Eigen::Index>(dims_);
  const auto dims = static_cast<double>(dims_);
  const Spectrum spectrum(moments);
  const Eigen::VectorXd& values = spectrum.values;
  const Eigen::Index bulk = spectrum.bulk;
  const double ridge =
      std::max(kRidge * spectrum.noise, kFloor * moments.norm * moments.norm / dims);
  const Eigen::VectorXd ridged = values.array() + ridge;
  mapped_noise_ = moments.noise_sd / ridged.minCoeff();
  const Matrix& vectors = spectrum.vectors;
  map_ = flat(vectors * ridged.cwiseSqrt().cwiseInverse().asDiagonal() * vectors.transpose());
  inverse_ = flat(vectors * ridged.cwiseSqrt().asDiagonal() * vectors.transpose());
  metric_ = flat(vectors * ridged.asDiagonal() * vectors.transpose());
  means_.assign(moments.values.end() - static_cast<std::ptrdiff_t>(dims_), moments.values.end());
  directions_ = flat(vectors);
  // What noise may have hidden in the bulk counts as if it was there, up to what was declared: too
  // few directions would let a descent follow the noise of all the others.
  const double hidden =
      kDoubts * moments.noise_sd / std::sqrt(std::max<double>(1.0, static_cast<double>(bulk)));
  for (Eigen::Index b = 0; b < size; ++b) {
    const auto part = [&](double doubts) { return spectrum.along(b, doubts) / ridged[b]; };
    const double most =
        b < bulk ? std::max(values[b], std::min(moments.declared, values[b] + hidden)) : values[b];
    curvatures_.push_back({.about = part(0.0),
                           .least = part(-1.0),
                           .most = part(1.0),
                           .counted = most / (most + ridge)});
    effective_ += curvatures_.back().counted;
  }
}

void Whitening::observe_mapped(const ReleasedMoments& moments) {
  if (moments.noise_sd >= mapped_noise_) return;
  const Spectrum spectrum(moments);
  directions_ = flat(spectrum.vectors);
  for (Eigen::Index b = 0; b < spectrum.values.size(); ++b) {
    WhitenedCurvature& curvature = curvatures_[static_cast<std::size_t>(b)];
    curvature.about = spectrum.along(b, 0.0);
    curvature.least = spectrum.along(b, -1.0);
    curvature.most = spectrum.along(b, 1.0);
  }
}

std::vector<double> Whitening::times(const std::vector<double>& matrix,
                                     std::span<const double> by) const {
  std::vector<double> out(dims_);
  for (std::size_t b = 0; b < dims_; ++b) {
    for (std::size_t a = 0; a < dims_; ++a) out[a] += matrix[b * dims_ + a] * by[b];
  }
  return out;
}

std::vector<double> Whitening::noise_sd(std::span<const double> mapped_sd) const {
  std::vector<double> out(dims_);
  for (std::size_t a = 0; a < dims_; ++a) {
    double square = 0.0;
    for (std::size_t b = 0; b < dims_; ++b) {
      square += std::pow(map_[b * dims_ + a] * mapped_sd[b], 2);
    }
    out[a] = std::sqrt(square);
  }
  return out;
}

}  // namespace southwell::solvers
