#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace southwell::lab {

/// A field of a CSV file: the shortest text that is this number (`inf`, `nan`), empty for none.
std::string csv_field(double number);
std::string csv_field(std::uint64_t number);
std::string csv_field(const std::optional<double>& number);
std::string csv_field(const std::string& text);

/// A line.
template <class First, class... Fields>
std::string csv_text(const First& first, const Fields&... fields) {
  std::string out = csv_field(first);
  ((out += ',', out += csv_field(fields)), ...);
  return out + '\n';
}

/// Throws DataError where it cannot be made.
void make_directory(const std::filesystem::path& directory);
/// Whole or not at all.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace southwell::lab
