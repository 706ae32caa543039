#include "southwell/privacy/accounting/sampled_gaussian.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "southwell/core/fault.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;
using core::step_up;

constexpr double kNotAsked = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostNodes = 4096;             ///< of the trapezoidal rule
constexpr double kGaussHeight = 0.3989422804014328;  ///< 1 / sqrt(2 pi), rounded up
constexpr double kTail = 1e-14;  ///< the sum ends where less than this part is left

/// Angles by which the moment's integrand is turned in the complex plane, and -log cos(angle / 2),
/// rounded up.
struct Angle {
  double angle;
  double loss;
};
constexpr std::array kAngles{Angle{0.25, 0.00784}, Angle{0.5, 0.03159}, Angle{1.0, 0.13059},
                             Angle{2.0, 0.61563}};

/// log k! by Stirling's series, whose tail has a known sign.
Enclosure stirling(int k) {
  const Enclosure n = static_cast<double>(k);
  const Enclosure half_log_two_pi(0.918938533204672, 0.918938533204673);
  const Enclosure tail(0.0, (Enclosure(1.0) / (Enclosure(360.0) * n * n * n)).high);
  return (n + 0.5) * log(n) - n + half_log_two_pi + Enclosure(1.0) / (Enclosure(12.0) * n) - tail;
}

/// log k!, by summing up to 256, where Stirling's series becomes as good.
Enclosure log_factorial(int k) {
  static const std::vector<Enclosure> table_of_logs = [] {
    std::vector<Enclosure> table{0.0, 0.0};
    for (int i = 2; i <= SampledGaussian::kLargestAddOrder; ++i) {
      table.push_back(i <= 256 ? table.back() + log(Enclosure(static_cast<double>(i)))
                               : stirling(i));
    }
    return table;
  }();
  return table_of_logs[static_cast<std::size_t>(k)];
}

Enclosure log_binomial(int n, int k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// Upper bound on log(1 + sum exp(terms)).
double log1p_sum_exp(const std::vector<double>& terms) {
  const double largest = *std::max_element(terms.begin(), terms.end());
  if (!(largest < kInfinity)) return kInfinity;
  const double shift = largest > 500.0 ? largest : 0.0;
  double sum = 0.0;
  for (const double term : terms) {
    sum = step_up(sum + step_up(core::exp(step_up(term - shift)), core::kExpSteps));
  }
  if (shift == 0.0) return log1p(Enclosure(sum)).high;
  return (Enclosure(shift) + log(Enclosure(sum) + exp(Enclosure(-shift)))).high;
}

/// 1 - e^(-x) for x >= 0, rounded up.
double fall(double x) { return x > 40.0 ? 1.0 : step_up(-core::expm1(-x), core::kExpm1Steps); }

std::vector<int> orders_up_to(int largest) {
  std::vector<int> orders{1};  // the moment is 0 there
  for (int order = 2; order < largest; order += std::max(1, order / 16)) orders.push_back(order);
  orders.push_back(largest);
  return orders;
}

}  // namespace

bool SampledGaussian::is(const Cost& cost) {
  return cost.kind == Cost::Kind::sampled_gaussian_add_or_remove ||
         cost.kind == Cost::Kind::sampled_gaussian_replace;
}

SampledGaussian::SampledGaussian(const Cost& cost)
    : replaces_(cost.kind == Cost::Kind::sampled_gaussian_replace &&
                !fault(Fault::replacing_is_charged_as_adding)),
      all_(cost.sampled >= std::uint64_t{1} << 32),
      rate_(static_cast<double>(cost.sampled) * 0x1p-32),  // exact
      grid_(replaces_ ? std::vector<int>{1} : orders_up_to(kLargestAddOrder)),
      at_grid_(grid_.size(), kNotAsked) {
  const Enclosure bound = Enclosure::whole(cost.shift);
  const Enclosure sigma = Enclosure::whole(cost.scale);
  s_ = bound / sigma * (bound / sigma);
  at_grid_[0] = 0.0;
  // The moment exceeds 1 by about omega alpha q^2 s or more; the rule may miss next to nothing of
  // it. Small s goes with large orders, where the rule misses more.
  const double small = (s_.high < 0.25 ? 1e-18 : 1e-12) * rate_ * rate_ * std::min(s_.high, 1.0);
  for (step_ = 0.5; step_ > 1e-3 && missed_by_rule(1.0) > small;) step_ *= 0.5;
  strip_ = (Enclosure(4.0) * 3.141592653589793 * sigma * sigma / bound).low;
  support_ = std::min(2.0 * bound.high * bound.high, static_cast<double>(kMaxEntries));
}

