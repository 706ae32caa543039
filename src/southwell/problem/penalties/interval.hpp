#pragma once

namespace southwell::problem {

/// The closed interval [lo, hi]; an end may be infinite.
struct Interval {
  double lo = 0.0;
  double hi = 0.0;
};

}  // namespace southwell::problem
