#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "southwell/data/read.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::cli {

/// DATA and what its reader may be told.
void add_data_options(CLI::App& command, std::string& file, data::ReadOptions& read);

/// The data, with a progress bar; in a CSV the target is called `target` unless told otherwise.
data::Dataset read_data(const std::string& file, data::ReadOptions read);

/// The data for a model's predictions, with a progress bar: of a CSV with names only the columns
/// that the model uses, of a sparse file only its features; there need not be a target.
data::Dataset read_data_for(const model::LinearModel& model, const std::string& file,
                            data::ReadOptions read);

}  // namespace southwell::cli
