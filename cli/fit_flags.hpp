#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "input_flags.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/data/read.hpp"
#include "southwell/fit/fit_spec.hpp"

namespace southwell::cli {

/// Where a command that fits writes its model, if it does.
struct ModelOutput {
  std::string file;
  std::optional<std::string> ledger;  ///< the file that the model is charged to
  bool dry_run = false;

  void add_to(const Command& command, const std::string& help_of_dry_run);
};

/// The public inputs of a fit as flags. Two of them may be files that speak of features by name:
/// they are resolved once the data are read.
struct FitFlags {
  std::string data;
  data::ReadOptions read;
  std::string schema;  ///< a file, or empty
  fit::FitSpec spec;
  FileInputs given;

  void add_to(const Command& command);
  /// `given` as a number; anything else is refused, naming the flag.
  static double number_of(const std::string& flag, const std::string& given);
  /// The names of the files that are read.
  std::vector<std::string> files() const;
  /// Checks a file to write and all that can be checked before data are read, and opens the file.
  /// Without a file a dry run is asked for, else --out is required.
  std::unique_ptr<data::FileWriter> checked_output(const ModelOutput& output);
  /// Reads the schema and throws what can be refused before any data are read.
  void check();
  /// The data, read as their schema says if there is one, with the units that --unit names a column
  /// of.
  data::Dataset dataset() const;
  /// The whole specification for these data; before any record is used.
  fit::FitSpec resolved(const data::Dataset& dataset) const;

 private:
  bool scale_is_a_file() const;
  /// What is known without files.
  fit::FitSpec known() const;
};

}  // namespace southwell::cli
