#pragma once

#include <memory>
#include <string>

#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/model/statement_html.hpp"

namespace southwell::bindings {

/// The statement of a model, which it keeps alive. That of a plan, or of figures, belongs to a
/// model without coefficients.
struct StatementOf {
  std::shared_ptr<const model::LinearModel> model;
  bool of_figures = false;  ///< of a private evaluation; the model is empty then

  const model::Statement& statement() const { return model->privacy; }
  std::string to_html(model::HtmlForm form) const {
    return of_figures ? assess::statement_html(statement(), form)
                      : assess::model_html(*model, form);
  }
};

}  // namespace southwell::bindings
