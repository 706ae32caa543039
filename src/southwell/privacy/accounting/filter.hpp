#pragma once

#include <span>

#include "southwell/privacy/accounting/composition.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {

// A privacy filter: it admits fits one after the other, each chosen by what the earlier ones gave,
// and whatever it has admitted is (epsilon, delta)-DP together. Statement and proof in filter.md.

/// What one fit may cost at most, declared before it uses a record.
struct Spend {
  double pure;               ///< its pure epsilon; infinite where there is none
  double renyi;              ///< its Renyi divergence at the filter's order; infinite likewise
  double added_delta = 0.0;  ///< what it may fail with beside these; 0 for all mechanisms here

  /// Throws InvalidArgument for what no mechanism costs: numbers that are none, 0, subnormal,
  /// negative or huge.
  void check() const;
};

/// That of mechanisms as one unit can meet them (parts.hpp), rounded up.
Spend spend_of(std::span<const Composition> met, double order);

/// What a filter promises, and the one order at which it adds up: fixed before the first fit.
struct FilterTerms {
  Budget budget;
  double order;              ///< alpha, above 1
  double added_delta = 0.0;  ///< the part of delta for what spends have of it

  /// The order with the largest bound for each unit of alpha, in six digits.
  static FilterTerms of(const Budget& budget, double added_delta = 0.0);
  /// Throws InvalidArgument.
  void check() const;
  /// Up to where Renyi divergences may add up, rounded down; minus infinity where delta leaves
  /// nothing to them.
  double renyi_bound() const;
};

class RenyiFilter {
 public:
  explicit RenyiFilter(const FilterTerms& terms);

  const FilterTerms& terms() const { return terms_; }
  /// Sums of what was admitted, rounded up.
  const Spend& spent() const { return spent_; }
  double renyi_bound() const { return renyi_bound_; }

  /// Whether this may come next.
  bool admits(const Spend& next) const;
  /// Throws InvalidArgument for a spend that is none and BudgetError for one that is not admitted.
  void admit(const Spend& next);

 private:
  Spend with(const Spend& next) const;

  FilterTerms terms_;
  double renyi_bound_;
  Spend spent_{0.0, 0.0, 0.0};
};

}  // namespace southwell::privacy