double SampledGaussian::log_moment(double omega) {
  if (rate_ == 0.0) return 0.0;
  const Enclosure alpha = Enclosure(1.0) + omega;
  const Enclosure added = Enclosure(omega) * alpha * s_ * 0.5;
  if (!replaces_) return all_ ? added.high : std::min(added.high, on_the_chord(omega));
  const double factor = fault(Fault::unsampled_replacing_is_halved) ? 2.0 : 4.0;
  const double without = (added * factor).high;
  if (all_) return without;
  const double against_nobody = (added - Enclosure(omega) * log1p(Enclosure(-rate_))).high;
  return std::min({without, against_nobody, worst_pair(omega)});
}

double SampledGaussian::on_the_chord(double omega) {
  if (omega >= grid_.back() - 1.0) return kInfinity;
  // Compared with omega itself, exactly: 1 + omega may round up to a whole order, and a chord
  // reaches below the convex moment outside its own interval.
  const auto above = std::upper_bound(grid_.begin(), grid_.end(), omega,
                                      [](double w, int order) { return w < order - 1.0; });
  const auto right = static_cast<std::size_t>(above - grid_.begin());
  if (fault(Fault::sampled_order_is_rounded_down)) return at_whole_order(right - 1);
  const double low = grid_[right - 1];
  const double high = grid_[right];
  const Enclosure part = (Enclosure(omega) - (low - 1.0)) / (high - low);
  const Enclosure line = Enclosure(at_whole_order(right - 1)) * (Enclosure(1.0) - part) +
                         Enclosure(at_whole_order(right)) * part;
  return line.high;
}

double SampledGaussian::at_whole_order(std::size_t grid_index) {
  double& kept = at_grid_[grid_index];
  if (std::isnan(kept)) {
    kept = add_or_remove(grid_[grid_index]);
    if (fault(Fault::sampling_counts_twice)) kept *= 0.5;
  }
  return kept;
}

double SampledGaussian::add_or_remove(int order) {
  // The terms k = 0 and 1 of the sum are those of the binomial law: what exceeds 1 begins at k = 2.
  const Enclosure log_rate = log(Enclosure(rate_));
  const Enclosure log_rest = log1p(Enclosure(-rate_));
  std::vector<double> terms;
  for (int k = 2; k <= order; ++k) {
    const double d = k;
    const Enclosure weight =
        log_binomial(order, k) + Enclosure(d) * log_rate + Enclosure(order - d) * log_rest;
    const auto index = static_cast<std::size_t>(k - 2);
    if (index == log_excess_.size()) {  // log(e^((k^2 - k) s / 2) - 1)
      const Enclosure power = s_ * (0.5 * d * (d - 1.0));
      log_excess_.push_back(power.high < 40.0 ? log(expm1(power)).high : power.high);
    }
    terms.push_back((weight + log_excess_[index]).high);
  }
  return log1p_sum_exp(terms);
}

const SampledGaussian::Node& SampledGaussian::node(std::size_t index) {
  while (nodes_.size() <= index) {
    const double x = step_ * static_cast<double>(nodes_.size() + 1);  // exact
    const Enclosure z = sqrt(s_) * x;
    const Enclosure far = Enclosure(rate_) * exp(z - s_ * 0.5);
    const Enclosure near = Enclosure(rate_) * exp(-z - s_ * 0.5);
    const Enclosure density = Enclosure(1.0 - rate_) + near;
    const Enclosure excess = far * -expm1(Enclosure(-2.0) * z) / density;
    nodes_.push_back(
        {log1p(excess).high, density.high, 0.5 * x * x, (sqrt(s_) * near / density).high});
  }
  return nodes_[index];
}

