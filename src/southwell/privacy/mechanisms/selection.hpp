#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace southwell::privacy {

/// One score per candidate, in grid units; the larger the better.
using Scores = std::vector<std::int64_t>;

inline constexpr std::size_t kMaxCandidates = std::size_t{1} << 23;
inline constexpr std::int64_t kScoreBound = std::int64_t{1} << 61;  ///< scores are clamped to it

/// A score within +-kScoreBound. The clamp is 1-Lipschitz: it keeps the sensitivity.
constexpr std::int64_t clamped_score(std::int64_t score) {
  return score < -kScoreBound ? -kScoreBound : score > kScoreBound ? kScoreBound : score;
}

/// Throws InvalidArgument unless 1 <= candidates <= kMaxCandidates.
void check_candidates(std::string_view mechanism, std::size_t candidates);

}  // namespace southwell::privacy
