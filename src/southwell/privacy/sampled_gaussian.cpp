#include "southwell/privacy/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "southwell/core/fault.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;
using core::step_up;

constexpr double kNotAsked = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNodeStep = 0.1;     ///< h of the trapezoidal rule
constexpr int kNodes = 2000;          ///< up to x = 200
constexpr double kLargestPeak = 150;  ///< beyond it 2 exp((k^2 - k) s / 2) is exact to rounding

constexpr int kLargestFactorial = 4096;

/// log k! by Stirling's series, whose tail has a known sign.
Enclosure stirling(int k) {
  const Enclosure n = static_cast<double>(k);
  const Enclosure half_log_two_pi(0.918938533204672, 0.918938533204673);
  const Enclosure tail(0.0, (Enclosure(1.0) / (Enclosure(360.0) * n * n * n)).high);
  return (n + 0.5) * log(n) - n + half_log_two_pi + Enclosure(1.0) / (Enclosure(12.0) * n) - tail;
}

/// log k!, by summing up to 256, where Stirling's series becomes as good.
Enclosure log_factorial(int k) {
  static const std::vector<Enclosure> kTable = [] {
    std::vector<Enclosure> table{0.0, 0.0};
    for (int i = 2; i <= kLargestFactorial; ++i) {
      table.push_back(i <= 256 ? table.back() + log(Enclosure(static_cast<double>(i)))
                               : stirling(i));
    }
    return table;
  }();
  return kTable[static_cast<std::size_t>(k)];
}

Enclosure log_binomial(int n, int k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// Upper bound on log(1 + sum exp(terms)).
double log1p_sum_exp(const std::vector<double>& terms) {
  const double largest = *std::max_element(terms.begin(), terms.end());
  if (!(largest < kInfinity)) return kInfinity;
  const double shift = largest > 500.0 ? largest : 0.0;
  Enclosure sum;
  for (const double term : terms) sum = sum + exp(Enclosure(term) - shift);
  if (shift == 0.0) return log1p(sum).high;
  return (Enclosure(shift) + log(sum + exp(Enclosure(-shift)))).high;
}

std::vector<int> orders_up_to(int largest) {
  std::vector<int> orders{1};  // the moment is 0 there
  for (int order = 2; order < largest; order += std::max(1, order / 16)) orders.push_back(order);
  orders.push_back(largest);
  return orders;
}

}  // namespace

static_assert(SampledGaussian::kLargestAddOrder <= kLargestFactorial &&
              SampledGaussian::kLargestReplaceOrder <= kLargestFactorial);

bool SampledGaussian::is(const Cost& cost) {
  return cost.kind == Cost::Kind::sampled_gaussian_add_or_remove ||
         cost.kind == Cost::Kind::sampled_gaussian_replace;
}

SampledGaussian::SampledGaussian(const Cost& cost)
    : replaces_(cost.kind == Cost::Kind::sampled_gaussian_replace),
      all_(cost.sampled >= std::uint64_t{1} << 32),
      grid_(orders_up_to(replaces_ ? kLargestReplaceOrder : kLargestAddOrder)),
      at_grid_(grid_.size(), kNotAsked) {
  if (fault(Fault::replacing_is_charged_as_adding)) replaces_ = false;
  const Enclosure ratio = Enclosure::whole(cost.shift) / Enclosure::whole(cost.scale);
  s_ = ratio * ratio;
  const Enclosure rate = Enclosure(static_cast<double>(cost.sampled)) * 0x1p-32;  // exact
  log_rate_ = log(rate);
  log_rest_ = log1p(-rate);
  at_grid_[0] = 0.0;
  if (cost.sampled == 0) std::fill(at_grid_.begin(), at_grid_.end(), 0.0);
}

double SampledGaussian::log_moment(double omega) {
  const Enclosure alpha = Enclosure(1.0) + omega;
  const double without = (Enclosure(omega) * alpha * s_ * (replaces_ ? 2.0 : 0.5)).high;
  if (all_ || omega >= grid_.back() - 1.0) return without;
  // Compared with omega itself, exactly: 1 + omega may round up to a whole order, and a chord
  // reaches below the convex moment outside its own interval.
  const auto above = std::upper_bound(grid_.begin(), grid_.end(), omega,
                                      [](double w, int order) { return w < order - 1.0; });
  const auto right = static_cast<std::size_t>(above - grid_.begin());
  const double low = grid_[right - 1];
  const double high = grid_[right];
  const Enclosure part = (Enclosure(omega) - (low - 1.0)) / (high - low);
  const Enclosure line = Enclosure(at_whole_order(right - 1)) * (Enclosure(1.0) - part) +
                         Enclosure(at_whole_order(right)) * part;
  return std::min(line.high, without);
}

