#pragma once

#include <string>

namespace southwell::privacy {

/// The (epsilon, delta) that is asked for.
struct Budget {
  double epsilon;
  double delta;

  /// Throws InvalidArgument unless 0 < epsilon < inf and 0 <= delta < 1.
  void check() const;
};

/// Throws InvalidArgument unless 0 <= delta < 1.
void check_delta(double delta);

/// What nine digits show of it is not below it.
inline double rounded_up(double epsilon) { return epsilon * (1.0 + 1e-9); }

}  // namespace southwell::privacy
