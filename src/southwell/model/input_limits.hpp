#pragma once

#include <string>

#include "southwell/model/linear_model.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::core {
class JsonPart;  // internal
}  // namespace southwell::core

namespace southwell::model {

/// How an attachment says up to which norm records enter a model as they are (docs/model_file.md);
/// empty where there is no limit.
std::string input_limits_text(const problem::RecordLimit& limit);

/// The limit that a model's records have; none where it carries none. Throws DataError for a limit
/// on single features: no fit of this version makes one, and predictions without it would be wrong.
problem::RecordLimit record_limit(const LinearModel& model);
/// The same of the attachment itself.
problem::RecordLimit record_limit(const core::JsonPart& input_limits);

/// What a limit means for whoever predicts, in a sentence; empty where there is none.
std::string limit_sentence(const LinearModel& model);

}  // namespace southwell::model
