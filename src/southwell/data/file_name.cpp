#include "southwell/data/file_name.hpp"

#include <system_error>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"

namespace southwell::data {

namespace fs = std::filesystem;

void check_file_name(const fs::path& file) {
  const std::string& name = file.native();
  if (name.empty() || name.find('\0') != std::string::npos) {
    throw InvalidArgument("file: given '" + core::printable(name) +
                          "', accepted is a name that is not empty and has no NUL bytes");
  }
}

std::string unfit_to_write(const fs::path& file) {
  std::error_code unknown;
  if (file.filename().empty() || fs::is_directory(file, unknown)) {
    return "is a directory; accepted is the name of a file to write";
  }
  if (fs::is_symlink(file, unknown) && !fs::exists(file, unknown)) {
    return "is a link to a file that is not there; accepted is a file, or a link to one";
  }
  return {};
}

}  // namespace southwell::data
