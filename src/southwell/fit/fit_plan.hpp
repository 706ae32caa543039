#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/fit/automatic_alpha.hpp"
#include "southwell/fit/fit_spec.hpp"
#include "southwell/fit/held_out.hpp"
#include "southwell/fit/iterate_choice.hpp"
#include "southwell/fit/private_magnitude.hpp"
#include "southwell/model/statement.hpp"
#include "southwell/problem/coordinates.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::fit {

/// What of the data everybody may know: its form.
struct DataShape {
  /// Their number of units, where records belong to some. Secret under add_or_remove_one, and not
  /// used then.
  std::size_t records = 0;
  std::size_t features = 0;
  /// Features may have been counted in the records: then a certified fit wants them declared.
  bool features_counted = false;
  std::vector<std::string> feature_names{};
  bool has_units = false;  ///< records say whose they are
  /// There are none yet, and the plan is for no fit: without classes it is that of two.
  bool is_imagined = false;

  /// Of a sparse design nobody knows where its number of features came from: it counts as counted.
  static DataShape of(const data::Dataset& dataset);
};

struct Decisions;

/// The other one of two plans (fit_plan.md).
struct OtherPlan {
  double up_to;  ///< is followed where the norm of records is found to be at most this
  std::shared_ptr<const Decisions> plan;
};

/// All that was decided of a fit: inputs checked and filled in, the noise calibrated, the statement
/// written.
struct Decisions {
  FitSpec spec;
  problem::AnyLoss loss;
  problem::AnyPenalty penalty;
  std::vector<double> classes;  ///< empty: a regression
  bool classes_are_imagined = false;
  problem::Coordinates::Options coordinates;
  problem::RecordLimit record_limit;             ///< usually none
  double record_norm = 1.0;                      ///< typical, as declared, by a rule, or found
  std::optional<PrivateMagnitude> private_norm;  ///< which finds it; usually absent
  problem::Multiclass multiclass{};
  /// The automatic clip waits for the scale that a mechanism finds; usually absent.
  std::optional<PrivateMagnitude> private_scale;
  std::optional<ReachCheck> reach_check;          ///< of that scale, in refined fits
  double clip_per_slope = 1.0;                    ///< then the clip, in units of a typical slope
  double target_scale = 1.0;                      ///< as declared, or found
  std::optional<AutomaticAlpha> automatic_alpha;  ///< where no alpha was given
  std::vector<double> start;                      ///< of all coordinates
  std::uint64_t iterations = 1;
  double step = 1.0;
  AnyAlgorithm algorithm;
  std::optional<IterateChoice> choice;  ///< after it
  std::optional<HeldOut> held_out;      ///< then all else is of a fit on the other units
  std::string solver_reason;            ///< why this one
  std::vector<std::string> feature_names;
  std::vector<std::string> no_guarantee;  ///< the reasons why there is none; usually empty
  Statement statement;
  std::optional<OtherPlan> other;  ///< usually absent

  /// The clip, and the automatic alpha of an l1 part, that follow from a target scale; written down
  /// as the mechanism's.
  void settle_target_scale(double scale);
  /// What the choice between iterates kept, for the statement.
  void settle_choice(double share);
  /// Whether the automatic alpha waits for a scale that a mechanism finds.
  bool alpha_waits() const;
  /// The plan, the limit and the clip that follow from a record's norm, likewise.
  void settle_record_norm(double norm);
  /// The noise of one coordinate of `all`, the plan's coordinates; for a clip that is not known
  /// yet, if it were that of the target scale 1.
  NoiseSd noise(const problem::Coordinates& all, std::size_t coordinate) const;
};

/// A fit decided to the last number, before any record is used. It can be read but not changed: its
/// statement speaks of this very fit.
class FitPlan {
 public:
  const Decisions& operator*() const { return decisions_; }
  const Decisions* operator->() const { return &decisions_; }

 private:
  friend FitPlan plan_fit(const FitSpec& spec, const DataShape& shape);
  explicit FitPlan(Decisions decisions) : decisions_(std::move(decisions)) {}

  Decisions decisions_;
};

/// Throws what `plan_fit` would throw whatever the data turn out to be, so that they need not be
/// read for it; nothing is calibrated. `shape` stands for theirs: what of it is not declared may be
/// any.
void check_inputs(const FitSpec& spec, const DataShape& shape);

/// Throws InvalidArgument, naming the input, what was given and what is accepted, DataError for a
/// form that cannot be fitted, and CalibrationError where no noise meets the budget.
FitPlan plan_fit(const FitSpec& spec, const DataShape& shape);

}  // namespace southwell::fit
