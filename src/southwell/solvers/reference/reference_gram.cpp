#include "southwell/solvers/reference/reference_gram.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <numeric>

namespace southwell::solvers {

std::vector<std::size_t> Gram::places_of(std::span<const std::size_t> list) const {
  std::vector<std::size_t> by_column(size());
  std::iota(by_column.begin(), by_column.end(), std::size_t{0});
  std::sort(by_column.begin(), by_column.end(),
            [&](std::size_t a, std::size_t b) { return list_[a] < list_[b]; });
  std::vector<std::size_t> places(list.size(), size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto at = std::lower_bound(by_column.begin(), by_column.end(), list[k],
                                     [&](std::size_t a, std::size_t j) { return list_[a] < j; });
    if (at != by_column.end() && list_[*at] == list[k]) places[k] = *at;
  }
  return places;
}

void GramModel::solve(std::span<const std::size_t> places, std::span<const double> slopes,
                      std::span<double> moves) {
  constexpr double kRidge = 1e-12;  // of each curvature
  const auto size = static_cast<Eigen::Index>(places.size());
  const auto free = static_cast<double>(size);
  work_ += free * free * (free / 6.0 + 2.0);
  Eigen::MatrixXd matrix(size, size);
  for (Eigen::Index b = 0; b < size; ++b) {
    const std::size_t place = places[static_cast<std::size_t>(b)];
    const double* row = gram_.row(place);
    for (Eigen::Index a = 0; a < size; ++a) matrix(a, b) = row[places[static_cast<std::size_t>(a)]];
    matrix(b, b) += l2_[place];
  }
  for (double& h : matrix.diagonal()) h += kRidge * (h > 0.0 ? h : 1.0);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(matrix);
  Eigen::Map<Eigen::VectorXd> out(moves.data(), size);
  out = -Eigen::Map<const Eigen::VectorXd>(slopes.data(), size);
  if (cholesky.info() == Eigen::Success) {
    cholesky.solveInPlace(out);
  } else {
    out.setZero();
  }
}

}  // namespace southwell::solvers
