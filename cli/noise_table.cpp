#include "noise_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "coefficient_table.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/problem/coordinates.hpp"

namespace southwell::cli {
namespace {

/// Of a coordinate.
struct Row {
  std::string name;
  std::size_t coordinate;
};

void print_row(const Row& row, std::size_t width, const fit::FitPlan& plan) {
  const std::size_t coordinate = row.coordinate;
  const fit::NoiseSd noise = plan->noise(problem::Coordinates(plan->coordinates), coordinate);
  std::string line = fmt::format("  {:{}} {:>22.4g} {:>22.4g}", core::printable(row.name), width,
                                 noise.gradient, noise.coef);
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
  const auto& scales = plan->coordinates.feature_scale;
  const bool from_data = plan->spec.feature_scale_from_data;
  std::vector<Row> rows;
  if (scales.size() == 1 && !from_data) rows.push_back({"every feature", 0});
  for (std::size_t j = 0; scales.size() > 1 && !from_data && j < std::min(scales.size(), kMost);
       ++j) {
    rows.push_back(
        {plan->feature_names.empty() ? data::default_feature_name(j) : plan->feature_names[j], j});
  }
  NameColumn names;
  for (const Row& row : rows) names.add(row.name);
  const std::size_t width = names.width();
  fmt::print("\n  {:{}} {:>22} {:>22}{}\n", "noise sd", width, "a released gradient",
             "a coefficient's step",
             plan->spec.table ? fmt::format("  {:>16}", "in table units") : "");
  if (from_data) {
    fmt::print("  {:{}} {:>22} {:>22}\n", "every feature", width, "depends on records", "-");
  }
  for (const Row& row : rows) print_row(row, width, plan);
  if (scales.size() > kMost && !from_data) fmt::print("  ... {} more\n", scales.size() - kMost);
  if (plan->coordinates.intercept == problem::Intercept::free) {
    print_row({model::kInterceptName, plan->coordinates.features}, width, plan);
  }
}

}  // namespace southwell::cli
