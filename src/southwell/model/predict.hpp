#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// The names of the features that have a coefficient, or of all where records are limited
/// (input_limits.hpp), in the order of the model; empty if it has no names. Nothing else of a
/// record decides a prediction.
std::vector<std::string> used_feature_names(const LinearModel& model);

/// Margins of every record for every head: record i, head h at i * heads + h; the work grows with
/// the coefficients that are not zero. Features are matched by name where model and data both have
/// names (the data may hold more, in any order); otherwise by number: dense data then have exactly
/// the model's features, sparse data may have fewer or more. A missing value (NaN) of a feature
/// with a coefficient makes the margin NaN. Records beyond the model's limit are shortened to it,
/// and one whose norm is beyond all numbers has the intercept as its margin. Throws DataError where
/// a feature that the model uses is missing.
std::vector<double> margins(const LinearModel& model, const data::Dataset& dataset);

/// The class of each record: the head with the largest margin, the first of equal ones; with one
/// head the second class from a margin above 0 on. NaN for a margin that is NaN. Throws
/// InvalidArgument for a regression.
std::vector<double> labels(const LinearModel& model, const std::vector<double>& margins);

/// Probabilities of the classes, record by record: 1 / (1 + exp(-margin)) for one head, those of
/// the heads divided by their sum for more, or exp(margin) divided by their sum under softmax.
/// Throws InvalidArgument unless the loss is logistic.
std::vector<double> probabilities(const LinearModel& model, const std::vector<double>& margins);

/// Exact figures of the records given that can be predicted; NaN where a figure does not apply. A
/// record without a target, or without a value that the model uses (both NaN), is left out of all
/// of them. A label that the model does not know is a wrong prediction in `accuracy`; in the other
/// figures it counts as the first class, as in a fit.
struct Evaluation {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::size_t records = 0;    ///< that the figures are of; none: there are no figures
  std::size_t left_out = 0;   ///< of those given
  double loss_value = kNone;  ///< mean loss, of the heads together
  double mse = kNone;         ///< regression
  double r2 = kNone;          ///< regression, unless all targets are the same
  double accuracy = kNone;    ///< classes
  double auc = kNone;         ///< two classes that both occur; equal margins count half
  double log_loss = kNone;    ///< logistic: -log of the probability of a record's own class
};
/// Throws DataError for data that have no target at all.
Evaluation evaluate(const LinearModel& model, const data::Dataset& dataset);

}  // namespace southwell::model
