#pragma once

// A table in memory, read, and its columns.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include "data/reading.hpp"

namespace southwell::data {

inline Dataset parse(std::string_view bytes, const ReadOptions& options = {}) {
  MemorySource source(bytes);
  return read_csv(source, "file", options);
}

inline std::vector<double> column(const Dataset& data, std::size_t j) {
  std::vector<double> out;
  std::get<DenseDesign<double>>(data.design)
      .block({j, j + 1})
      .column(0)
      .for_each([&](std::size_t, double x) { out.push_back(x); });
  return out;
}

}  // namespace southwell::data
