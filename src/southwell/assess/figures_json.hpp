#pragma once

#include <string>

#include "southwell/assess/figure.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/model/statement_html.hpp"

namespace southwell::assess {

// Figures that a model carries: those of the records that its fit held out.

/// The figures alone, as text for a model file (its `evaluation`). Promise and class names are the
/// model's.
std::string evaluation_text(const PrivateFigures& figures);
/// What was cut from what, as text for a model file (its `parts`).
std::string parts_text(const model::Statement& statement);

/// The statement of a model with its figures drawn.
std::string model_html(const model::LinearModel& model, model::HtmlForm form);

}  // namespace southwell::assess
