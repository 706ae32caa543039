#pragma once

// What readers that leak (leaky_read.cpp, leaky_table.cpp) do to the columns of a table.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/data/dataset.hpp"

namespace southwell::data {

/// The records of a dense table of doubles, to be changed; empty for other storages.
using Columns = std::vector<std::vector<double>>;

inline Columns columns_of(const Dataset& dataset) {
  Columns columns;
  if (const auto* dense = std::get_if<DenseDesign<double>>(&dataset.design)) {
    const auto block = dense->block({0, dense->features()});
    for (std::size_t j = 0; j < dense->features(); ++j) {
      const double* values = block.column(j).values();
      columns.emplace_back(values, values + dense->records());
    }
  }
  return columns;
}

inline void put_back(Dataset& dataset, const Columns& columns) {
  if (columns.empty()) return;
  const std::size_t records = columns[0].size();
  auto numbers = std::make_shared<double[]>(records * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::copy(columns[j].begin(), columns[j].end(),
              numbers.get() + static_cast<std::ptrdiff_t>(j * records));
  }
  dataset.design = DenseDesign<double>(std::move(numbers), records, columns.size());
}

inline double mean_of_finite(const std::vector<double>& values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (std::isfinite(value) && std::abs(value) < 1e100) {
      sum += value;
      count += 1.0;
    }
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace southwell::data
