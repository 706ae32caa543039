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

std::vector<double> flat(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};  // symmetric: rows are columns
}

/// Eigenvalues below the noise cannot be told from each other, but their sum can: each is their
/// mean.
void share_bulk(Eigen::VectorXd& values, double noise) {
  double sum = 0.0;
  Eigen::Index count = 0;
  while (count < values.size() && values[count] < noise) sum += values[count++];
  if (count == 0) return;
  const double mean = std::max(sum / static_cast<double>(count), kLeastBulk * noise);
  values.head(count).setConstant(mean);
}

}  // namespace

Whitening::Whitening(const ReleasedMoments& moments) : dims_(moments.dims) {
  const auto size = static_cast<Eigen::Index>(dims_);
  const Matrix released = Eigen::Map<const Matrix>(moments.values.data(), size, size);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(released);
  Eigen::VectorXd values = solver.eigenvalues();  // increasing
  const auto dims = static_cast<double>(dims_);
  const double noise = moments.noise_sd * std::sqrt(2.0 * dims);
  share_bulk(values, noise);
  const double ridge = std::max(kRidge * noise, kFloor * moments.norm * moments.norm / dims);
  for (const double value : values) effective_ += value / (value + ridge);
  const Eigen::VectorXd ridged = values.array() + ridge;
  const Matrix& vectors = solver.eigenvectors();
  map_ = flat(vectors * ridged.cwiseSqrt().cwiseInverse().asDiagonal() * vectors.transpose());
  inverse_ = flat(vectors * ridged.cwiseSqrt().asDiagonal() * vectors.transpose());
  metric_ = flat(vectors * ridged.asDiagonal() * vectors.transpose());
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
