#pragma once

#include <cstddef>

namespace southwell::problem {

/// term(0) + ... + term(size - 1), added up in blocks: the rounding grows with the number of blocks
/// and the length of one, not with their product.
template <class Term>
double sum(std::size_t size, Term&& term) {
  constexpr std::size_t kBlock = 128;
  double total = 0.0;
  for (std::size_t first = 0; first < size; first += kBlock) {
    const std::size_t last = size - first < kBlock ? size : first + kBlock;
    double part = 0.0;
    for (std::size_t i = first; i < last; ++i) part += term(i);
    total += part;
  }
  return total;
}

}  // namespace southwell::problem
