#include "southwell/data/file_format.hpp"

#include "southwell/core/error.hpp"

namespace southwell::data {

FileFormat file_format(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::filesystem::path extension = name.extension();
  if (extension == ".csv") return FileFormat::csv;
  if (extension == ".libsvm" || extension == ".svm") return FileFormat::libsvm;
  if (extension == ".npy") return FileFormat::npy;
  throw DataError(file.string() +
                  ": unknown kind of file; accepted are .csv, .libsvm, .svm and .npy, each "
                  "also with .gz");
}

}  // namespace southwell::data
