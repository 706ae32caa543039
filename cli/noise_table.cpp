#include "noise_table.hpp"

#include <cmath>
#include <string>

#include <fmt/core.h>

#include "southwell/core/printable.hpp"
#include "southwell/problem/coordinates.hpp"

namespace southwell::cli {
namespace {

void print_row(const std::string& of, const fit::FitPlan& plan, std::size_t coordinate) {
  const fit::NoiseSd noise = plan->noise(problem::Coordinates(plan->coordinates), coordinate);
  std::string line =
      fmt::format("  {:24} {:>22.4g} {:>22.4g}", core::printable(of), noise.gradient, noise.coef);
  if (plan->spec.table && coordinate < plan->coordinates.features) {
    const auto terms = plan->spec.table->in_user_terms(coordinate);
    if (!terms.per.empty()) {
      line += fmt::format("  {:16.4g} {}", noise.coef * std::fabs(terms.slope), terms.per);
    }
  }
  fmt::print("{}\n", line);
}

}  // namespace

void print_noise(const fit::FitPlan& plan) {
  constexpr std::size_t kMost = 20;
  if (plan->private_scale)
    fmt::print("\n  the noise below is in units of the target scale to be found{}",
               plan->spec.objective.huber_width
                   ? fmt::format(", at most {:g}", *plan->spec.objective.huber_width)
                   : "");
  fmt::print("\n  {:24} {:>22} {:>22}{}\n", "noise sd", "a released gradient",
             "a coefficient's step",
             plan->spec.table ? fmt::format("  {:>16}", "in table units") : "");
  const auto& scales = plan->coordinates.feature_scale;
  if (plan->spec.feature_scale_from_data) {
    fmt::print("  {:24} {:>22} {:>22}\n", "every feature", "depends on records", "-");
  } else if (scales.size() == 1) {
    print_row("every feature", plan, 0);
  } else {
    for (std::size_t j = 0; j < scales.size() && j < kMost; ++j) {
      print_row(
          plan->feature_names.empty() ? data::default_feature_name(j) : plan->feature_names[j],
          plan, j);
    }
    if (scales.size() > kMost) fmt::print("  ... {} more\n", scales.size() - kMost);
  }
  if (plan->coordinates.intercept == problem::Intercept::free) {
    print_row(model::kInterceptName, plan, plan->coordinates.features);
  }
}

}  // namespace southwell::cli
