#pragma once

#include <vector>

#include "southwell/privacy/accounting/bounded_range_curve.hpp"
#include "southwell/privacy/accounting/composition.hpp"

namespace southwell::privacy {

/// The privacy profile of selections of bounded range and discrete Gaussian releases in any order,
/// also one chosen by the outcomes: the hockey-stick divergence taken through the composition step
/// by step, each selection at its worst for what is to come. Rounded up. Statement, proof and
/// numerics in hockey_stick.md.
class HockeyStick {
 public:
  explicit HockeyStick(const Composition& composition, const CurveKnots& cells = {});

  static constexpr bool covers(Cost::Kind kind) {
    return kind == Cost::Kind::bounded_range || kind == Cost::Kind::discrete_gaussian;
  }

  /// False with any other mechanism, Gaussian noise of sigma 2 or less, or more selections than a
  /// curve takes (bounded_range_curve.hpp): there is no bound then.
  bool applies() const { return applies_; }

  /// Not below the least delta at this epsilon >= 0; 1 where there is no bound.
  double delta(double epsilon) const;
  /// Not below the least epsilon at this delta; infinite where there is no bound.
  double epsilon(double delta) const;

 private:
  /// The curve is the least value plus the sum of weight (1 - y e^(-x))+ over these.
  struct Stick {
    double x;  ///< logarithm of the knot
    double weight;
    double beyond;  ///< weights of this and all later ones together
  };
  void set_sticks(const BoundedRangeCurve& curve);
  double ideal_delta(double epsilon) const;

  bool applies_ = true;
  double mu_ = 0.0;             ///< of all Gaussian noise together
  double least_ = 0.0;          ///< the curve's last value
  double largest_range_ = 0.0;  ///< the logarithm of the last knot
  std::vector<Stick> sticks_;   ///< by rising x
};

/// epsilon at this delta; infinite at delta = 0 and where there is no bound.
double hockey_stick_epsilon(const Composition& composition, double delta);

}  // namespace southwell::privacy
