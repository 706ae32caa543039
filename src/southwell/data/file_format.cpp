#include "southwell/data/file_format.hpp"

#include <string>

#include "southwell/core/error.hpp"
#include "southwell/data/file_name.hpp"

namespace southwell::data {

namespace {

std::string lower_extension(const std::filesystem::path& name) {
  std::string text = name.extension().string();
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

bool is_gzip(const std::filesystem::path& file) { return lower_extension(file) == ".gz"; }

FileFormat file_format(const std::filesystem::path& file) {
  if (is_standard_input(file)) return FileFormat::csv;
  const std::string kind = lower_extension(is_gzip(file) ? file.stem() : file);
  if (kind == ".csv") return FileFormat::csv;
  if (kind == ".libsvm" || kind == ".svm") return FileFormat::libsvm;
  if (kind == ".npy") return FileFormat::npy;
  throw DataError(file.string() +
                  ": the name does not say the format; accepted are .csv, .libsvm, .svm and .npy, "
                  "each also followed by .gz, and - for CSV from standard input");
}

}  // namespace southwell::data