double SampledGaussian::missed_by_rule(double omega) const {
  double least = kInfinity;
  for (const auto& [angle, loss] : kAngles) {
    const double shift = std::min((Enclosure(angle) / sqrt(s_)).low, 6.25 / step_);
    const Enclosure damped =
        Enclosure(0.5) * shift * shift - Enclosure(6.283185307179586) * shift / step_;
    const Enclosure turned = sqrt(s_) * shift / angle;  // -log cos(x) / x^2 grows with x
    const Enclosure size =
        exp(Enclosure(omega) * loss * turned * turned) + Enclosure(2.0) * omega + 2.0;
    least = std::min(least, (exp(damped) * size * 2.1).high);
  }
  return least;
}

double SampledGaussian::missed(double omega) const {
  if (fault(Fault::worst_pair_forgets_the_lattice)) return 2.0 * missed_by_rule(omega);
  if (strip_ < 4.0 * sqrt(Enclosure(support_)).high) return kInfinity;
  const Enclosure lattice = Enclosure(omega) * kAngles.back().loss +
                            log(Enclosure(7.7) * support_) + Enclosure(2.0) / s_ - strip_;
  return (Enclosure(2.0) * (exp(lattice) + missed_by_rule(omega))).high;
}

double SampledGaussian::worst_pair(double omega) {
  const double alpha = (Enclosure(1.0) + omega).high;
  const Enclosure root = sqrt(s_);
  const double peak = (root * alpha).high;
  const double miss = missed(omega);
  if (!(miss <= 0.25) || (peak + 10.0) / step_ > static_cast<double>(kMostNodes)) return kInfinity;
  // Where the terms would overflow they are scaled by about the largest: any number would do.
  double scale = 0.0;
  for (std::size_t i = 0; step_ * static_cast<double>(i) < peak; ++i) {
    scale = std::max(scale, alpha * node(i).log_ratio - node(i).half_square);
  }
  if (scale < 300.0) scale = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < kMostNodes; ++i) {
    const Node& at = node(i);
    // B e^(alpha d) (1 - e^(-alpha d)) (1 - e^(-omega d)) e^(-x^2 / 2), every factor rounded up
    const double power = step_up(alpha * at.log_ratio);
    const double exponent = step_up(step_up(power - at.half_square) - scale);
    const double grown = step_up(core::exp(exponent), core::kExpSteps);
    const double from = fall(power);
    double to = fall(step_up(omega * at.log_ratio));
    if (fault(Fault::worst_pair_weighs_one_side)) to *= 0.5;
    const double term = step_up(step_up(step_up(grown * from) * to) * at.density);
    sum = step_up(sum + term);
    const double x = step_ * static_cast<double>(i + 1);
    if (x <= peak) continue;
    // The logarithm of the terms falls from here on at least as fast as here.
    const double slope = (root * (Enclosure(alpha) + 2.0) +
                          (Enclosure(omega) + 2.0) * at.steepness + Enclosure(2.0) / x - x)
                             .high;
    if (slope >= 0.0) continue;
    double rest = (Enclosure(term) / expm1(-(Enclosure(slope) * step_))).high;
    if (fault(Fault::worst_pair_forgets_its_tail)) rest = 0.0;
    if (rest > kTail * sum) continue;
    const Enclosure excess =
        (Enclosure(sum) + rest) * kGaussHeight * step_ * (Enclosure(1.0) + miss);
    if (scale == 0.0) return log1p(excess + miss).high;
    return (Enclosure(scale) + log(excess + exp(Enclosure(-scale)) * (Enclosure(1.0) + miss))).high;
  }
  return kInfinity;
}

}  // namespace southwell::privacy
