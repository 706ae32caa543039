#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "southwell/data/table/table_encoding.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// How the raw tables that a model was fitted on become its features; null for a model without a
/// schema. Throws DataError, beginning with `name`, for a schema that is none or that makes other
/// features than the model has.
std::shared_ptr<const data::TableEncoding> table_of(const LinearModel& model,
                                                    const std::string& name = "model");
/// The same of a schema's text.
std::shared_ptr<const data::TableEncoding> table_of(const std::string& schema, std::size_t features,
                                                    const std::string& name);

}  // namespace southwell::model
