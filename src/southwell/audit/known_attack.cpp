#include "southwell/audit/known_attack.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace southwell::audit {
namespace {

using privacy::Cost;

/// A value of the privacy loss, and how probable it is on the first of the two inputs.
struct Atom {
  double loss;
  double chance;
};
using Atoms = std::vector<Atom>;

double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double ratio_of(const Cost& cost) {
  return static_cast<double>(cost.shift) / static_cast<double>(cost.scale);
}

/// Randomised response.
Atoms two_outcomes(double epsilon) {
  const double likely = 1.0 / (1.0 + std::exp(-epsilon));
  return {{epsilon, likely}, {-epsilon, 1.0 - likely}};
}

/// Laplace noise of scale 1 on a number that is 0 or `shift`.
Atoms laplace(double shift) {
  constexpr int kCells = 400;
  Atoms atoms{{shift, 0.5}, {-shift, 0.5 * std::exp(-shift)}};
  for (int i = 0; i < kCells; ++i) {
    const double from = shift * i / kCells;
    const double to = shift * (i + 1) / kCells;
    atoms.push_back({shift - from - to, 0.5 * (std::exp(-from) - std::exp(-to))});
  }
  return atoms;
}

/// Gaussian noise of sd 1 on a number that is `here`, or `there`, if the record was sampled and 0
/// if not.
Atoms sampled_gaussian(double here, double there, double rate) {
  constexpr double kStep = 0.005;
  const auto density = [&](double x, double at) {
    return (1.0 - rate) * std::exp(-0.5 * x * x) + rate * std::exp(-0.5 * (x - at) * (x - at));
  };
  const double reach = 9.0 + std::max(std::fabs(here), std::fabs(there));
  Atoms atoms;
  double all = 0.0;
  for (double x = -reach; x <= reach; x += kStep) {
    const double likely = density(x, here);
    atoms.push_back({std::log(likely / density(x, there)), likely});
    all += likely;
  }
  for (Atom& atom : atoms) atom.chance /= all;
  return atoms;
}

Atoms atoms_of(const Cost& cost) {
  const double ratio = ratio_of(cost);
  const double rate = static_cast<double>(cost.sampled) / 4294967296.0;
  switch (cost.kind) {
    case Cost::Kind::pure:
      return two_outcomes(ratio);
    case Cost::Kind::bounded_range:
      return two_outcomes(0.5 * ratio);  // two candidates of equal scores at one of the inputs
    case Cost::Kind::discrete_laplace:
      return laplace(ratio);
    case Cost::Kind::sampled_gaussian_add_or_remove:
      return sampled_gaussian(ratio, 0.0, rate);
    case Cost::Kind::sampled_gaussian_replace:
      return sampled_gaussian(ratio, -ratio, rate);
    case Cost::Kind::discrete_gaussian:
      break;  // added up in closed form
  }
  return {};
}

double mean_square(const Atoms& atoms) {
  double sum = 0.0;
  for (const Atom& atom : atoms) sum += atom.chance * atom.loss * atom.loss;
  return sum;
}

/// Losses on a grid around 0. What would lie beyond it counts as its end, above, and not at all,
/// below: that makes the attack weaker, never stronger.
class Grid {
 public:
  explicit Grid(double reach) : step_(reach / kHalf), chances_(2 * kHalf + 1, 0.0) {}

  /// Each atom goes to the two points beside it, so that its mean stays.
  Grid with(const Atoms& atoms) const {
    Grid out = empty();
    for (const Atom& atom : atoms) {
      const double place = std::min(atom.loss / step_, static_cast<double>(kHalf));
      const double below = std::floor(place);
      const double share = place - below;
      out.add(static_cast<std::ptrdiff_t>(below), atom.chance * (1.0 - share));
      if (share > 0.0) out.add(static_cast<std::ptrdiff_t>(below) + 1, atom.chance * share);
    }
    return out;
  }
  /// The sum of two independent losses.
  Grid plus(const Grid& other) const {
    Grid out = empty();
    for (std::ptrdiff_t i = -kHalf; i <= kHalf; ++i) {
      const double chance = at(i);
      if (chance < 1e-18) continue;
      for (std::ptrdiff_t j = -kHalf; j <= kHalf; ++j) out.add(i + j, chance * other.at(j));
    }
    return out;
  }
  /// That of `count` uses of what this is.
  Grid times(std::uint64_t count) const {
    Grid power = *this;
    Grid out = with({{0.0, 1.0}});
    for (;; power = power.plus(power)) {
      if (count % 2 == 1) out = out.plus(power);
      count /= 2;
      if (count == 0) return out;
    }
  }
  /// The delta at this epsilon, with Gaussian losses of this mu besides.
  double delta(double epsilon, double mu) const {
    double sum = 0.0;
    for (std::ptrdiff_t i = -kHalf; i <= kHalf; ++i) {
      if (at(i) == 0.0) continue;
      const double left = epsilon - static_cast<double>(i) * step_;
      const double share =
          mu > 0.0 ? normal(0.5 * mu - left / mu) - std::exp(left) * normal(-0.5 * mu - left / mu)
                   : std::max(0.0, 1.0 - std::exp(left));
      sum += at(i) * share;
    }
    return sum;
  }

 private:
  static constexpr std::ptrdiff_t kHalf = 2000;
  Grid(double step, std::vector<double> chances) : step_(step), chances_(std::move(chances)) {}
  Grid empty() const { return {step_, std::vector<double>(chances_.size(), 0.0)}; }
  double at(std::ptrdiff_t i) const { return chances_[static_cast<std::size_t>(i + kHalf)]; }
  void add(std::ptrdiff_t i, double chance) {
    if (i < -kHalf) return;
    chances_[static_cast<std::size_t>(std::min(i, kHalf) + kHalf)] += chance;
  }

  double step_;
  std::vector<double> chances_;
};

/// Without a delta only the largest loss counts.
double pure_attack(const privacy::Composition& composition) {
  double sum = 0.0;
  for (const auto& event : composition.events()) {
    if (event.cost.kind == Cost::Kind::discrete_gaussian || event.cost.sampled > 0) {
      return std::numeric_limits<double>::infinity();
    }
    sum += static_cast<double>(event.count) * ratio_of(event.cost);
  }
  return sum;
}

}  // namespace

double known_attack(const privacy::Composition& composition, double delta) {
  if (!(delta > 0.0)) return pure_attack(composition);
  double gaussian = 0.0;  // mu^2
  double spread = 0.0;
  double largest = 0.0;
  for (const auto& event : composition.events()) {
    const auto count = static_cast<double>(event.count);
    if (event.cost.kind == Cost::Kind::discrete_gaussian) {
      gaussian += count * ratio_of(event.cost) * ratio_of(event.cost);
      continue;
    }
    const double square = mean_square(atoms_of(event.cost));
    spread += count * square;
    largest += count * ratio_of(event.cost);
  }
  const double reach = std::max(1e-6, std::min(2.0 * largest, 10.0 * std::sqrt(spread) + spread));
  Grid losses = Grid(reach).with({{0.0, 1.0}});
  for (const auto& event : composition.events()) {
    if (event.cost.kind == Cost::Kind::discrete_gaussian) continue;
    losses = losses.plus(losses.with(atoms_of(event.cost)).times(event.count));
  }
  const double mu = std::sqrt(gaussian);
  if (losses.delta(0.0, mu) <= delta) return 0.0;
  double low = 0.0;
  double high = 1000.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (losses.delta(middle, mu) > delta ? low : high) = middle;
  }
  return low;
}

}  // namespace southwell::audit
