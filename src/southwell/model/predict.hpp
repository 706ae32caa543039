#pragma once

#include <string>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// Margins of every record for every head: record i, head h at i * heads + h. Features are matched
/// by name where model and data both have names (the data may hold more, in any order), by number
/// otherwise. Throws DataError where a feature that the model uses is missing.
std::vector<double> margins(const LinearModel& model, const data::Dataset& dataset);

/// The class of each record: the head with the largest margin; with one head the second class from
/// a margin above 0 on. Throws InvalidArgument for a regression.
std::vector<double> labels(const LinearModel& model, const std::vector<double>& margins);

/// Probabilities of the classes, record by record: 1 / (1 + exp(-margin)) for one head, those of
/// the heads divided by their sum for more. Throws InvalidArgument unless the loss is logistic.
std::vector<double> probabilities(const LinearModel& model, const std::vector<double>& margins);

/// Exact figures of the records given; NaN where a figure does not apply.
struct Evaluation {
  std::size_t records = 0;
  double loss_value = 0.0;
  double mse, r2, accuracy, auc, log_loss;
};
Evaluation evaluate(const LinearModel& model, const data::Dataset& dataset);

}  // namespace southwell::model
