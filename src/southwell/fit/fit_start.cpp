#include "southwell/fit/fit_start.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::fit {
namespace {

void check(const StartRequest& request) {
  const model::LinearModel& start = request.start;
  if (start.features != request.coordinates.features() ||
      start.heads.size() != request.coordinates.heads() ||
      start.classes != (start.classes.empty() ? start.classes : request.classes)) {
    refuse("start", request.name,
           "coefficients for the same features and the same classes as this fit");
  }
  if (!start.feature_names.empty() && !request.feature_names.empty() &&
      start.feature_names != request.feature_names) {
    refuse("start", request.name, "a model with the same feature names in the same order");
  }
  if (!start.privacy.guarantee.empty() && start.privacy.relation != request.relation) {
    refuse("start", "a model under " + start.privacy.relation,
           "one under " + request.relation + ", so that the costs add up");
  }
  if (!start.privacy.guarantee.empty() && start.privacy.unit != request.unit) {
    refuse("start", "a model whose unit is " + core::printable(start.privacy.unit),
           "one whose unit is " + core::printable(request.unit) + ", so that the costs add up");
  }
  for (const model::Head& head : start.heads) {
    if (request.coordinates.intercept() == problem::Intercept::none && head.intercept != 0.0) {
      refuse("start", "a model with an intercept", "one without for a fit without");
    }
  }
}

}  // namespace

std::vector<double> start_coefficients(const StartRequest& request) {
  check(request);
  const problem::Coordinates& all = request.coordinates;
  std::vector<double> coef(all.size());
  for (std::size_t h = 0; h < all.heads(); ++h) {
    const model::Head& head = request.start.heads[h];
    for (const model::Coefficient& each : head.coef)
      coef[h * all.width() + each.index] = each.value;
    if (all.intercept() == problem::Intercept::free) {
      coef[h * all.width() + all.features()] = head.intercept;
    }
  }
  return coef;
}

void confine(std::vector<double>& coef, const problem::Coordinates& coordinates,
             const problem::Interval& box) {
  for (std::size_t c = 0; c < coef.size(); ++c) {
    if (!(std::fabs(coef[c]) <= kLargestScale)) {
      refuse("start", "a coefficient of " + core::rounded_text(coef[c]), "at most 1e100 in size");
    }
    if (!coordinates.is_intercept(c)) coef[c] = std::clamp(coef[c], box.lo, box.hi);
  }
}

}  // namespace southwell::fit
