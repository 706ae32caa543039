#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <variant>

#include "southwell/core/words.hpp"
#include "southwell/problem/penalties/bounded.hpp"
#include "southwell/problem/penalties/box.hpp"
#include "southwell/problem/penalties/elastic_net.hpp"
#include "southwell/problem/penalties/l1.hpp"
#include "southwell/problem/penalties/l2.hpp"
#include "southwell/problem/penalties/none.hpp"

namespace southwell::problem {

/// The penalty chosen for a problem.
using AnyPenalty = std::variant<None, L1, L2, ElasticNet, Box, Bounded>;
/// Those that have a name in the interfaces: what is bounded goes by the name of what it bounds.
inline constexpr auto kPenaltyNames =
    core::NamesOf<std::variant<None, L1, L2, ElasticNet, Box>>::kNames;

/// A penalty as the interfaces spell it. What the named penalty does not use is not looked at.
struct PenaltySpec {
  std::string_view name = "none";
  double alpha = 0.0;
  double l1_ratio = 0.5;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// An elastic net with l1_ratio 1 is l1, with 0 l2. l1, l2 and an elastic net with a finite end are
/// bounded; `none` has no ends.
AnyPenalty make_penalty(const PenaltySpec& spec);
std::string_view name_of(const AnyPenalty& penalty);

/// The strength of its l2 part, which adds to every M_j.
double curvature(const AnyPenalty& penalty);

/// Its kinked part: l1 |w| on the box.
struct KinkedPart {
  double l1 = 0.0;
  Interval box{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};
KinkedPart kinked_part(const AnyPenalty& penalty);

/// The penalty of all coefficients: sum_j psi(w_j).
double value(const AnyPenalty& penalty, std::span<const double> coef);

}  // namespace southwell::problem
