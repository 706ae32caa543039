#pragma once

#include <array>
#include <optional>
#include <string>

#include "southwell/fit/algorithm.hpp"
#include "southwell/fit/draft.hpp"
#include "southwell/privacy/accounting/cost.hpp"

namespace southwell::fit {

/// The last step of a refined fit: a private choice between the model it ended with, parts of the
/// way to it, and the model without features, by their clipped losses on the records of the fit
/// (problem/line_losses.md). No private fit is then worse than no model by more than the choice's
/// noise. It is an event of the fit as any other, fixed and charged before a record is used.
class IterateChoice {
 public:
  /// The candidates: how much of the way from the null model each goes.
  static constexpr std::array<double, 6> kShares{1.0, 0.5, 0.25, 0.1, 0.03, 0.0};

  /// As a public rule or the user has it, noted and charged in the draft; none where there is none.
  static std::optional<IterateChoice> planned(Draft& draft, const PublicFacts& of);

  /// Chooses, and takes the solution there. Returns the share that was chosen.
  double apply(Solved& solved, const Work& work) const;

 private:
  IterateChoice(const privacy::Cost& cost, double head_start, bool adds_evidence)
      : cost_(cost), head_start_(head_start), adds_evidence_(adds_evidence) {}

  privacy::Cost cost_;
  double head_start_;   ///< of the last iterate, in the mechanism's scale
  bool adds_evidence_;  ///< and what its coefficients say for themselves
};

/// What was kept, in words: for the statement, and as the model file's `choice`.
std::string kept_text(double share);
std::string choice_json(double share);

}  // namespace southwell::fit
