#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "southwell/assess/tuning_spec.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/fit/held_out.hpp"
#include "southwell/fit/private_magnitude.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/accounting/repeated_runs.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::assess {

/// The typical size of a target, found once on the part that is fitted on.
struct SharedTargetScale {
  fit::PrivateMagnitude magnitude;
  fit::ReachCheck reach;
};

/// All that is decided of tuning before a record is used: the way, the noise of every fit and of
/// the choice, the parts, and the statement.
class TuningPlan {
 public:
  /// Throws InvalidArgument, DataError, and CalibrationError where the budget does not reach.
  TuningPlan(const TuningSpec& spec, const fit::DataShape& shape);

  const TuningSpec& spec() const { return spec_; }
  const privacy::Budget& budget() const { return budget_; }
  /// Of every setting; where the target scale is to be found, as if it were 1.
  const std::vector<fit::FitPlan>& fits() const { return chosen_.fits; }
  /// The same for the scale that was found, at the same cost.
  std::vector<fit::FitPlan> fits_for(double target_scale) const;
  /// What compares models: an exponential mechanism, or the noise of one score.
  const privacy::Cost& choice() const { return chosen_.choice; }
  /// The law of the number of runs, if that is the way.
  const std::optional<privacy::RunLaw>& runs() const { return chosen_.runs; }
  const std::optional<SharedTargetScale>& target_scale() const { return target_scale_; }
  const fit::HeldOut& held_out() const { return *fits().front()->held_out; }
  /// How those that are held out are cut again, in `fit` units to compare on and `test` for
  /// figures.
  const std::optional<fit::HeldOut>& figures() const { return figures_; }
  double epsilon_of_each() const { return chosen_.epsilon; }
  /// Whether an untuned fit with the whole budget is likely to be better, by public numbers: a
  /// rule of thumb from the table of docs/tune.md.
  std::string expectation() const;
  /// The place of the model without features, after all settings.
  std::size_t no_features() const { return spec_.settings.size(); }

  /// That of the first setting's model, if it were chosen.
  model::Statement statement() const;
  model::Statement statement_of(std::size_t chosen, const model::Statement& of_fit) const;

 private:
  struct Calibrated {
    double epsilon = 0.0;
    std::vector<fit::FitPlan> fits;
    privacy::Cost choice{};
    std::optional<privacy::RunLaw> runs;
  };
  using Fits = std::vector<const fit::FitPlan*>;

  fit::FitSpec setting(std::size_t k, double epsilon, double target_scale) const;
  /// One fit's plan in the place of all, and the choice beside it.
  Calibrated first_with(double epsilon, const std::optional<privacy::RunLaw>& runs) const;
  std::optional<privacy::RunLaw> cheapest_law() const;
  std::optional<Calibrated> calibrated(const std::optional<privacy::RunLaw>& runs) const;
  bool is_within(const Fits& fits, const Calibrated& with) const;
  void compare_ways();
  std::vector<model::MechanismUse> mechanisms_of(std::size_t chosen, const Fits& fits,
                                                 const Calibrated& with) const;
  std::string reason() const;

  TuningSpec spec_;
  privacy::Budget budget_;
  fit::DataShape shape_;
  std::optional<SharedTargetScale> target_scale_;
  std::optional<fit::HeldOut> figures_;
  std::vector<model::MechanismUse> of_figures_;
  Calibrated chosen_;
  std::optional<double> epsilon_otherwise_;  ///< of a fit the other way, where it was looked at
};

}  // namespace southwell::assess
