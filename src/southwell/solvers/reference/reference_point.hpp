#pragma once

#include <cstddef>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/problem/objective.hpp"
#include "southwell/solvers/reference/reference_columns.hpp"

namespace southwell::solvers {

/// Where the search for the optimum is: coefficients in the columns' units, and their margins.
template <data::Design D>
class ReferencePoint {
 public:
  std::vector<double> coef;  ///< the intercept last
  std::vector<double> margins;
  bool fresh_margins = true;  ///< they are those of the coefficients as they are handed out
  double loss = 0.0;          ///< at the margins

  ReferencePoint(const problem::Objective<D>& objective, const Columns<D>& columns,
                 core::ThreadPool& pool)
      : coef(objective.features() + 1, 0.0),
        objective_(objective),
        columns_(columns),
        pool_(pool) {}

  /// In the data's own units.
  problem::Coefficients coefficients() const {
    problem::Coefficients out{std::vector<double>(objective_.features()), 0.0};
    for (std::size_t j = 0; j < objective_.features(); ++j)
      out.coef[j] = coef[j] / columns_.shapes()[j].scale;
    out.intercept = static_cast<double>(coef.back() - centers(out));
    return out;
  }

  /// What centering takes from the margins. In long double: where means are large, the intercept is
  /// a small difference of large numbers.
  long double centers(const problem::Coefficients& at) const {
    long double sum = 0.0L;
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      sum += static_cast<long double>(columns_.shapes()[j].center) * at.coef[j];
    }
    return sum;
  }

  /// The margins of the coefficients as they are handed out.
  void refresh_margins() {
    const problem::Coefficients at = coefficients();
    coef.back() = static_cast<double>(at.intercept + centers(at));
    std::vector<std::size_t> list;
    std::vector<double> factors;
    for (std::size_t j = 0; j < coef.size(); ++j) {
      if (coef[j] == 0.0) continue;
      list.push_back(j);
      factors.push_back(coef[j]);
    }
    margins.resize(objective_.records());
    columns_.combine(list, factors, margins, pool_);
    fresh_margins = true;
  }

 private:
  const problem::Objective<D>& objective_;
  const Columns<D>& columns_;
  core::ThreadPool& pool_;
};

}  // namespace southwell::solvers
