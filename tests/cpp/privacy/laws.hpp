#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::privacy::testing {

using Real = long double;

/// All outcomes of an experiment with their probabilities; `cut` is the mass of what was not
/// followed.
template <class Outcome>
struct Law {
  std::map<Outcome, Real> mass;
  Real cut = 0;
};

/// Draws that can be replayed along every path of outcomes in turn.
class Paths {
 public:
  enum class Exponentials {
    by_series,  ///< run the real algorithm for exp(-a/b)
    as_one,     ///< one draw of probability exp(-a/b), to enumerate what is built on it
  };
  Paths(Exponentials exponentials, Real smallest)
      : exponentials_(exponentials), smallest_(smallest) {}

  std::uint64_t below(std::uint64_t n) {
    const std::size_t i = branch(static_cast<std::size_t>(n));
    weigh(Real{1} / static_cast<Real>(n));
    return i;
  }
  bool chance(std::uint64_t a, std::uint64_t n) {
    if (a >= n) return true;
    return a != 0 && decide(static_cast<Real>(a) / static_cast<Real>(n));
  }
  bool exp_chance(std::uint64_t a, std::uint64_t b) {
    if (exponentials_ == Exponentials::by_series) return exp_chance_by_series(*this, a, b);
    return a == 0 || decide(std::exp(-static_cast<Real>(a) / static_cast<Real>(b)));
  }

  /// Cells are not enumerated as far as their mass goes: the last outcome stands for none of these.
  std::uint64_t cell() {
    constexpr std::size_t kCells = 400;
    const std::size_t taken = branch(kCells + 1);
    const auto mass = [](std::size_t v) { return std::exp(-static_cast<Real>(v * v) / 512) / 21; };
    if (taken < kCells) {
      weigh(mass(taken));
      return taken;
    }
    Real none = 1;
    for (std::size_t v = 0; v < kCells; ++v) none -= mass(v);
    weigh(none);
    return GaussianCells::kNone;
  }

  /// Runs the experiment along every path that is likelier than `smallest`.
  template <class Experiment>
  auto law(Experiment&& experiment) {
    Law<decltype(experiment(*this))> law;
    path_.clear();
    do {
      depth_ = 0;
      probability_ = 1;
      try {
        const auto outcome = experiment(*this);
        law.mass[outcome] += probability_;
      } catch (const TooUnlikely&) {
        law.cut += probability_;
      }
      path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(depth_), path_.end());
    } while (advance());
    return law;
  }

 private:
  struct TooUnlikely {};
  struct Choice {
    std::size_t taken;
    std::size_t count;
  };

  std::size_t branch(std::size_t count) {
    if (depth_ == path_.size()) path_.push_back({0, count});
    return path_[depth_++].taken;
  }
  bool decide(Real probability) {
    const bool yes = branch(2) == 0;
    weigh(yes ? probability : 1 - probability);
    return yes;
  }
  void weigh(Real probability) {
    probability_ *= probability;
    if (probability_ < smallest_) throw TooUnlikely();
  }
  bool advance() {
    while (!path_.empty() && path_.back().taken + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    return true;
  }

  Exponentials exponentials_;
  Real smallest_;
  std::deque<Choice> path_;
  std::size_t depth_ = 0;
  Real probability_ = 1;
};

/// The law of a rejection sampler: that of one round, given that the round succeeds.
template <class Outcome>
Law<Outcome> given_success(const Law<std::optional<Outcome>>& round) {
  Law<Outcome> law;
  Real total = 0;
  for (const auto& [outcome, mass] : round.mass) {
    if (outcome) total += mass;
  }
  for (const auto& [outcome, mass] : round.mass) {
    if (outcome) law.mass[*outcome] = mass / total;
  }
  law.cut = round.cut / total;
  return law;
}

inline std::vector<Real> normalised(std::vector<Real> weights) {
  const Real total = std::accumulate(weights.begin(), weights.end(), Real{0});
  for (Real& weight : weights) weight /= total;
  return weights;
}

inline Real largest(const std::vector<std::int64_t>& scores) {
  std::int64_t best = scores[0];
  for (const std::int64_t score : scores) best = score > best ? score : best;
  return static_cast<Real>(best);
}

inline std::vector<Real> exponential_law(const std::vector<std::int64_t>& scores, Real scale) {
  std::vector<Real> weights;
  for (const std::int64_t s : scores) {
    weights.push_back(std::exp((static_cast<Real>(s) - largest(scores)) / scale));
  }
  return normalised(weights);
}

/// McKenna and Sheldon: P(j) = h_j times the integral over t in (0, 1) of prod_{k != j} (1 - h_k
/// t), h_k = exp((s_k - max) / scale); the polynomial is expanded and integrated.
inline std::vector<Real> permute_and_flip_law(const std::vector<std::int64_t>& scores, Real scale) {
  std::vector<Real> heads;
  for (const std::int64_t s : scores) {
    heads.push_back(std::exp((static_cast<Real>(s) - largest(scores)) / scale));
  }
  std::vector<Real> law;
  for (std::size_t j = 0; j < heads.size(); ++j) {
    std::vector<Real> polynomial = {1};
    for (std::size_t k = 0; k < heads.size(); ++k) {
      if (k == j) continue;
      polynomial.push_back(0);
      for (std::size_t d = polynomial.size() - 1; d > 0; --d) {
        polynomial[d] -= heads[k] * polynomial[d - 1];
      }
    }
    Real integral = 0;
    for (std::size_t d = 0; d < polynomial.size(); ++d) {
      integral += polynomial[d] / static_cast<Real>(d + 1);
    }
    law.push_back(heads[j] * integral);
  }
  return law;
}

/// P(X = x) of the discrete Laplace.
inline Real laplace_mass(Real x, Real scale) {
  return std::tanh(1 / (2 * scale)) * std::exp(-std::fabs(x) / scale);
}

/// Whether counts fit a law: chi-square with false-rejection probability 1e-6 (Wilson-Hilferty).
inline bool fits(const std::vector<std::uint64_t>& counts, const std::vector<Real>& law) {
  const Real total =
      static_cast<Real>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  Real statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Real expected = total * law[i];
    statistic += (static_cast<Real>(counts[i]) - expected) *
                 (static_cast<Real>(counts[i]) - expected) / expected;
  }
  const Real freedom = static_cast<Real>(counts.size() - 1);
  const Real spread = 2 / (9 * freedom);
  const Real limit = freedom * std::pow(1 - spread + 4.7534L * std::sqrt(spread), 3.0L);
  return statistic <= limit;
}

/// Whether an event seen `often` times out of `samples` on one dataset and `seldom` times on its
/// neighbour shows P > e^epsilon P', with false-alarm probability 1e-6.
inline bool shows_more_than(Real epsilon, std::uint64_t often, std::uint64_t seldom,
                            std::uint64_t samples) {
  const Real n = static_cast<Real>(samples);
  const Real p = static_cast<Real>(often) / n;
  const Real q = static_cast<Real>(seldom) / n;
  const Real factor = std::exp(epsilon);
  const Real deviation = std::sqrt((p * (1 - p) + factor * factor * (q * (1 - q) + 1 / n)) / n);
  return p - factor * q > 4.7534L * deviation;
}

}  // namespace southwell::privacy::testing
