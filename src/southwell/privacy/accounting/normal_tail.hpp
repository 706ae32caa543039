#pragma once

namespace southwell::privacy {

/// P(N > s) of a standard normal N lies within these ends: a part 2^-38 of the value on either
/// side, from IEEE operations and core::exp alone. Error bound in hockey_stick.md.
struct NormalTail {
  double low;
  double high;
};
NormalTail normal_tail(double s);

}  // namespace southwell::privacy
