#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "southwell/core/int128.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "southwell/problem/rule.hpp"

namespace southwell::problem {

enum class GreedyRule { gs_s, gs_r, gs_q };
inline constexpr std::array kRuleNames{GsS::kName, GsR::kName, GsQ::kName};
GreedyRule make_rule(std::string_view name);
std::string_view name_of(GreedyRule rule);

/// threshold |w| on [lower, upper] in whole numbers, for a coordinate with M_j = 1. An infinite end
/// is beyond everything that can occur.
struct GridPenalty {
  static constexpr Int128 kInfinity = Int128{1} << 100;
  Int128 threshold = 0;
  Int128 lower = -kInfinity;
  Int128 upper = kInfinity;

  Int128 prox(Int128 w) const;
};

/// The score of one coordinate: the rules of rule.hpp in exact integer arithmetic, so that it moves
/// by at most |G - G'| when the integer gradient `gradient` moves from G to G'
/// (clipped_gradient.md). `coef` within [lower, upper]; |gradient| <= 2^61 + 2^59, |coef|,
/// threshold and finite ends at most 2^59. The result is within +-2^61.
std::int64_t grid_score(GreedyRule rule, const GridPenalty& penalty, Int128 coef, Int128 gradient);

/// What can be chosen: all coordinates, or those of features alone, so that no choice falls on an
/// intercept.
enum class Candidates { coordinates, features };

/// Scores of all candidates from integer gradient sums, at public coefficients.
class GridScores {
 public:
  GridScores(GreedyRule rule, const AnyPenalty& penalty, const Coordinates& coordinates,
             Candidates candidates = Candidates::coordinates);
  std::size_t size() const {
    return candidates_ == Candidates::coordinates
               ? coordinates_->size()
               : coordinates_->heads() * coordinates_->features();
  }
  std::size_t coordinate(std::size_t candidate) const {
    if (candidates_ == Candidates::coordinates) return candidate;
    const std::size_t features = coordinates_->features();
    return candidate / features * coordinates_->width() + candidate % features;
  }
  /// out_k of the candidates in [first, first + out.size()).
  void write(std::span<const std::int64_t> sums, std::span<const double> coef, std::size_t first,
             std::span<std::int64_t> out) const;
  /// This feature's scores, of every head, are -2^61 from now on, whatever the sums.
  void exclude(std::size_t feature);

 private:
  GreedyRule rule_;
  KinkedPart penalty_;
  const Coordinates* coordinates_;
  Candidates candidates_;
  std::vector<bool> excluded_;  ///< of every feature; empty: none
};

}  // namespace southwell::problem
