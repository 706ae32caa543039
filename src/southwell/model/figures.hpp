#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// A figure of a model on records, from noisy sums: an estimate, and an interval that holds the
/// figure of the population which the records are a sample of in 95 of 100 evaluations. All are NaN
/// where the budget does not determine it; an end alone where it has none.
struct Figure {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  double value = kNone;
  double low = kNone;
  double high = kNone;
  double noise_sd = kNone;     ///< by the noise that protects records
  double sampling_sd = kNone;  ///< by the records being a sample

  bool is_determined() const { return value == value; }
};

struct NamedFigure {
  std::string name;
  Figure figure;
};

/// The share of the second class among records that are predicted between two probabilities.
struct CalibrationPoint {
  double from = 0.0;
  double to = 0.0;
  double predicted = 0.0;  ///< about the mean of their predictions
  Figure observed;
};

/// The share of the second (first) class with a margin above a threshold, from no records to all.
struct RocCurve {
  std::vector<double> false_positive_rate;
  std::vector<double> true_positive_rate;
};

/// How many errors are of which size.
struct ErrorBar {
  double from = 0.0;
  double to = 0.0;  ///< infinite in the last one
  Figure share;
};

/// Figures of a model on given records, which the records are protected in.
struct PrivateFigures {
  std::vector<NamedFigure> figures;
  RocCurve roc;                               ///< empty where it does not apply
  std::vector<CalibrationPoint> calibration;  ///< those that are determined
  std::vector<std::string> class_names;
  std::vector<Figure> confusion;  ///< shares of records: true class t, predicted p at t * C + p
  std::vector<ErrorBar> errors;   ///< of a regression
  Statement privacy;

  /// Null where there is none of this name.
  const Figure* find(const std::string& name) const;
};

/// The figures that a model carries, if it does, with the model's own statement. Throws DataError,
/// beginning with `name`, for what is none; no model that has such is read or written.
std::optional<PrivateFigures> figures_of(const LinearModel& model,
                                         const std::string& name = "model");

}  // namespace southwell::model
