#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/data/file_writer.hpp"

namespace southwell::cli {

/// A file to write, and the flag that names it.
struct Output {
  const char* flag;
  std::string file;  ///< empty: not asked for
};

/// Throws InvalidArgument, naming the flag, for an output that is one of the files that are read or
/// another output, by whatever name, or that no file can be written to by what can be seen of it.
/// Called before anything is read; the files need not be there.
void check_outputs(const std::vector<Output>& outputs, const std::vector<std::string>& inputs);

/// Opens it, if it was asked for. A place that cannot be written to is found out before the work
/// and before the budget is spent, not after, and is named with the flag.
std::unique_ptr<data::FileWriter> open_output(const Output& output);

/// Into the file, or to standard output where none was asked for.
void write_piece(data::FileWriter* file, std::string_view text);
/// All of it, and the file is done.
void write_output(data::FileWriter* file, std::string_view text);

/// Throws InvalidArgument, naming the flag, for a directory to write to that is something else.
void check_output_directory(const Output& output);

}  // namespace southwell::cli
