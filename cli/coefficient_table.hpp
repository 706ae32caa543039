#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "southwell/model/linear_model.hpp"

namespace southwell::cli {

/// How wide a column of names is: as they are, as far as a line has room for them.
class NameColumn {
 public:
  void add(const std::string& name);
  std::size_t width() const { return width_; }

 private:
  std::size_t width_ = 24;
};

/// A line of a table of coefficients.
struct CoefficientRow {
  std::string feature;
  double value = 0.0;
  std::optional<double> noise_sd{};  ///< absent throughout: no such column
  std::string
      natural{};  ///< the same in the units of a raw table; empty throughout: no such column
};

/// The intercept first, if there is one, then the features, the largest first; a long list is cut.
void print_coefficients(const std::optional<CoefficientRow>& intercept,
                        const std::vector<CoefficientRow>& rows, bool has_noise = false);

/// The same for every head of a model, with the noise of each coefficient and, where a schema made
/// the features, the units of its table.
void print_coefficients(const model::LinearModel& model);

}  // namespace southwell::cli
