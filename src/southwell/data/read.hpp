#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "southwell/core/progress.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/dataset.hpp"

namespace southwell::data {

/// How a dense file is kept in memory; `as_given` is f32 for a float32 .npy and f64 otherwise.
enum class Storage { as_given, f64, f32 };

/// What a reader may be told. What does not apply to a file's format is refused, never ignored.
struct ReadOptions {
  /// CSV: a column's name, or its number from 0. npy: a column's number, or a second .npy file.
  /// libsvm: not accepted, the first field is the target. Absent: the file has no target column.
  std::optional<std::string> target = std::nullopt;
  /// libsvm: the number of features, declared. Entries beyond it are dropped. Absent: the largest
  /// index in the file, a fact about the records. Other formats: must agree with the file.
  std::optional<std::size_t> features = std::nullopt;
  /// CSV: the column, by name or number, that says which record is which: kept as text.
  std::optional<std::string> id = std::nullopt;
  std::string id_input = "id";  ///< what messages call it
  /// CSV with names: the features to read. Other columns are passed over, whatever they hold.
  std::optional<std::vector<std::string>> only = std::nullopt;
  /// CSV: text that counts as a missing number (NaN) where it is all that a number's field holds,
  /// blanks and quotes around it aside; it may look like a number. Elsewhere text is an error.
  std::vector<std::string> missing{};
  char delimiter = ',';                 ///< CSV: between the fields of a line
  Encoding encoding = Encoding::utf_8;  ///< of CSV
  Storage storage = Storage::as_given;
  int threads = 0;            ///< 0: all cores
  core::Progress progress{};  ///< shares of the file; 0 throughout where its size is not known
};

/// Throws what `read` would without opening the file: DataError for a name that says no format,
/// InvalidArgument for options that do not apply to it.
void check_options(const std::filesystem::path& file, const ReadOptions& options);

/// Reads .csv, .libsvm or .svm, .npy, each also .gz (recognised by content), from a regular file or
/// a pipe, in one pass; - is CSV from standard input. Throws DataError with the file, the line and
/// what is accepted.
Dataset read(const std::filesystem::path& file, const ReadOptions& options = {});

Dataset read_csv(const std::filesystem::path& file, const ReadOptions& options = {});
Dataset read_libsvm(const std::filesystem::path& file, const ReadOptions& options = {});
Dataset read_npy(const std::filesystem::path& file, const ReadOptions& options = {});

}  // namespace southwell::data
