#pragma once

#include <cmath>
#include <numbers>

namespace southwell::core {

/// The standard normal's distribution, in plain doubles: for defaults and plans. What certifies
/// takes the enclosures of privacy/accounting/normal_tail.hpp.
inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace southwell::core
