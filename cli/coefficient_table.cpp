#include "coefficient_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/core.h>

#include "southwell/core/printable.hpp"
#include "southwell/data/dataset.hpp"

namespace southwell::cli {
namespace {

void print_row(const CoefficientRow& row) {
  fmt::print("  {:24} {:16.8g}", core::printable(row.feature), row.value);
  if (!row.noise_sd) {
    fmt::print("\n");
  } else if (*row.noise_sd == 0.0) {
    fmt::print(" {:>14}\n", "-");  // never moved: as given
  } else {
    fmt::print(" {:14.3g}\n", *row.noise_sd);
  }
}

}  // namespace

void print_coefficients(const std::optional<CoefficientRow>& intercept,
                        const std::vector<CoefficientRow>& rows, bool has_noise) {
  constexpr std::size_t kMost = 20;
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&rows](std::size_t a, std::size_t b) {
    const double size = std::fabs(rows[a].value);
    const double other = std::fabs(rows[b].value);
    return size != other ? size > other : a < b;
  });

  fmt::print("\n  {:24} {:>16}{}\n", "feature", "coefficient",
             has_noise ? fmt::format(" {:>14}", "step noise sd") : "");
  if (intercept) print_row(*intercept);
  for (std::size_t k = 0; k < rows.size() && k < kMost; ++k) print_row(rows[order[k]]);
  if (rows.size() > kMost) fmt::print("  ... {} more (--json has all)\n", rows.size() - kMost);
}

void print_coefficients(const model::LinearModel& model) {
  for (std::size_t h = 0; h < model.heads.size(); ++h) {
    if (model.heads.size() > 1) fmt::print("\nclass {}:", core::printable(class_name(model, h)));
    const model::Head& head = model.heads[h];
    std::vector<CoefficientRow> rows;
    rows.reserve(head.coef.size());
    for (const model::Coefficient& c : head.coef) {
      rows.push_back({feature_name(model, c.index), c.value, c.noise_sd});
    }
    std::optional<CoefficientRow> intercept;
    if (model.objective.intercept == problem::Intercept::free) {
      intercept = {feature_name(model, model.features), head.intercept, head.intercept_noise_sd};
    }
    print_coefficients(intercept, rows, true);
  }
}

}  // namespace southwell::cli
