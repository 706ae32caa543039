#pragma once

#include <memory>

#include "southwell/model/linear_model.hpp"

namespace southwell::bindings {

/// The statement of a model, which it keeps alive. That of a plan belongs to a model without
/// coefficients.
struct StatementOf {
  std::shared_ptr<const model::LinearModel> model;

  const model::Statement& statement() const { return model->privacy; }
};

}  // namespace southwell::bindings
