#include "southwell/privacy/random/gaussian_cells.hpp"

#include <algorithm>

#include "southwell/core/int128.hpp"

namespace southwell::privacy {
namespace {

/// A number of [0, 1) in binary, most significant word first; sums and differences are modulo 1.
using Digits = std::vector<std::uint64_t>;

void add(Digits& to, const Digits& more) {
  std::uint64_t carry = 0;
  for (std::size_t k = to.size(); k-- > 0;) {
    const Uint128 sum = static_cast<Uint128>(to[k]) + more[k] + carry;
    to[k] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
}

void subtract(Digits& from, const Digits& less) {
  std::uint64_t borrow = 0;
  for (std::size_t k = from.size(); k-- > 0;) {
    const Uint128 gone = static_cast<Uint128>(less[k]) + borrow;
    borrow = gone > from[k] ? 1 : 0;
    from[k] -= static_cast<std::uint64_t>(gone);
  }
}

/// So many units of the last place.
Digits units(std::uint64_t count, std::size_t size) {
  Digits out(size);
  out.back() = count;
  return out;
}

/// whole + number, divided and rounded down.
void divide(Digits& number, std::uint64_t divisor, std::uint64_t whole = 0) {
  Uint128 rest = whole;
  for (std::uint64_t& digit : number) {
    rest = rest << 64 | digit;
    digit = static_cast<std::uint64_t>(rest / divisor);
    rest %= divisor;
  }
}

/// Rounded down.
Digits product(const Digits& a, const Digits& b) {
  const std::size_t size = a.size();
  Digits whole(2 * size);
  for (std::size_t i = size; i-- > 0;) {
    std::uint64_t carry = 0;
    for (std::size_t j = size; j-- > 0;) {
      const Uint128 sum = static_cast<Uint128>(a[i]) * b[j] + whole[i + j + 1] + carry;
      whole[i + j + 1] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    whole[i] = carry;
  }
  whole.resize(size);
  return whole;
}

bool is_zero(const Digits& number) {
  return std::all_of(number.begin(), number.end(), [](std::uint64_t digit) { return digit == 0; });
}

/// exp(-1 / divisor), divisor >= 2, by its series: 1 is 0 modulo 1.
Digits exp_minus_one_over(std::uint64_t divisor, std::size_t size) {
  Digits sum(size);
  Digits term(size);
  divide(term, divisor, 1);
  for (std::uint64_t k = 1; !is_zero(term); ++k) {
    if (k % 2 == 1) {
      subtract(sum, term);
    } else {
      add(sum, term);
    }
    divide(term, divisor * (k + 1));
  }
  return sum;
}

/// The edges above cells 0, 1, 2, ... in turn, to so many digits.
class EdgeWalk {
 public:
  explicit EdgeWalk(std::size_t digits)
      : mass_(digits),
        ratio_(exp_minus_one_over(512, digits)),
        ratio_of_ratios_(exp_minus_one_over(256, digits)),
        edge_(digits) {
    divide(mass_, 21, 1);
    add(edge_, mass_);
  }

  std::uint64_t cell() const { return cell_; }
  /// At least and at most where the edge above the cell is, in these digits.
  Digits least() const {
    Digits out = edge_;
    subtract(out, units(error(), out.size()));
    return out;
  }
  Digits most() const {
    Digits out = edge_;
    add(out, units(error(), out.size()));
    return out;
  }
  /// At most where all edges are; for a cell from 128 on.
  Digits end() const {
    Digits out = most();
    Digits next = product(mass_, ratio_);
    add(next, units(error(), out.size()));
    for (int times = 0; times < 4; ++times) add(out, next);
    return out;
  }
  /// Whether the mass of this cell is beyond the digits.
  bool is_over() const { return is_zero(mass_); }
  void step() {
    mass_ = product(mass_, ratio_);
    ratio_ = product(ratio_, ratio_of_ratios_);
    add(edge_, mass_);
    ++cell_;
  }

 private:
  /// In units of the last place.
  std::uint64_t error() const {
    const std::uint64_t at = cell_ + 2;
    return (8 * edge_.size() + 4) * at * at * at;
  }

  std::uint64_t cell_ = 0;
  Digits mass_;   ///< of the cell: exp(-v^2 / 512) / 21
  Digits ratio_;  ///< of the next mass to it: exp(-(2 v + 1) / 512)
  Digits ratio_of_ratios_;
  Digits edge_;
};

}  // namespace

const GaussianCells& GaussianCells::instance() {
  static const GaussianCells cells;
  return cells;
}

GaussianCells::GaussianCells() {
  EdgeWalk walk(2);
  const auto reached = [](const Digits& edge) { return edge[0] + (edge[1] > 0 ? 1 : 0); };
  for (std::size_t v = 0; v < kCells; ++v) {
    edges_[v] = {walk.least()[0], reached(walk.most())};
    walk.step();
  }
  edges_[kCells] = {edges_[kCells - 1].to, reached(walk.end())};
  for (std::size_t bucket = 0; bucket < told_.size(); ++bucket) {
    const std::uint64_t first = static_cast<std::uint64_t>(bucket) << kShift;
    const Found low = locate(first);
    const Found high = locate(first | ((std::uint64_t{1} << kShift) - 1));
    const bool is_one = low.certain && high.certain && low.cell == high.cell;
    told_[bucket] =
        is_one ? static_cast<std::uint8_t>(std::min<std::uint64_t>(low.cell, kCells)) : kUnsure;
  }
}

GaussianCells::Found GaussianCells::locate(std::uint64_t word) const {
  const auto* const edge = std::find_if(edges_.begin(), edges_.end(),
                                        [word](const Edge& each) { return word < each.to; });
  if (edge == edges_.end()) return {true, kNone};
  return {word < edge->from, static_cast<std::uint64_t>(edge - edges_.begin())};
}

GaussianCells::Found GaussianCells::locate(std::span<const std::uint64_t> words) {
  Digits lowest(words.begin(), words.end());
  lowest.push_back(0);
  Digits highest = lowest;
  highest.back() = ~std::uint64_t{0};
  for (EdgeWalk walk(lowest.size());; walk.step()) {
    if (highest < walk.least()) return {true, walk.cell()};
    if (lowest < walk.most() || walk.is_over()) return {};  // this edge is too near
    if (walk.cell() >= kCells && lowest >= walk.end()) return {true, kNone};
  }
}

}  // namespace southwell::privacy
