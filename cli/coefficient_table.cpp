#include "coefficient_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include <fmt/core.h>

#include "southwell/core/printable.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/noise_words.hpp"
#include "southwell/model/user_terms.hpp"

namespace southwell::cli {
namespace {

void print_row(const CoefficientRow& row, std::size_t width) {
  std::string line =
      fmt::format("  {:{}} {:16.8g}", core::printable(row.feature), width, row.value);
  // What never moved is as it was given.
  if (row.noise_sd) {
    const model::Coefficient c{0, row.value, *row.noise_sd};
    line += std::isnan(c.noise_sd) ? fmt::format(" {:>16}", "not determined")
            : c.noise_sd == 0.0    ? fmt::format(" {:>16}", "-")
                                   : fmt::format(" {:16.3g}", c.noise_sd);
    line += c.noise_sd == 0.0 ? "      "
            : !c.has_sign()   ? "  +/- "
            : c.value > 0.0   ? "  +   "
                              : "  -   ";
  }
  if (!row.natural.empty()) line += "  " + row.natural;
  fmt::print("{}\n", line);
}

/// A number with what it is per; nothing where that is the feature itself.
std::string natural_text(const model::NaturalCoefficient& c) {
  return c.per.empty() ? "" : fmt::format("{:16.6g} {}", c.value, c.per);
}

}  // namespace

void NameColumn::add(const std::string& name) {
  constexpr std::size_t kWidest = 48;
  width_ = std::max(width_, std::min(kWidest, core::printable(name).size()));
}

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

  const auto is_natural = [](const CoefficientRow& row) { return !row.natural.empty(); };
  const bool natural =
      (intercept && is_natural(*intercept)) || std::any_of(rows.begin(), rows.end(), is_natural);
  NameColumn names;
  for (std::size_t k = 0; k < std::min(rows.size(), kMost); ++k) names.add(rows[order[k]].feature);
  const std::size_t width = names.width();
  fmt::print("\n  {:{}} {:>16}{}{}\n", "feature", width, "coefficient",
             has_noise ? fmt::format(" {:>16}  sign", "privacy noise sd") : "",
             natural ? fmt::format("  {:>16}", "in table units") : "");
  if (intercept) print_row(*intercept, width);
  for (std::size_t k = 0; k < rows.size() && k < kMost; ++k) print_row(rows[order[k]], width);
  if (rows.size() > kMost) fmt::print("  ... {} more (--json has all)\n", rows.size() - kMost);
}

void print_coefficients(const model::LinearModel& model) {
  const auto table = model::table_of(model);
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
    if (table) {
      const model::NaturalHead natural =
          model::in_user_terms(head, *table, model::covariance_of(model));
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k].natural = natural_text(natural.coef[k]);
      if (intercept) intercept->natural = fmt::format("{:16.6g}", natural.intercept);
    }
    print_coefficients(intercept, rows, true);
  }
  fmt::print("\n{}\n", model::noise_sentences(model));
  if (table) fmt::print("\n{}\n{}\n", model::kTableUnits[0], model::kTableUnits[1]);
}

}  // namespace southwell::cli
