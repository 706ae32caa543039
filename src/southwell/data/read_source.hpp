#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/data/byte_source.hpp"
#include "southwell/data/chunks.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/data/read.hpp"

namespace southwell::data {

// The readers below the file system: any source, any chunking. `name` is the file's, for messages.

Dataset read_csv(ByteSource& source, const std::string& name, const ReadOptions& options,
                 const Chunking& chunking = {});
Dataset read_libsvm(ByteSource& source, const std::string& name, const ReadOptions& options,
                    const Chunking& chunking = {});
/// A target in a second file is given as `target_source`; `options.target` is then its name.
Dataset read_npy(ByteSource& source, const std::string& name, const ReadOptions& options,
                 const Chunking& chunking = {}, ByteSource* target_source = nullptr);

/// An array of `size` numbers in one dimension, or in one row or column.
std::vector<double> read_npy_vector(ByteSource& source, const std::string& name, std::size_t size,
                                    const Chunking& chunking = {});

/// A short piece of text from a file, fit to be shown: printable, at most 40 bytes, in quotes.
std::string quoted_field(std::string_view text);

/// A column number from 0 as users write it: digits only.
std::optional<std::size_t> column_number(std::string_view text);

/// What may stand between the fields of a line.
inline constexpr std::string_view kDelimiters = ",;\t|";
void check_delimiter(char delimiter);

// What of the options a format refuses, whatever the file holds.
void check_csv_options(const ReadOptions& options);
void check_libsvm_options(const std::string& name, const ReadOptions& options);
void check_npy_options(const std::string& name, const ReadOptions& options);

/// Refuses what only a CSV file can be asked for.
void check_no_text_columns(const std::string& name, const ReadOptions& options);

/// Refuses a file whose number of features is not the declared one.
void check_features(const std::string& name, std::size_t features, const ReadOptions& options);

}  // namespace southwell::data
