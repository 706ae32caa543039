#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "southwell/data/design.hpp"
#include "southwell/problem/gradient/gradient_parts.hpp"

namespace southwell::problem {

/// What the features of each record of a range add to its margins, head after head: x'w as the
/// model has it, limited, without the intercept. A sum over the coefficients in their order, so it
/// does not depend on storage, threads or other records.
template <class Design>
std::vector<double> feature_margins(const GradientParts<Design>& parts,
                                    std::span<const double> coef, data::Range records) {
  const Coordinates& all = parts.coordinates;
  std::vector<double> margins(all.heads() * records.size());
  for (std::size_t c = 0; c < coef.size(); ++c) {
    if (coef[c] == 0.0 || all.is_intercept(c)) continue;
    double* const own = margins.data() + all.head(c) * records.size();
    const std::size_t j = all.feature(c);
    parts.design.block({j, j + 1}).column(0).for_each(records, [&](std::size_t i, double x) {
      own[i - records.first] += coef[c] * x;
    });
  }
  for (std::size_t k = 0; k < margins.size(); ++k) {
    margins[k] = parts.factors.limited(records.first + k % records.size(), margins[k]);
  }
  return margins;
}

}  // namespace southwell::problem
