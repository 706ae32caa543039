#include "southwell/data/file_format.hpp"

#include <string>

#include "southwell/core/error.hpp"

namespace southwell::data {

namespace {

std::string lower_extension(const std::filesystem::path& name) {
  std::string text = name.extension().string();
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

FileFormat file_format(const std::filesystem::path& file) {
  const std::string last = lower_extension(file);
  const std::string kind = last == ".gz" ? lower_extension(file.stem()) : last;
  if (kind == ".csv") return FileFormat::csv;
  if (kind == ".libsvm" || kind == ".svm") return FileFormat::libsvm;
  if (kind == ".npy") return FileFormat::npy;
  throw DataError(file.string() +
                  ": the name does not say the format; accepted are .csv, .libsvm, .svm and .npy, "
                  "each also followed by .gz");
}

}  // namespace southwell::data
