#pragma once

#include <optional>
#include <span>
#include <string>

#include "southwell/data/units.hpp"
#include "southwell/fit/draft.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::fit {

/// The typical size of numbers, one from each record or unit, as a power of two: an exponential
/// mechanism chooses it (problem/magnitude_scores.md).
class PrivateMagnitude {
 public:
  /// With a range of at most `range`; what the weights add to it is the accountant's to charge.
  explicit PrivateMagnitude(double range);
  /// At a cost of at most `epsilon` as basic composition charges it, the weights included. Throws
  /// CalibrationError where no scale of the mechanism is enough.
  static PrivateMagnitude within(double epsilon);

  /// Of targets: as sharp as a clip needs it.
  static PrivateMagnitude of_targets(double epsilon, double records);

  /// Whether so few records and so small a range do not tell a size from noise.
  bool guesses(double records) const;

  const privacy::Cost& cost() const { return cost_; }
  /// `sizes`: one of every record. Each of the `units`, where there are some, counts once.
  double find(std::span<const double> sizes, const std::optional<data::Units>& units,
              privacy::RandomBits& bits,
              privacy::Purpose purpose = privacy::Purpose::target_scale) const;

 private:
  privacy::Cost cost_;
};

/// Whether targets reach the scale that a mechanism found: one count with noise. Where few of them
/// are not 0 that scale may be too large by any power of two, and coefficients would be noise of
/// its size.
class ReachCheck {
 public:
  /// Costs some percent of the budget where records are few, and next to nothing of it else.
  ReachCheck(const privacy::Budget& budget, double records);

  const privacy::Cost& cost() const { return cost_; }
  /// Whether more targets reach an eighth of `scale`, a power of two, than noise explains.
  bool confirms(double scale, std::span<const double> sizes,
                const std::optional<data::Units>& units, privacy::RandomBits& bits) const;

 private:
  privacy::Cost cost_;
};

/// Throws InvalidArgument, naming the input, where the choice of a target scale would be a guess.
void check_is_no_guess(const PrivateMagnitude& magnitude, double records, const std::string& given);

/// Of a refined fit whose target scale a mechanism finds: notes its cost in the draft.
ReachCheck charged_reach_check(Draft& draft);

/// `target_scale = private`, which is the default of regressions: notes what it will cost in the
/// draft and its statement (docs/research/rules.md). Throws InvalidArgument where the choice would
/// be a guess.
PrivateMagnitude charged_target_scale(Draft& draft);

}  // namespace southwell::fit
