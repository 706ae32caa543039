#include "southwell/fit/classes_from_data.hpp"

#include <cmath>
#include <set>

#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::fit {

FitSpec with_classes_of(const data::Dataset& dataset, FitSpec spec) {
  const bool wanted = spec.allow_leaks && spec.classes.empty() && !spec.table &&
                      !spec.objective.loss.empty() &&
                      problem::classifies(problem::loss_of(spec.objective));
  if (!wanted) return spec;
  std::set<double> labels;
  for (const double label : dataset.target) {
    if (std::isfinite(label)) labels.insert(label);
  }
  spec.classes.assign(labels.begin(), labels.end());
  spec.classes_from_data = true;
  return spec;
}

}  // namespace southwell::fit
