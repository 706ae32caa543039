#pragma once

#include <filesystem>

namespace southwell::data {

enum class FileFormat { csv, libsvm, npy };

/// By extension, a last .gz aside; - is CSV from standard input. Throws DataError, naming what is
/// accepted.
FileFormat file_format(const std::filesystem::path& file);

/// Whether the name ends in .gz.
bool is_gzip(const std::filesystem::path& file);

}  // namespace southwell::data
