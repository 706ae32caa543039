#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/privacy/random/random_bits.hpp"

// The algorithms of the exact samplers, written over the draws they make so that a test can replace
// the draws by all their outcomes and read off the whole law (exact_sampling.md). Internal: sources
// of this room and tests include it.

namespace southwell::privacy {

inline constexpr std::uint64_t kMaxScale = std::uint64_t{1} << 44;  ///< of the noise samplers

/// Where a sampler gets its randomness: `below(n)` is uniform on 0..n-1, `chance(a, n)` has
/// probability a/n, `exp_chance(a, b)` has probability exp(-a/b); all independent.
template <class D>
concept Draws = requires(D& draws, std::uint64_t n) {
  { draws.below(n) } -> std::same_as<std::uint64_t>;
  { draws.chance(n, n) } -> std::same_as<bool>;
  { draws.exp_chance(n, n) } -> std::same_as<bool>;
};

/// Uniform on 0..bound-1 out of uniform words of w bits (Lemire 2019): the high half of word x
/// bound, after rejecting the 2^w mod bound words that would favour some values. `bound` >= 1.
template <std::unsigned_integral Word, class Next>
Word uniform_below(Word bound, Next&& next) {
  using Wide = std::conditional_t<sizeof(Word) == 8, Uint128, std::uint64_t>;
  constexpr int kBits = static_cast<int>(sizeof(Word)) * 8;
  if (fault(Fault::uniform_by_remainder)) return static_cast<Word>(next() % bound);
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<Word>(product) < bound) {
    const auto rejected = static_cast<Word>(static_cast<Word>(-bound) % bound);
    while (static_cast<Word>(product) < rejected) product = static_cast<Wide>(next()) * bound;
  }
  return static_cast<Word>(product >> kBits);
}

/// Probability exp(-x) for x in [0, 1], where event(k) has probability x/k, independently. With K
/// the first k whose event fails, P(K > k) = x^k/k!, so P(K odd) = sum_k (-x)^k/k! = exp(-x).
template <class Event>
bool first_failure_is_odd(Event&& event) {
  std::uint64_t k = 1;
  while (event(k)) ++k;
  return (k & 1) == (fault(Fault::exp_chance_counts_the_wrong_parity) ? 0u : 1u);
}

/// Probability exp(-a/b), b >= 1. x/k is drawn as x and 1/k apart: no product that could overflow.
template <class D>
bool exp_chance_by_series(D& draws, std::uint64_t a, std::uint64_t b) {
  std::uint64_t whole = fault(Fault::exp_chance_forgets_the_whole_part) ? 0 : a / b;
  for (; whole > 0; --whole) {
    if (!first_failure_is_odd([&](std::uint64_t k) { return draws.chance(1, k); })) return false;
  }
  const std::uint64_t rest = a % b;
  return first_failure_is_odd(
      [&](std::uint64_t k) { return draws.chance(1, k) && draws.chance(rest, b); });
}

/// One round of Canonne, Kamath and Steinke's discrete Laplace (Alg. 2): P(x) proportional to
/// exp(-|x|/scale) given that the round succeeds. 1 <= scale <= kMaxScale.
template <Draws D>
std::optional<Int128> discrete_laplace_round(D& draws, std::uint64_t scale) {
  if (fault(Fault::laplace_scale_is_halved)) scale = (scale + 1) / 2;
  if (fault(Fault::laplace_scale_is_5_percent_short)) scale -= scale / 20;
  const std::uint64_t low = draws.below(scale);
  if (!draws.exp_chance(low, scale)) return std::nullopt;
  std::uint64_t whole = 0;  // counts successes of probability 1/e: 2^64 of them never come
  while (draws.exp_chance(1, 1)) ++whole;
  const Uint128 size = static_cast<Uint128>(whole) * scale + low;  // < 2^64 * 2^44 + 2^44
  const bool negative = draws.below(2) == 1;
  if (negative && size == 0 && !fault(Fault::laplace_counts_zero_twice)) return std::nullopt;
  return negative ? -static_cast<Int128>(size) : static_cast<Int128>(size);
}

/// One round of the discrete Gaussian by rejection from the discrete Laplace of the same scale
/// (Canonne, Kamath and Steinke, Alg. 3, with t = sigma): accept y with probability
/// exp(-(|y| - sigma)^2 / (2 sigma^2)). With |y| = v sigma + u the exponent is a sum of terms that
/// are drawn apart, each from numbers below 2^64.
template <Draws D>
std::optional<Int128> discrete_gaussian_round(D& draws, std::uint64_t sigma) {
  if (fault(Fault::gaussian_scale_is_5_percent_short)) sigma -= sigma / 20;
  const std::optional<Int128> proposal = discrete_laplace_round(draws, sigma);
  if (!proposal || fault(Fault::gaussian_accepts_every_proposal)) return proposal;
  const Uint128 size = static_cast<Uint128>(*proposal < 0 ? -*proposal : *proposal);
  const auto u = static_cast<std::uint64_t>(size % sigma);
  const auto v = static_cast<std::uint64_t>(size / sigma);
  const std::uint64_t part = v == 0 ? sigma - u : u;
  const bool square = first_failure_is_odd([&](std::uint64_t k) {  // exp(-(part/sigma)^2 / 2)
    return draws.chance(1, k) && draws.chance(1, 2) && draws.chance(part, sigma) &&
           draws.chance(part, sigma);
  });
  if (!square) return std::nullopt;
  if (v <= 1) return proposal;
  if (!fault(Fault::gaussian_forgets_the_cross_term)) {
    for (std::uint64_t i = 1; i < v; ++i) {  // exp(-u (v-1) / sigma)
      if (!draws.exp_chance(u, sigma)) return std::nullopt;
    }
  }
  for (Uint128 i = static_cast<Uint128>(v - 1) * (v - 1); i > 0; --i) {  // exp(-(v-1)^2 / 2)
    if (!draws.exp_chance(1, 2)) return std::nullopt;
  }
  return proposal;
}

/// The draws of production: everything from one source of bits.
class ExactDraws {
 public:
  explicit ExactDraws(RandomBits& bits) : bits_(bits) {}
  std::uint64_t below(std::uint64_t bound) {
    return uniform_below<std::uint64_t>(bound, [this] { return bits_.word(); });
  }
  bool chance(std::uint64_t a, std::uint64_t n) { return a >= n || below(n) < a; }
  bool exp_chance(std::uint64_t a, std::uint64_t b) { return exp_chance_by_series(*this, a, b); }

 private:
  RandomBits& bits_;
};
static_assert(Draws<ExactDraws>);

}  // namespace southwell::privacy
