#pragma once

#include <cstddef>
#include <vector>

namespace southwell::privacy {

/// B of one range over knots e^(i step): at each the largest chord through it with ends u and
/// u e^range, range = cells step. Rounded up. Statement, proof and numerics in hockey_stick.md.
class LargestChord {
 public:
  LargestChord(double step, std::ptrdiff_t cells);

  /// `old` has `cells` knots more on the left of what is asked for, and one more than that on the
  /// right; out[i] is raised to B old at old's knot i + cells.
  void raise(const std::vector<double>& old, std::vector<double>& out);

 private:
  std::ptrdiff_t cells_;
  double growth_, grown_, shrunk_, far_, per_cell_, per_range_, pad_;
  std::vector<double> left_, right_, root_;
  std::vector<double> slope_, rise_, fall_, limit_, cost_;  ///< by the cell of the left end
};

}  // namespace southwell::privacy
