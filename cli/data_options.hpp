#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/table/read_table.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::cli {

/// DATA and what its reader may be told.
void add_data_options(const Command& command, std::string& file, data::ReadOptions& read);

/// How a text is written: --delimiter and --encoding.
void add_text_options(const Command& command, data::ReadOptions& read);
/// The same and --missing.
void add_csv_options(const Command& command, data::ReadOptions& read);

/// What to read where a target is needed: in a CSV it is called `target` unless told otherwise.
/// Throws what can be refused before the file is opened.
data::ReadOptions with_target(const std::string& file, data::ReadOptions read);

/// Throws InvalidArgument for units of a file whose columns say none.
void check_unit_column(const std::string& file, const std::optional<std::string>& unit);
/// Which records belong together, by the text of their ids; a blank field and a missing word are no
/// id.
data::Units units_of(const data::Dataset& dataset, const std::vector<std::string>& missing);

/// The names of the files that are read: the data, and a target that is a file of its own.
std::vector<std::string> files_of(const std::string& file, const data::ReadOptions& read);

/// The data with their target, with a progress bar.
data::Dataset read_data(const std::string& file, data::ReadOptions read);

/// The schema in a file, which the flag names, ready to encode; null for no name.
std::shared_ptr<const data::TableEncoding> table_in(const std::string& flag,
                                                    const std::string& file);
/// Refuses, naming the flag, a file that by its name is no raw table.
void check_is_table(const std::string& flag, const std::string& file);
/// Refuses what the schema says already, where it says something else.
void check_beside_schema(const data::Schema& schema, const data::ReadOptions& read);
/// A raw table, with a progress bar.
data::Dataset read_raw_table(const std::string& file, const data::TableEncoding& table,
                             const data::ReadOptions& read, data::TableUse use);

/// MODEL, DATA and the number of threads, for the commands that use a model.
struct ModelOptions {
  std::string model;
  std::string data;
  data::ReadOptions read;

  void add_to(const Command& command);
};

/// The data for a model's predictions, with a progress bar: of a CSV with names only the columns
/// that the model uses, of a sparse file only its features; there need not be a target but for an
/// evaluation. A model that carries a schema takes raw tables.
data::Dataset read_data_for(const model::LinearModel& model, const std::string& file,
                            data::ReadOptions read, data::TableUse use);

}  // namespace southwell::cli
