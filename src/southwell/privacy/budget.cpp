#include "southwell/privacy/budget.hpp"

#include <cmath>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"

namespace southwell::privacy {

void check_delta(double delta) {
  if (delta >= 0.0 && delta < 1.0) return;
  throw InvalidArgument("delta: given is " + core::rounded_text(delta) +
                        ", accepted are numbers from 0 to below 1");
}

void Budget::check() const {
  if (!(epsilon > 0.0) || std::isinf(epsilon)) {
    throw InvalidArgument("epsilon: given is " + core::rounded_text(epsilon) +
                          ", accepted are positive finite numbers");
  }
  check_delta(delta);
}

}  // namespace southwell::privacy
