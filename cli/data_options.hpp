#pragma once

#include <initializer_list>
#include <string>

#include <CLI/CLI.hpp>

#include "southwell/data/read.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::cli {

/// DATA and what its reader may be told.
void add_data_options(CLI::App& command, std::string& file, data::ReadOptions& read);

/// The data, with a progress bar; in a CSV the target is called `target` unless told otherwise.
data::Dataset read_data(const std::string& file, data::ReadOptions read);

/// MODEL, DATA and the number of threads, for the commands that use a model.
struct ModelOptions {
  std::string model;
  std::string data;
  data::ReadOptions read;

  void add_to(CLI::App& command);
};

/// Throws InvalidArgument if `out` is one of the files that are read, by whatever name.
void refuse_to_overwrite(const std::string& out, std::initializer_list<std::string> inputs);

/// The data for a model's predictions, with a progress bar: of a CSV with names only the columns
/// that the model uses, of a sparse file only its features; there need not be a target.
data::Dataset read_data_for(const model::LinearModel& model, const std::string& file,
                            data::ReadOptions read);

}  // namespace southwell::cli
