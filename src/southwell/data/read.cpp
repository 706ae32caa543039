#include "southwell/data/read.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/utf8.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::data {
namespace {

Chunking watched(const ReadOptions& options) {
  Chunking chunking;
  chunking.progress = options.progress;
  return chunking;
}

}  // namespace

void check_options(const std::filesystem::path& file, const ReadOptions& options) {
  switch (file_format(file)) {
    case FileFormat::csv:
      return check_csv_options(options);
    case FileFormat::libsvm:
      return check_libsvm_options(file.string(), options);
    case FileFormat::npy:
      return check_npy_options(file.string(), options);
  }
}

Dataset read(const std::filesystem::path& file, const ReadOptions& options) {
  switch (file_format(file)) {
    case FileFormat::csv:
      return read_csv(file, options);
    case FileFormat::libsvm:
      return read_libsvm(file, options);
    case FileFormat::npy:
      return read_npy(file, options);
  }
  throw std::logic_error("read: a format without a reader");
}

Dataset read_csv(const std::filesystem::path& file, const ReadOptions& options) {
  return read_csv(*open_text(file, options.encoding, options.progress), text_name(file), options,
                  watched(options));
}

Dataset read_libsvm(const std::filesystem::path& file, const ReadOptions& options) {
  check_libsvm_options(file.string(), options);  // before a pipe makes us wait
  return read_libsvm(*open_source(file, options.progress), file.string(), options,
                     watched(options));
}

Dataset read_npy(const std::filesystem::path& file, const ReadOptions& options) {
  check_npy_options(file.string(), options);
  const auto source = open_source(file, options.progress);
  if (!options.target || column_number(*options.target)) {
    return read_npy(*source, file.string(), options, watched(options));
  }
  return read_npy(*source, file.string(), options, watched(options),
                  open_source(*options.target, options.progress).get());
}

std::string quoted_field(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t bytes =
        std::max(core::first_character(text.substr(size)).bytes, std::size_t{1});
    if (size + bytes > kMost) break;
    size += bytes;
  }
  return "'" + core::printable(text.substr(0, size)) + (size < text.size() ? "...'" : "'");
}

std::optional<std::size_t> column_number(std::string_view text) {
  std::size_t number = 0;
  const char* const last = text.data() + text.size();
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

void check_delimiter(char delimiter) {
  if (kDelimiters.find(delimiter) != std::string_view::npos) return;
  throw InvalidArgument("delimiter: given " + quoted_field({&delimiter, 1}) +
                        ", accepted is a comma, a semicolon, a tab or a vertical bar");
}

void check_csv_options(const ReadOptions& options) {
  check_delimiter(options.delimiter);
  for (const std::string& word : options.missing) {
    if (trimmed(word).empty()) {
      throw InvalidArgument("missing: given " + quoted_field(word) +
                            ", accepted is text; an empty field is missing anyway");
    }
  }
}

void check_no_text_columns(const std::string& name, const ReadOptions& options) {
  if (options.id || options.only) {
    throw InvalidArgument((options.id ? options.id_input : "only") +
                          ": given, but the columns of " + name +
                          " have no names; accepted for a CSV file");
  }
  if (!options.missing.empty()) {
    throw InvalidArgument("missing: given " + quoted_field(options.missing.front()) + ", but " +
                          name + " holds no text; accepted for a CSV file");
  }
  if (options.delimiter != ',' || options.encoding != Encoding::utf_8) {
    throw InvalidArgument(std::string(options.delimiter != ',' ? "delimiter" : "encoding") +
                          ": given, but " + name + " holds no text; accepted for a CSV file");
  }
}

void check_npy_options(const std::string& name, const ReadOptions& options) {
  check_no_text_columns(name, options);
  if (!options.target || column_number(*options.target)) return;
  const std::filesystem::path file(*options.target);
  const std::filesystem::path kind = is_gzip(file) ? file.stem() : file;
  std::error_code not_there;
  // A file may be called anything, but what is neither is hardly meant to be one.
  if (kind.extension() == ".npy" || std::filesystem::exists(file, not_there)) return;
  throw InvalidArgument("target: given " + quoted_field(*options.target) + ", accepted is for " +
                        name + " a column number from 0 or a second .npy file");
}

void check_features(const std::string& name, std::size_t features, const ReadOptions& options) {
  if (!options.features || *options.features == features) return;
  throw DataError(name + ": holds " + std::to_string(features) + " features besides the target; " +
                  std::to_string(*options.features) + " are declared, accepted are as many");
}

}  // namespace southwell::data