double SampledGaussian::at_whole_order(std::size_t grid_index) {
  double& kept = at_grid_[grid_index];
  if (std::isnan(kept)) {
    const int order = grid_[grid_index];
    kept = replaces_ ? replace(order) : add_or_remove(order);
    if (fault(Fault::sampling_counts_twice)) kept *= 0.5;
  }
  return kept;
}

double SampledGaussian::add_or_remove(int order) const {
  // The terms k = 0 and 1 of the sum are those of the binomial law: what exceeds 1 begins at k = 2.
  std::vector<double> terms;
  for (int k = 2; k <= order; ++k) {
    const double d = k;
    const Enclosure weight =
        log_binomial(order, k) + Enclosure(d) * log_rate_ + Enclosure(order - d) * log_rest_;
    const Enclosure power = s_ * (0.5 * d * (d - 1.0));
    const Enclosure excess = power.high < 40.0 ? log(expm1(power)) : power;
    terms.push_back((weight + excess).high);
  }
  return log1p_sum_exp(terms);
}

double SampledGaussian::replace(int order) {
  std::vector<double> terms;
  for (int k = 2; k <= order; ++k) {
    const double d = k;
    const Enclosure weight =
        log_binomial(order, k) + Enclosure(d) * log_rate_ + Enclosure(1.0 - d) * log_rest_;
    const double moment =
        k % 2 == 0
            ? log_even_moment(k)
            : (Enclosure(0.5) * (Enclosure(log_even_moment(k - 1)) + log_even_moment(k + 1))).high;
    terms.push_back((weight + moment).high);
  }
  return log1p_sum_exp(terms);
}

double SampledGaussian::log_even_moment(int k) {
  const auto index = static_cast<std::size_t>(k / 2 - 1);
  while (even_moment_.size() <= index) {
    const int next = 2 * (static_cast<int>(even_moment_.size()) + 1);
    const double d = next;
    const Enclosure power = s_ * (0.5 * d * (d - 1.0));
    const Enclosure simple = power + log(Enclosure(2.0));
    // What the rule may miss: 3 exp(-2 pi^2 / h^2) 2^k exp((k^2 - k) s / 2).
    const Enclosure alias =
        log(Enclosure(3.0)) - 1973.92 + Enclosure(d) * log(Enclosure(2.0)) + power;
    const double sum = trapezoid(next);
    const double both =
        (Enclosure(std::max(sum, alias.high)) + log1p(exp(-Enclosure(std::abs(sum - alias.high)))))
            .high;
    even_moment_.push_back(std::min(simple.high, std::isnan(both) ? kInfinity : both));
  }
  return even_moment_[index];
}

double SampledGaussian::trapezoid(int k) {
  const Enclosure root = sqrt(s_);
  if (log_sinh_.empty()) {
    for (int n = 1; n <= kNodes; ++n) {
      const Enclosure z = root * (Enclosure(static_cast<double>(n)) / 10.0);
      log_sinh_.push_back((z + log(-expm1(Enclosure(-2.0) * z)) - s_ * 0.5).high);
    }
  }
  if (k * root.high > kLargestPeak) return kInfinity;
  const auto exponent = [&](int n) {
    const double x_square = static_cast<double>(n) * n;  // 100 x_n^2, exact
    return (Enclosure(log_sinh_[static_cast<std::size_t>(n - 1)]) * static_cast<double>(k) -
            Enclosure(x_square) / 200.0)
        .high;
  };
  // The exponent is concave in x: climb to its peak, then sum both ways until nothing is left.
  int peak = std::clamp(static_cast<int>(std::max(k * root.high, std::sqrt(k)) / kNodeStep), 1,
                        kNodes - 1);
  while (peak > 1 && exponent(peak - 1) > exponent(peak)) --peak;
  while (peak < kNodes && exponent(peak + 1) > exponent(peak)) ++peak;
  const double top = exponent(peak);
  Enclosure sum = 1.0;
  for (const int direction : {-1, 1}) {
    double last = 1.0;
    for (int n = peak + direction; n >= 1; n += direction) {
      if (n > kNodes) return kInfinity;
      const double term = exp(Enclosure(exponent(n)) - top).high;
      sum = sum + term;
      // Log-concave: from here on each term is at most `ratio` times the one before it.
      const double ratio = step_up(term / last, 4);
      last = term;
      if (term < 1e-16 && ratio < 0.5) {
        sum = sum + 2.0 * term;
        break;
      }
    }
  }
  // 2 h / sqrt(2 pi), both halves of the line; the node at 0 is 0.
  return (Enclosure(top) + log(sum * Enclosure(0.0797884560802865, 0.0797884560802866))).high;
}

}  // namespace southwell::privacy
