#pragma once

#include "southwell/core/exp.hpp"
#include "southwell/core/log.hpp"

namespace southwell::core {

/// exp(x) - 1 without cancellation near 0, from core::exp and core::log alone: the same bits
/// everywhere. Error below 5 ulp.
inline double expm1(double x) {
  const double u = exp(x);
  if (!(u > 0.5 && u < 2.0)) return u - 1.0;  // here the difference loses at most two bits
  // (u - 1) / log(u) hardly moves with u, so that the rounding of u cancels; u - 1 is exact.
  return u == 1.0 ? x : (u - 1.0) * (x / log(u));
}

/// log(1 + x) without cancellation near 0, from core::log alone: the same bits everywhere. Error
/// below 3 ulp.
inline double log1p(double x) {
  const double u = 1.0 + x;
  if (!(u > 0.0) || u - u != 0.0) return log(u);
  return log(u) + (x - (u - 1.0)) / u;  // the second term is what 1 + x lost in rounding
}

}  // namespace southwell::core
