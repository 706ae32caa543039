#include "lab/csv_text.hpp"

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/data/file_writer.hpp"

namespace southwell::lab {

std::string csv_field(double number) { return core::number_text(number); }
std::string csv_field(std::uint64_t number) { return std::to_string(number); }
std::string csv_field(const std::optional<double>& number) {
  return number ? csv_field(*number) : std::string();
}
std::string csv_field(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw DataError(directory.string() + ": cannot be made: " + error.message());
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  data::FileWriter writer(file);
  writer.write(text);
  writer.commit();
}

}  // namespace southwell::lab
