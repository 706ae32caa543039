#include "southwell/fit/figure_mechanisms.hpp"

#include <string>

#include "southwell/core/fault.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"

namespace southwell::fit {
namespace {

privacy::ScheduledUse release_use(std::uint64_t sensitivity) {
  constexpr std::uint64_t kLargestSigma = std::uint64_t{1} << 44;
  return {.kind = privacy::Cost::Kind::discrete_gaussian,
          .shift = sensitivity,
          .largest = kLargestSigma,
          .weight = 1.0,
          .count = 1};
}

}  // namespace

std::uint64_t histogram_sensitivity(privacy::Relation relation) {
  constexpr std::uint64_t kRootOfTwoShares = 1'482'911;  // 1482910.4...
  const bool replaces =
      relation == privacy::Relation::replace_one && !fault(Fault::histogram_moves_as_when_adding);
  return replaces ? kRootOfTwoShares : static_cast<std::uint64_t>(kFigureShare);
}

std::uint64_t moment_sensitivity(privacy::Relation relation) {
  return privacy::sum_sensitivity(relation, static_cast<std::uint64_t>(kFigureShare));
}

std::vector<model::MechanismUse> figure_mechanisms(std::size_t classes, privacy::Relation relation,
                                                   const privacy::Budget& budget) {
  if (!(budget.delta > 0.0)) {
    refuse("delta", core::number_text(budget.delta),
           "a number above 0 and below 1: the noise of figures is Gaussian");
  }
  if (classes > kMostAssessedClasses) {
    refuse("classes", std::to_string(classes),
           "at most " + std::to_string(kMostAssessedClasses) +
               ": the confusion matrix has their square");
  }
  privacy::Schedule schedule{release_use(histogram_sensitivity(relation))};
  if (classes == 0) schedule.push_back(release_use(moment_sensitivity(relation)));
  const privacy::Calibrated calibrated = privacy::calibrate(schedule, budget);
  const std::string name(privacy::GaussianLaw::kMechanism);
  std::vector<model::MechanismUse> uses{{"histogram", name, calibrated.costs[0], 1}};
  if (classes == 0) uses.push_back({"moments", name, calibrated.costs[1], 1});
  return uses;
}

std::uint64_t longest_figures_text(std::size_t classes) {
  constexpr std::uint64_t kCurves = 65536;  // 128 points of a curve, 64 of another, and bars
  constexpr std::uint64_t kFigure = 256;    // five numbers with their names
  constexpr std::uint64_t kName = 64;       // of a class without a name of its own
  return kCurves + classes * (kName + classes * kFigure);
}

}  // namespace southwell::fit
