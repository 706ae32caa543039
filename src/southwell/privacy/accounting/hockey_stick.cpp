#include "southwell/privacy/accounting/hockey_stick.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "southwell/core/fault.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/normal_tail.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the whole numbers of 2^60 released coordinates can add: twice this to epsilon, this part
/// to delta.
constexpr double kLattice = 1e-15;

/// (shift / sqrt(sigma^2 - 4))^2: noise on whole numbers is coarser Gaussian noise that passed
/// through a lattice of variance 4.
Enclosure square_of_mu(const Cost& cost) {
  const Enclosure shift = Enclosure::whole(cost.shift);
  const Enclosure sigma = Enclosure::whole(cost.scale);
  const double kept = fault(Fault::hockey_stick_forgets_the_lattice) ? 0.0 : 4.0;
  const Enclosure half = fault(Fault::hockey_stick_halves_the_shift) ? shift * 0.5 : shift;
  return half * half / (sigma * sigma - kept);
}

/// Not below Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), the profile of Gaussian noise.
double gaussian_delta(double x, double mu) {
  if (mu == 0.0) return x < 0.0 ? (-expm1(Enclosure(x))).high : 0.0;
  const Enclosure s = Enclosure(x) / mu - 0.5 * mu;
  const double falls = normal_tail(s.low).high;
  const double other = normal_tail((s + mu).high).low;
  if (other == 0.0 || x > 700.0) return falls;
  const double taken = core::step_down(core::step_down(core::exp(x), core::kExpSteps) * other);
  return std::max(core::step_up(falls - taken), 0.0);
}

}  // namespace

HockeyStick::HockeyStick(const Composition& composition, const CurveKnots& cells) {
  std::vector<BoundedRangeUses> classes;
  Enclosure square;
  for (const auto& [cost, count] : composition.events()) {
    if (cost.kind == Cost::Kind::bounded_range) {
      classes.push_back({pure_epsilon(cost).high, count});
    } else if (cost.kind == Cost::Kind::discrete_gaussian && cost.scale > 2) {
      square = square + Enclosure::whole(count) * square_of_mu(cost);
    } else {
      applies_ = false;
    }
  }
  mu_ = square.high > 0.0 ? sqrt(square).high : 0.0;
  BoundedRangeCurve curve;
  applies_ = applies_ && mu_ < 1e100 && bounded_range_curve(std::move(classes), cells, curve);
  if (applies_) set_sticks(curve);
}

/// Slopes of the curve change by weight / knot at each knot.
void HockeyStick::set_sticks(const BoundedRangeCurve& curve) {
  const std::vector<double>& value = curve.values;
  const double growth = core::exp(curve.step);
  const double per_cell = 1.0 / core::expm1(curve.step);
  const auto drop = [&](std::size_t i) { return value[i] - value[i + 1]; };
  const std::size_t last = value.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const auto index = static_cast<double>(static_cast<std::ptrdiff_t>(i) - curve.left);
    const double after = i < last ? drop(i) * per_cell : 0.0;
    const double before = i > 0 ? growth * drop(i - 1) * per_cell : 1.0 - value[0];
    const double knot = (Enclosure(curve.step) * index).high;
    sticks_.push_back({knot, std::max(before - after + 0x1p-48 * (before + after), 0.0), 0.0});
  }
  double beyond = 0.0;
  for (auto stick = sticks_.rbegin(); stick != sticks_.rend(); ++stick) {
    stick->beyond = beyond = core::step_up(beyond + stick->weight);
  }
  largest_range_ = sticks_.back().x;
  least_ = fault(Fault::hockey_stick_forgets_the_least) ? 0.0 : value[last];
}

double HockeyStick::ideal_delta(double epsilon) const {
  std::size_t i = sticks_.size();
  double sum = least_;
  // The last sticks together weigh next to nothing, and delta of Gaussian noise is at most 1.
  for (; mu_ > 0.0 && i > 0 && sticks_[i - 1].beyond < 1e-40; --i)
    sum = least_ + sticks_[i - 1].beyond;
  const double all = sticks_.front().beyond;
  for (; i > 0; --i) {
    const Stick& stick = sticks_[i - 1];
    const double each = gaussian_delta((Enclosure(epsilon) - stick.x).low, mu_);
    // No stick from here on has a larger delta.
    if (each * all <= 0x1p-50 * sum) return sum + each * all;
    sum += stick.weight * each;
  }
  return sum;
}

double HockeyStick::delta(double epsilon) const {
  if (!applies_) return 1.0;
  const double ideal = ideal_delta((Enclosure(epsilon) - 2.0 * kLattice).low);
  // Covers e^kLattice and the additions of up to 2^17 terms >= 0.
  return std::min(ideal * (1.0 + 0x1p-35), 1.0);
}

double HockeyStick::epsilon(double delta) const {
  if (!applies_ || !(delta > 0.0)) return kInfinity;
  const double accepted = fault(Fault::hockey_stick_takes_the_unsafe_end) ? 1.01 * delta : delta;
  double best = kInfinity;
  const auto excess = [&](double epsilon) {
    const double found = this->delta(epsilon);
    if (found <= accepted) best = std::min(best, epsilon);
    const double ratio = core::log(std::max(found, 1e-300) / delta);
    return found <= accepted ? std::min(ratio, -1e-15) : std::max(ratio, 1e-15);
  };
  const double at_low = excess(0.0);
  if (at_low < 0.0) return 0.0;
  const double spread = std::sqrt(2.0 * core::log(2.0 / delta));
  double high = std::max(largest_range_, 0.0) + mu_ * (0.5 * mu_ + spread) + 1e-9;
  double at_high = excess(high);
  for (int i = 0; i < 10 && at_high > 0.0; ++i) at_high = excess(high *= 1.5);
  if (at_high > 0.0) return kInfinity;
  std::uintmax_t steps = 100;
  boost::math::tools::toms748_solve(
      excess, 0.0, high, at_low, at_high, [](double a, double b) { return b - a < 1e-10 * b; },
      steps);
  return best;
}

double hockey_stick_epsilon(const Composition& composition, double delta) {
  check_delta(delta);
  if (composition.events().empty()) return 0.0;
  if (delta == 0.0) return kInfinity;
  return HockeyStick(composition).epsilon(delta);
}

}  // namespace southwell::privacy
