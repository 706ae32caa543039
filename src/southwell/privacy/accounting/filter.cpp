#include "southwell/privacy/accounting/filter.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/rdp.hpp"

namespace southwell::privacy {
namespace {

using core::Enclosure;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// What a mechanism can cost: far inside what a double tells apart.
constexpr double kLeast = 1e-300;
constexpr double kMost = 1e9;
constexpr double kLargestOrder = 1e6;

void check_cost(const char* name, double cost) {
  if (cost == kInfinity || (cost >= kLeast && cost <= kMost)) return;
  throw InvalidArgument(std::string(name) + ": given is " + core::rounded_text(cost) +
                        ", accepted are numbers from 1e-300 to 1e9, or none");
}

/// What is larger is no bound to anybody.
double usable(double cost) { return cost <= kMost ? cost : kInfinity; }

/// A sum that is not below the exact one; nothing adds nothing.
double sum(double a, double b) {
  if (a == 0.0 || b == 0.0) return a + b;
  return fault(Fault::filter_rounds_down) ? core::step_down(a + b) : core::step_up(a + b);
}

/// Bounds on B(1 + omega) = epsilon - log(1 - 1/alpha) + log(delta alpha) / (alpha - 1).
Enclosure bound_at(double epsilon, Enclosure delta, double omega) {
  const Enclosure alpha = Enclosure(1.0) + omega;
  return Enclosure(epsilon) + log1p(Enclosure(1.0) / omega) + (log(delta) + log(alpha)) / omega;
}

/// What of delta is left to Renyi divergences.
Enclosure renyi_delta(const FilterTerms& terms) {
  if (terms.added_delta == 0.0) return terms.budget.delta;
  return Enclosure(terms.budget.delta) - terms.added_delta;
}

}  // namespace

void Spend::check() const {
  check_cost("pure epsilon", pure);
  check_cost("Renyi divergence", renyi);
  if (added_delta != 0.0 && !(added_delta >= kLeast && added_delta < 1.0)) {
    throw InvalidArgument("added delta: given is " + core::rounded_text(added_delta) +
                          ", accepted are 0 and numbers from 1e-300 to below 1");
  }
}

Spend spend_of(std::span<const Composition> met, double order) {
  const double omega = order - 1.0;  // the order is 1 plus this very number, wherever it is used
  Spend most{0.0, 0.0, 0.0};
  for (const Composition& each : met) {
    Enclosure moment;
    for (const auto& [cost, count] : each.events()) {
      moment = moment + Enclosure::whole(count) * renyi_log_moment(cost, omega);
    }
    most.pure = std::max(most.pure, usable(basic_epsilon(each)));
    most.renyi = std::max(most.renyi, usable((moment / Enclosure(omega)).high));
  }
  most.check();
  return most;
}

FilterTerms FilterTerms::of(const Budget& budget, double added_delta) {
  FilterTerms terms{budget, 2.0, added_delta};
  terms.check();
  const Enclosure delta = renyi_delta(terms);
  if (!(delta.low > 0.0)) return terms;
  const auto per_order = [&](double log_omega) {
    const double omega = core::exp(log_omega);
    return -bound_at(budget.epsilon, delta, omega).low / (1.0 + omega);
  };
  constexpr double kLow = -9.0;
  constexpr double kHigh = 13.8;
  constexpr double kStep = 0.2;
  double best = kLow;
  for (double at = kLow; at < kHigh; at += kStep) {
    if (per_order(at) < per_order(best)) best = at;
  }
  std::uintmax_t most = 60;
  const double at = boost::math::tools::brent_find_minima(per_order, best - kStep,
                                                          std::min(best + kStep, kHigh), 30, most)
                        .first;
  terms.order = std::stod(core::rounded_text(1.0 + core::exp(at)));
  return terms;
}

void FilterTerms::check() const {
  budget.check();
  if (budget.epsilon > kMost || budget.epsilon < kLeast ||
      (budget.delta != 0.0 && budget.delta < kLeast)) {
    throw InvalidArgument("budget: given is (" + core::rounded_text(budget.epsilon) + ", " +
                          core::rounded_text(budget.delta) +
                          "), accepted are numbers from 1e-300, and an epsilon up to 1e9");
  }
  if (!(order > 1.0 + 1e-6 && order <= kLargestOrder)) {
    throw InvalidArgument("order: given is " + core::rounded_text(order) +
                          ", accepted are numbers from 1.000001 to 1e6");
  }
  const bool is_part = added_delta == 0.0 || (added_delta >= kLeast && added_delta < budget.delta);
  if (!is_part) {
    throw InvalidArgument("added delta: given is " + core::rounded_text(added_delta) +
                          ", accepted are 0 and numbers below delta");
  }
}

double FilterTerms::renyi_bound() const {
  const Enclosure delta = renyi_delta(*this);
  if (!(delta.low > 0.0)) return -kInfinity;
  if (fault(Fault::filter_gives_delta_twice)) {
    return bound_at(budget.epsilon, delta * 2.0, order - 1.0).low;
  }
  return bound_at(budget.epsilon, delta, order - 1.0).low;
}

RenyiFilter::RenyiFilter(const FilterTerms& terms) : terms_(terms), renyi_bound_(0.0) {
  terms_.check();
  renyi_bound_ = terms_.renyi_bound();
}

Spend RenyiFilter::with(const Spend& next) const {
  return {sum(spent_.pure, next.pure), sum(spent_.renyi, next.renyi),
          sum(spent_.added_delta, next.added_delta)};
}

bool RenyiFilter::admits(const Spend& next) const {
  next.check();
  const Spend all = with(next);
  const bool by_pure = all.pure <= terms_.budget.epsilon && all.added_delta == 0.0;
  const bool by_renyi = all.renyi <= renyi_bound_ && all.added_delta <= terms_.added_delta;
  return by_pure || by_renyi;
}

void RenyiFilter::admit(const Spend& next) {
  if (!admits(next)) {
    throw BudgetError("filter: the sum would pass what is promised; accepted is what is left");
  }
  spent_ = with(next);
}

}  // namespace southwell::privacy
