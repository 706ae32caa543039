#pragma once

#include <cstdint>

#include "southwell/fit/algorithm.hpp"
#include "southwell/fit/norm_rules.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"

namespace southwell::fit {

/// The last part of a descent by the norm of a record (docs/research/rules.md): how long a fit may
/// go is a public rule, and how sure it may then be of its margins is not. A short descent on one
/// factor for all of them, and on the intercepts, tells it from the records, at a small part of the
/// budget: where labels are noise the factor goes to 0, where classes lie far apart above 1.
class MarginFactor {
 public:
  /// What of the descent before it matters.
  struct Descended {
    problem::RecordLimit norm_units;
    double norm = 1.0;         ///< typical, of a record in these units
    double time = 0.0;         ///< steps of all releases together, as they were released
    double slope_limit = 1.0;  ///< of its gradients
    double slope_scale = 1.0;  ///< how large slopes are: 1 where they are at most that
    double unit = 2.0;         ///< of margins: about what the larger ones are
  };

  MarginFactor() = default;
  explicit MarginFactor(const PublicFacts& of);

  /// Whether it is worth its cost.
  static bool pays(const PublicFacts& of);
  privacy::RoundsScheduleOptions::Releases releases() const;
  void set_cost(const privacy::Cost& cost) { cost_ = cost; }

  /// Takes the solution to the factor and the intercepts that it finds.
  void apply(Solved& solved, const Work& work, const Descended& before) const;

 private:
  /// How far a record with slope 1 and norm 1 has moved its own margin.
  double own_part(const Descended& before, const problem::Coordinates& all) const;
  /// The step of each release.
  double step(const Descended& before) const;
  std::vector<double> descend(const Solved& solved, const Work& work,
                              const Descended& before) const;

  MarginFactorRule rule_;
  bool classifies_ = true;
  double records_ = 1.0;
  double l2_ = 0.0;
  privacy::Cost cost_{};
};

}  // namespace southwell::fit
