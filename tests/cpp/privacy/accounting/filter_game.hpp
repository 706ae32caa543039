#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {

// A game against a promise: whoever chooses every next mechanism by what all before have given.

/// Randomised response with the parameters a / 1000 and b / 1000: all that a game is played with.
using Menu = std::array<std::uint64_t, 2>;
using Counts = std::array<int, 2>;
using Admits = std::function<bool(const Counts&)>;

inline double epsilon_of(std::uint64_t thousandths) {
  return static_cast<double>(thousandths) / 1000.0;
}

/// The largest chance, beyond e^epsilon times the other one, that an adversary can reach who
/// chooses every next mechanism by what all before have given, as long as they are admitted: by
/// going through all that can happen.
class Game {
 public:
  Game(double epsilon, const Menu& menu, Admits admits)
      : epsilon_(epsilon), menu_(menu), admits_(std::move(admits)) {}

  double largest_delta() { return best({0, 0}, {0, 0}); }

 private:
  static constexpr int kMost = 14;

  double best(const Counts& used, const Counts& net) {
    const auto [place, is_new] = known_.try_emplace({used, net}, 0.0);
    if (!is_new) return place->second;
    const double loss = net[0] * epsilon_of(menu_[0]) + net[1] * epsilon_of(menu_[1]);
    double best_of_all = std::max(0.0, 1.0 - std::exp(epsilon_ - loss));
    for (std::size_t k = 0; k < menu_.size(); ++k) {
      Counts next = used;
      ++next[k];
      if (next[0] + next[1] > kMost || !admits_(next)) continue;
      const double truth = 1.0 / (1.0 + std::exp(-epsilon_of(menu_[k])));
      Counts up = net;
      Counts down = net;
      ++up[k];
      --down[k];
      best_of_all =
          std::max(best_of_all, truth * best(next, up) + (1.0 - truth) * best(next, down));
    }
    return known_[{used, net}] = best_of_all;
  }

  double epsilon_;
  Menu menu_;
  Admits admits_;
  std::map<std::pair<Counts, Counts>, double> known_;
};

struct Case {
  Budget budget;
  Menu menu;
};
inline const std::vector<Case> kGames{{{1.0, 0.05}, {200, 700}}, {{0.5, 0.02}, {100, 300}},
                                      {{1.0, 0.01}, {250, 600}}, {{2.0, 0.05}, {500, 1100}},
                                      {{0.3, 0.1}, {200, 500}},  {{1.0, 0.2}, {150, 400}}};

}  // namespace southwell::privacy
