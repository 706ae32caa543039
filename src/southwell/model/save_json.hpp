#pragma once

#include "southwell/data/file_writer.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// What `save` writes, to a file that is open already; not committed. Beside the model it takes the
/// memory of its statement and of a buffer. Throws DataError.
void write(const LinearModel& model, data::FileWriter& writer);

}  // namespace southwell::model
