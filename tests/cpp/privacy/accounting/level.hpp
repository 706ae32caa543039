#pragma once

#include "southwell/privacy/accounting/cost.hpp"

namespace southwell::privacy::testing {

inline double level(const Cost& cost) {
  return static_cast<double>(cost.shift) / static_cast<double>(cost.scale);
}

}  // namespace southwell::privacy::testing
