#pragma once

#include <string>

#include "southwell/data/file_writer.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::cli {

/// What commands that make a model call its parts.
struct ModelWords {
  const char* model;    ///< such as "the model"
  const char* figures;  ///< of which records they are
  std::string lines{};  ///< of the command's own, after the guarantee
};

/// Writes a model that was planned like this and prints what can be seen of it, which is a function
/// of public inputs and of what was released.
void write_and_print(const model::LinearModel& model, const model::Statement& planned,
                     data::FileWriter& writer, const std::string& file, const ModelWords& words);

}  // namespace southwell::cli
