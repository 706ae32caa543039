#pragma once

#include <cmath>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/problem/shown.hpp"

namespace southwell::problem {

/// The strength of a penalty, checked at the door.
inline double checked_alpha(double alpha) {
  if (!(alpha > 0.0) || !std::isfinite(alpha)) {
    throw InvalidArgument("alpha: given " + shown(alpha) +
                          ", accepted is a finite number > 0 (penalty none has no alpha)");
  }
  return alpha;
}

}  // namespace southwell::problem
