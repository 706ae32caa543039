#include "southwell/privacy/budget.hpp"

#include <cmath>
#include <cstdio>
#include <string>

#include "southwell/core/error.hpp"

namespace southwell::privacy {

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

void check_delta(double delta) {
  if (delta >= 0.0 && delta < 1.0) return;
  throw InvalidArgument("delta: given is " + text_of(delta) +
                        ", accepted are numbers from 0 to below 1");
}

void Budget::check() const {
  if (!(epsilon > 0.0) || std::isinf(epsilon)) {
    throw InvalidArgument("epsilon: given is " + text_of(epsilon) +
                          ", accepted are positive finite numbers");
  }
  check_delta(delta);
}

}  // namespace southwell::privacy
