#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "southwell/core/fault.hpp"
#include "southwell/core/int128.hpp"
#include "southwell/privacy/random/gaussian_cells.hpp"
#include "southwell/privacy/random/random_bits.hpp"
#include "southwell/privacy/random/word_reader.hpp"

// The algorithms of the exact samplers, written over the draws they make so that a test can replace
// the draws by all their outcomes and read off the whole law (exact_sampling.md). Internal: sources
// of this room and tests include it.

namespace southwell::privacy {

inline constexpr std::uint64_t kMaxScale = std::uint64_t{1} << 44;  ///< of the noise samplers

/// Where a sampler gets its randomness: `below(n)` is uniform on 0..n-1, `chance(a, n)` has
/// probability a/n, `exp_chance(a, b)` has probability exp(-a/b), `cell()` has the law of
/// GaussianCells; all independent.
template <class D>
concept Draws = requires(D& draws, std::uint64_t n) {
  { draws.below(n) } -> std::same_as<std::uint64_t>;
  { draws.chance(n, n) } -> std::same_as<bool>;
  { draws.exp_chance(n, n) } -> std::same_as<bool>;
  { draws.cell() } -> std::same_as<std::uint64_t>;
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

/// One round of the discrete Gaussian: P(x) proportional to exp(-x^2 / (2 sigma^2)) given that the
/// round succeeds. A cell is a sixteenth of sigma wide; within it a number is kept with the
/// probability by which its mass is below that of the cell's lower end, which is nearly 1.
template <Draws D>
std::optional<Int128> discrete_gaussian_round(D& draws, std::uint64_t sigma) {
  if (fault(Fault::gaussian_scale_is_5_percent_short)) sigma -= sigma / 20;
  const std::uint64_t cell = draws.cell();
  if (cell == GaussianCells::kNone) return std::nullopt;
  // A sign, whether an event of probability slope / 512 happens, and a place in the cell.
  const std::uint64_t drawn = draws.below(1024 * ((sigma + 15) / 16));
  const Uint128 end = static_cast<Uint128>(cell) * sigma;  // the lower one, times 16
  const Uint128 size = (end + 15) / 16 + drawn / 1024;
  const auto a = static_cast<std::uint64_t>(16 * size - end);  // how far above it, times 16
  if (a >= sigma) return std::nullopt;
  // The mass is exp(-y) times that of the end, y = (2 v + a/sigma) (a/sigma) / 512.
  const std::uint64_t v = cell % 256;
  const std::uint64_t slope = 2 * v + 1;
  const bool steep = drawn % 1024 / 2 < slope;
  const bool kept = first_failure_is_odd([&](std::uint64_t k) {  // y with v for the cell
    if (!(k == 1 ? steep : draws.chance(1, k) && draws.chance(slope, 512))) return false;
    const bool crossed = fault(Fault::gaussian_forgets_the_cross_term)
                             ? draws.chance(a, sigma)
                             : draws.chance(2 * v * sigma + a, slope * sigma);
    return crossed && draws.chance(a, sigma);
  });
  if (!kept && !fault(Fault::gaussian_accepts_every_proposal)) return std::nullopt;
  for (std::uint64_t i = cell / 256; i > 0; --i) {  // the rest of y: a/sigma for every 256 cells
    if (!draws.exp_chance(a, sigma)) return std::nullopt;
  }
  const bool negative = drawn % 2 == 1;
  if (negative && size == 0) return std::nullopt;
  return negative ? -static_cast<Int128>(size) : static_cast<Int128>(size);
}

/// The draws of production: everything from one source of bits.
class ExactDraws {
 public:
  explicit ExactDraws(RandomBits& bits) : words_(bits), cells_(GaussianCells::instance()) {}
  /// So many words will certainly be drawn.
  void expect(std::size_t words) { words_.expect(words); }
  std::uint64_t below(std::uint64_t bound) {
    return uniform_below<std::uint64_t>(bound, [this] { return words_.next(); });
  }
  bool chance(std::uint64_t a, std::uint64_t n) { return a >= n || below(n) < a; }
  bool exp_chance(std::uint64_t a, std::uint64_t b) { return exp_chance_by_series(*this, a, b); }
  std::uint64_t cell() {
    return cells_.draw([this] { return words_.next(); });
  }

 private:
  WordReader words_;
  const GaussianCells& cells_;
};
static_assert(Draws<ExactDraws>);

}  // namespace southwell::privacy
