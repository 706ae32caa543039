#pragma once

#include <cmath>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"

namespace southwell::problem {

/// The strength of a penalty, checked at the door.
inline double checked_alpha(double alpha) {
  if (!(alpha > 0.0) || !std::isfinite(alpha)) {
    throw InvalidArgument("alpha: given " + core::number_text(alpha) +
                          ", accepted is a finite number > 0 (penalty none has no alpha)");
  }
  return alpha;
}

}  // namespace southwell::problem
