#pragma once

#include <string>
#include <vector>

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

/// What a limit means for whoever predicts: sentences, each short enough for a line of a terminal.
/// None where there is no limit.
std::vector<std::string> limit_sentences(const LinearModel& model);
std::string limit_text(const LinearModel& model);  ///< the same as one text

}  // namespace southwell::model
