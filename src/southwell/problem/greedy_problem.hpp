#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "southwell/problem/coordinate_problem.hpp"

namespace southwell::problem {

/// A problem of coordinates that can be told apart by the scores of a greedy rule.
template <class Design>
class GreedyProblem : public CoordinateProblem<Design> {
 public:
  /// `parts`, `penalty` and what they name must outlive it.
  GreedyProblem(const GradientParts<Design>& parts, const AnyPenalty& penalty, GreedyRule rule,
                std::vector<double> start, core::ThreadPool& pool,
                Candidates candidates = Candidates::coordinates)
      : CoordinateProblem<Design>(parts, penalty, std::move(start), pool),
        rule_(rule, penalty, this->coordinates_, candidates) {}

  const Sensitive<std::vector<std::int64_t>>& scores() {
    return this->gradient_.scores(rule_, this->coef_);
  }
  std::size_t coordinate(std::size_t candidate) const { return rule_.coordinate(candidate); }
  /// Feature j is not to be chosen again, for no head: its scores become the least there is.
  void exclude(std::size_t feature) { rule_.exclude(feature); }
  using CoordinateProblem<Design>::gradient_in_doubles;
  const Sensitive<std::vector<double>>& gradient_in_doubles() {
    return this->gradient_.in_doubles(this->coef_);
  }

 private:
  GridScores rule_;
};

}  // namespace southwell::problem
